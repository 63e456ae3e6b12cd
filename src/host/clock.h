// Wall time.
#pragma once

#include <chrono>

namespace host {

/// Milliseconds since a moment that is the same for the whole process.
inline double ms_of(std::chrono::steady_clock::time_point time) {
  return std::chrono::duration<double, std::milli>(time.time_since_epoch()).count();
}
inline double now_ms() { return ms_of(std::chrono::steady_clock::now()); }

/// From one moment to another, by now_ms(). Empty: did not take place.
struct CpuSpan {
  double begin_ms = 0, end_ms = 0;

  double ms() const { return end_ms - begin_ms; }
  explicit operator bool() const { return end_ms > 0; }
};

class Stopwatch {
 public:
  double elapsed_ms() const { return now_ms() - start_ms_; }

 private:
  double start_ms_ = now_ms();
};

}  // namespace host
