// What the program does while nothing else is seen of it: a line on a terminal, which a window shows too.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "sinew/animation/bake.h"
#include "system/clock.h"

namespace sinew::app {

/// Appears after a second, if standard error is a terminal, whatever the work does: a thread of its own writes it. It
/// disappears at the end of its scope. One at a time. The work may run on another thread than the one that reads
/// text().
class ProgressLine {
 public:
  /// `what` names the stage, as in "making levels of detail".
  explicit ProgressLine(std::string what);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// Begins another stage. The second before the line appears does not start again.
  void rename(std::string what);

  /// `share` is the part of the stage that is done, from 0 to 1.
  void show(double share);

  /// Removes the line, so that something can be printed. It comes back after another second.
  void hide();

  /// What the line says: stage, share if it is known, and seconds since the first stage began.
  std::string text() const;

  /// A callback that shows the progress of a bake in this line. The line must outlive the bake.
  BakeProgress of_bake();

 private:
  void write_lines();
  void clear();
  std::string text_locked() const;

  mutable std::mutex mutex_;
  std::condition_variable ended_;
  std::string what_;
  double share_ = -1;  // below 0: unknown
  const Stopwatch watch_;
  double next_ms_;
  bool shown_ = false, ending_ = false;
  std::thread writer_;  // none without a terminal
};

}  // namespace sinew::app
