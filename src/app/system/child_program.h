// Other programs that run in turn with each other: each draws while the others wait.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "sinew/asset/result.h"

namespace sinew::app {

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
  ChildProgram(ChildProgram&& other) noexcept;
  ChildProgram& operator=(ChildProgram&&) = delete;
  ~ChildProgram();

  /// Begins its next turn.
  void give_turn();

  /// Waits until its turn ends. False: the program ended, with exit code 0. Fails where it ended otherwise; the message
  /// then has its last line of standard error.
  Result<bool> wait_for_turn_end();

 private:
  ChildProgram() = default;
  std::string name_;
  pid_t child_ = 0;            // 0: it has ended
  int input_ = -1, out_ = -1;  // our ends of its standard input and output
  int errors_ = -1;            // a file that has its standard error
  std::string unread_;         // of its standard output: an incomplete last line
};

}  // namespace sinew::app
