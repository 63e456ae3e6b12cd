// The command that this process was started with.
#pragma once

#include <string>
#include <vector>

namespace sinew::app {

/// The path of this program.
std::string program_path();

/// The words of the command: the program as it was called, then its arguments. Empty where the system does not tell.
std::vector<std::string> command_words();

/// The path of this program and its arguments, quoted for a shell. Only the path where the system does not tell the
/// arguments.
std::string command_line();

}  // namespace sinew::app
