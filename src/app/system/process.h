// This process: the command that it was started with, and its turns where two programs draw in turn.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sinew/asset/result.h"

namespace sinew::app {

/// The path of this program and its arguments, quoted for a shell. Only the path where the system does not tell the
/// arguments.
std::string command_line();

/// The words of a command as others can give them: without this machine's folders, quoted for a shell.
std::string shared_command(std::span<const std::string> words);

/// A word of a command with the name of its file instead of a path.
std::string without_folders(const std::string& word);

/// The line that ends a turn, on standard output. A line on standard input begins the next.
inline constexpr std::string_view kTurnEnd = "end of turn";

/// Ends a turn of this process, and waits for the next. Fails where standard input ends.
Status pass_turn();

}  // namespace sinew::app
