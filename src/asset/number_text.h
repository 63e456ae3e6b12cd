// Numbers in messages.
#pragma once

#include <charconv>
#include <string>

namespace sinew::internal {

/// `value` with up to `digits` significant digits (at most 17), without trailing zeros: "0.1", "5", "1.5e+07". The text
/// is short for any value and the same in every locale.
inline std::string number_text(double value, int digits = 6) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof(text), value, std::chars_format::general, digits);
  return error == std::errc() ? std::string(text, end) : "?";
}

}  // namespace sinew::internal
