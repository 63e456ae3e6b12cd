// How options of all commands are read: strictly, so that nothing is taken for what it is not.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <type_traits>
#include <vector>

#include "sinew/asset/result.h"
#include "system/text.h"

namespace sinew::app {

/// A whole word that is a decimal number from `least` to `most`; nothing else: no sign for what cannot be negative, no
/// octal, no overflow, no infinity.
template <class Value>
std::optional<Value> parse_number(const std::string& word, Value least, Value most) {
  Value value{};
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || rest != word.data() + word.size()) return {};
  return value >= least && value <= most ? std::optional(value) : std::nullopt;
}

/// As it stands in a message.
template <class Value>
std::string number_text(Value value) {
  if constexpr (std::is_integral_v<Value>) return std::to_string(value);
  return text("%g", double(value));
}

/// An option that calls `set` with a number from `least` to `most`, and refuses all else.
template <class Value, class Set>
CLI::Option* add_number(CLI::App& command, const std::string& name, Value least, Value most, Set set,
                        const std::string& help) {
  const auto take = [=](const std::string& word) {
    if (const auto value = parse_number(word, least, most)) return set(*value);
    throw CLI::ValidationError(
        name, "'" + word + "' is not a number from " + number_text(least) + " to " + number_text(most));
  };
  return command.add_option_function<std::string>(name, take, help);
}

/// One of several words, without what CLI11 adds to the help.
inline CLI::Validator one_of(std::vector<std::string> words) { return CLI::IsMember(std::move(words)).description(""); }

/// An option that takes one of two words, of which the first means true.
inline void add_either(CLI::App& command, const std::string& name, const std::string& yes, const std::string& no,
                       bool& value, const std::string& help) {
  command
      .add_option_function<std::string>(
          name, [&value, yes](const std::string& word) { value = word == yes; }, help)
      ->type_name(yes + "|" + no)
      ->check(one_of({yes, no}));
}

inline void add_switch(CLI::App& command, const std::string& name, bool& value, const std::string& help) {
  add_either(command, name, "on", "off", value, help);
}

/// Ends the command as a misspelt option does, with exit code 2, where what was asked for makes no sense.
inline void require(const Status& status) {
  if (!status) throw CLI::ValidationError(status.error().message);
}

}  // namespace sinew::app
