// Option parsers that all commands share. They are strict: a word that is not exactly a valid value is an error.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sinew/asset/result.h"
#include "system/parse_number.h"

namespace sinew::app {

/// Adds an option that calls `set` with a number from `min` to `max`. Any other word is a CLI::ValidationError.
template <class Value, class Set>
CLI::Option* add_number(CLI::App& command, const std::string& name, Value min, Value max, Set set,
                        const std::string& help) {
  const auto take = [=](const std::string& word) {
    if (const auto value = parse_number(word, min, max)) return set(*value);
    throw CLI::ValidationError(name,
                               "'" + word + "' is not a number from " + number_text(min) + " to " + number_text(max));
  };
  return command.add_option_function<std::string>(name, take, help);
}

/// Accepts only these words. Adds nothing to the help text, unlike CLI::IsMember alone.
inline CLI::Validator one_of(std::vector<std::string> words) { return CLI::IsMember(std::move(words)).description(""); }

/// Adds an option of two words: `yes` stores true in `value`, `no` false. `value` must outlive the parsing.
inline void add_either(CLI::App& command, const std::string& name, const std::string& yes, const std::string& no,
                       bool& value, const std::string& help) {
  command
      .add_option_function<std::string>(
          name, [&value, yes](const std::string& word) { value = word == yes; }, help)
      ->type_name(yes + "|" + no)
      ->check(one_of({yes, no}));
}

/// Adds an option of the words on and off.
inline void add_switch(CLI::App& command, const std::string& name, bool& value, const std::string& help) {
  add_either(command, name, "on", "off", value, help);
}

/// Throws where `status` is an error. The program then ends with exit code 2, as after an unknown option: for options
/// that contradict each other.
inline void require(const Status& status) {
  if (!status) throw CLI::ValidationError(status.error().message);
}

}  // namespace sinew::app
