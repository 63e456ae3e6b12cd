// Text and numbers as the program prints them, and words as users write them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

#include "asset/read_number.h"
#include "host/prints.h"

namespace sinew::app {

/// Formats as printf does.
SINEW_PRINTS(1, 2) std::string text(const char* format, ...);

/// `name` on one line of valid UTF-8. Control characters become '?', because a file may use them to deceive a terminal.
std::string printable(const std::string& name);

/// ASCII letters in lower case.
std::string lower(std::string_view word);

/// Whether `text` has `part` in it, whatever the case of ASCII letters.
bool contains_any_case(std::string_view text, std::string_view part);

/// The words between the commas of a list such as "0,0.2,0.4": at least one, which may be empty.
std::vector<std::string> split_list(std::string_view list);

/// The texts of all elements; `between` follows what is there already.
template <class Range, class TextOf = std::identity>
std::string joined(const Range& range, const char* between, TextOf text_of = {}) {
  std::string all;
  for (const auto& one : range) {
    if (!all.empty()) all += between;
    all += std::invoke(text_of, one);
  }
  return all;
}

/// 1234567 as "1,234,567".
std::string grouped(uint64_t value);

/// Three significant digits, as "0.0123", "31.2" or "1,234"; or two: "0.012", "31" or "1,200". "-" for infinity and
/// NaN.
std::string rounded(double value, int digits = 3);

/// A share in percent: tenths below ten, two digits above.
std::string percent(double share);

/// An error in millimeters with four decimals; from 1e6 on, or not finite, with four digits: "0.0543", "1.118e+37".
std::string millimeters(double value);

// Numbers in options.

/// Parses a word that as a whole is a decimal number from `min` to `max`, bounds included; a leading 0 does not mean
/// octal. None for anything else: a sign where Value is unsigned, hexadecimal, overflow, NaN, text after the number.
template <class Value>
std::optional<Value> parse_number(std::string_view word, Value min, Value max) {
  Value value{};
  const auto [rest, error] = read_number(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || rest != word.data() + word.size()) return {};
  return value >= min && value <= max ? std::optional(value) : std::nullopt;
}

/// A number as messages print it.
template <class Value>
std::string number_text(Value value) {
  if constexpr (std::is_integral_v<Value>) return std::to_string(value);
  return text("%g", double(value));
}

// Which of some words a user meant who wrote another one.

/// At most `most` of the words, each once, the most alike first. Upper and lower case of ASCII letters are alike.
std::vector<std::string_view> most_alike(std::span<const std::string_view> words, std::string_view written,
                                         size_t most);

/// "; did you mean WORD?" where one word is nearly what was written; else empty.
std::string did_you_mean(std::span<const std::string_view> words, std::string_view written);

}  // namespace sinew::app
