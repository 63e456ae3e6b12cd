// This process and others: the command that it was started with, programs that run in turn with it, and Ctrl-C.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "sinew/asset/result.h"

namespace sinew::app {

// The command that this process was started with.

/// The words of the command: the program as it was called, then its arguments. Empty where the system does not tell.
std::vector<std::string> command_words();

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

// Ctrl-C during a measurement: the frame is finished, and what was measured is reported.

/// While it lives, the first SIGINT only sets a flag; the second one ends the program. One at a time.
class InterruptFlag {
 public:
  InterruptFlag();
  ~InterruptFlag();
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;

  /// Whether there was a signal. It stays so after the flag has ended.
  static bool is_set();
};

inline constexpr int kInterruptedCode = 130;  // the exit code, as shells have it

}  // namespace sinew::app
