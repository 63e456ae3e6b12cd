// Numbers and letters as text. The results are the same whatever locale the host has set: printf(), std::to_string() of
// a float, strtod() and toupper() follow it, with a comma for a point and a Turkish I. scripts/check_locale finds them.
// number_text.h has the short form of a number.
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace sinew {

/// `value` with six digits after the point: "0.500000".
inline std::string decimal(double value) {
  std::array<char, 352> letters;  // the largest number has 309 digits before the point
  const auto end = std::to_chars(letters.data(), letters.data() + letters.size(), value, std::chars_format::fixed, 6);
  return {letters.data(), end.ptr};
}

constexpr bool is_upper(char letter) { return letter >= 'A' && letter <= 'Z'; }
constexpr char lower(char letter) { return is_upper(letter) ? char(letter - 'A' + 'a') : letter; }
constexpr char upper(char letter) { return letter >= 'a' && letter <= 'z' ? char(letter - 'a' + 'A') : letter; }

}  // namespace sinew
