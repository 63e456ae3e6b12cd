// The help of the program, its completions and its manual page, from what the parser knows of commands and options.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <string_view>

namespace sinew::app {

inline constexpr char kEndOfBrief = '\x1f';

/// What the parser keeps as the description of an option: `brief` for the short help, `help` for the others. Without a
/// brief text the short help does not have the option.
inline std::string description(const std::string& brief, const std::string& help) {
  return brief.empty() ? help : brief + kEndOfBrief + help;
}

/// --help: a screen of the options that are used most, by group.
std::string short_help(const CLI::App& command);

/// --help-all: every option, by group. Of the program itself: its commands and its own options.
std::string long_help(const CLI::App& command);

/// A script that completes commands, options and their words in bash, zsh or fish.
std::string completions(const CLI::App& program, std::string_view shell);

/// The manual page, in the language of man.
std::string manual(const CLI::App& program);

}  // namespace sinew::app
