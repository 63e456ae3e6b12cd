// A progress line on a terminal for long work.
#pragma once

#include <string>

#include "sinew/animation/bake.h"
#include "system/clock.h"

namespace sinew::app {

/// Appears after a second, if standard error is a terminal. Disappears at the end of its scope.
class ProgressLine {
 public:
  explicit ProgressLine(std::string what);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// Changes what the line names. The second before the line appears does not start again.
  void rename(std::string what);

  /// `share` is the part of the work that is done, from 0 to 1.
  void show(double share);

  /// A callback that shows the progress of a bake in this line. The line must outlive the bake.
  BakeProgress of_bake();

 private:
  std::string what_;
  Stopwatch watch_;
  double next_ms_;
  bool shown_ = false;
};

/// A line without a share, shown at once for work that does not say how far it is. Disappears at the end of its scope,
/// and is not shown where standard error is not a terminal.
class ShownStatus {
 public:
  explicit ShownStatus(const char* what);
  ShownStatus(const ShownStatus&) = delete;
  ShownStatus& operator=(const ShownStatus&) = delete;
  ~ShownStatus();
};

}  // namespace sinew::app
