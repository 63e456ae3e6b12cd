// The command that this process was started with.
#pragma once

#include <string>

namespace sinew::app {

/// The path of this program and its arguments, quoted for a shell. Only the path where the system does not tell the
/// arguments.
std::string command_line();

}  // namespace sinew::app
