// Numbers in options.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "system/text.h"

namespace sinew::app {

/// Parses a word that as a whole is a decimal number from `min` to `max`, bounds included; a leading 0 does not mean
/// octal. None for anything else: a sign where Value is unsigned, hexadecimal, overflow, NaN, text after the number.
template <class Value>
std::optional<Value> parse_number(std::string_view word, Value min, Value max) {
  Value value{};
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || rest != word.data() + word.size()) return {};
  return value >= min && value <= max ? std::optional(value) : std::nullopt;
}

/// A number as messages print it.
template <class Value>
std::string number_text(Value value) {
  if constexpr (std::is_integral_v<Value>) return std::to_string(value);
  return text("%g", double(value));
}

}  // namespace sinew::app
