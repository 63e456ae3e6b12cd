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

struct Size {
  uint32_t width = 0, height = 0;
};

/// Parses a size in pixels such as 1280x720. None where it is not one from 16x16 to 16384x16384.
inline std::optional<Size> parse_size(const std::string& word) {
  Size size;
  const char* end = word.data() + word.size();
  const auto [cross, first] = std::from_chars(word.data(), end, size.width);
  if (first != std::errc{} || cross == end || *cross != 'x') return {};
  const auto [rest, second] = std::from_chars(cross + 1, end, size.height);
  if (second != std::errc{} || rest != end) return {};
  const auto in_range = [](uint32_t side) { return side >= 16 && side <= 16384; };
  return in_range(size.width) && in_range(size.height) ? std::optional(size) : std::nullopt;
}

/// Adds --size. `width` and `height` must outlive the parsing.
inline void add_size(CLI::App& command, const std::string& help, uint32_t& width, uint32_t& height) {
  const auto take = [&](const std::string& word) {
    const auto size = parse_size(word);
    if (!size) throw CLI::ValidationError("--size", "'" + word + "' is not a size such as 1280x720");
    width = size->width, height = size->height;
  };
  command.add_option_function<std::string>("--size", take, help)->type_name("WxH");
}

/// Adds --scale: a percentage, stored as a factor. `scale` must outlive the parsing.
inline void add_scale(CLI::App& command, std::optional<float>& scale) {
  const auto set = [&scale](double percent) { scale = float(percent / 100); };
  add_number(command, "--scale", 50.0, 400.0, set, "Size of letters and controls [that of the display]")
      ->type_name("PERCENT");
}

/// Throws where `status` is an error. The program then ends with exit code 2, as after an unknown option: for options
/// that contradict each other.
inline void require(const Status& status) {
  if (!status) throw CLI::ValidationError(status.error().message);
}

}  // namespace sinew::app
