// Numbers and letters as text. The results are the same whatever locale the host has set: printf(), std::to_string() of
// a float, strtod() and toupper() follow it, with a comma for a point and a Turkish I. scripts/check_locale finds them.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <string>

namespace sinew {

/// `value` with six digits after the point: "0.500000".
inline std::string decimal(double value) {
  std::array<char, 352> letters;  // the largest number has 309 digits before the point
  const auto end = std::to_chars(letters.data(), letters.data() + letters.size(), value, std::chars_format::fixed, 6);
  return {letters.data(), end.ptr};
}

constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
constexpr bool is_upper(char letter) { return letter >= 'A' && letter <= 'Z'; }
constexpr char lower(char letter) { return is_upper(letter) ? char(letter - 'A' + 'a') : letter; }
constexpr char upper(char letter) { return letter >= 'a' && letter <= 'z' ? char(letter - 'a' + 'A') : letter; }

// Nouns beside counts, in messages and labels.

/// The form of a noun for `count` things: "mesh" for 1, otherwise "meshes".
constexpr const char* noun(uint64_t count, const char* singular, const char* plural) {
  return count == 1 ? singular : plural;
}

/// "1 mesh", "2 meshes".
inline std::string counted(uint64_t count, const char* singular, const char* plural) {
  return std::to_string(count) + " " + noun(count, singular, plural);
}

namespace internal {

/// `value` with up to `digits` significant digits (at most 17), without trailing zeros: "0.1", "5", "1.5e+07". The text
/// is short for any value and the same in every locale.
inline std::string number_text(double value, int digits = 6) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof(text), value, std::chars_format::general, digits);
  return error == std::errc() ? std::string(text, end) : "?";
}

}  // namespace internal
}  // namespace sinew
