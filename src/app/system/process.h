// This process and others: the command that it was started with, and programs that run in turn with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/asset/result.h"
#include "system/platform.h"

namespace sinew::app {

/// The path of this program and its arguments, quoted for a shell. Only the path where the system does not tell the
/// arguments.
std::string command_line();

// Other programs that run in turn with each other: each draws while the others wait.

/// The line that ends a turn, on standard output. A line on standard input begins the next.
inline constexpr std::string_view kTurnEnd = "end of turn";

/// Ends a turn of this process, and waits for the next. Fails where standard input ends.
Status pass_turn();

/// A running program. Its destructor ends it.
class ChildProgram {
 public:
  /// Starts a program with this process's environment; its first turn begins. `command`: the path of the program, then
  /// its arguments. Errors: kNotFound, where it cannot be started; kOutOfMemory.
  static Result<ChildProgram> start(const std::vector<std::string>& command);

  /// Begins its next turn.
  void give_turn();

  /// Waits until its turn ends. False: the program ended, with exit code 0. Fails where it ended otherwise; the message
  /// then has its last line of standard error.
  Result<bool> wait_for_turn_end();

 private:
  ChildProgram(std::string name, ChildProcess process);
  std::string name_;
  ChildProcess process_;
  std::string unread_;  // of its standard output: an incomplete last line
};

}  // namespace sinew::app
