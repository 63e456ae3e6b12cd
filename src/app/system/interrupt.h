// Ctrl-C during a measurement: the frame is finished, and what was measured is reported.
#pragma once

namespace sinew::app {

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
