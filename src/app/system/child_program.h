// Other programs, run to their end.
#pragma once

#include <string>
#include <vector>

#include "sinew/asset/result.h"

namespace sinew::app {

/// Runs a program with this process's environment, and waits for it. Its standard output is dropped. Fails where it
/// cannot be started, or ends with another exit code than 0; the message then has its last line of standard error.
/// `command`: the path of the program, then its arguments.
Status run_program(const std::vector<std::string>& command);

}  // namespace sinew::app
