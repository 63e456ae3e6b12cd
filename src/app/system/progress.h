// A line on a terminal that says how far long work is.
#pragma once

#include <string>

#include "sinew/animation/bake.h"
#include "system/clock.h"

namespace sinew::app {

/// Appears after a second, where standard error is a terminal, and goes at the end of the scope.
class ProgressLine {
 public:
  explicit ProgressLine(std::string what);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// The work goes on with something else; the second that the line waits is not begun anew.
  void rename(std::string what);

  /// `share` of the work, from 0 to 1.
  void show(double share);

  /// Lets a bake show itself here.
  BakeProgress of_bake();

 private:
  std::string what_;
  Stopwatch watch_;
  double next_ms_;
  bool shown_ = false;
};

}  // namespace sinew::app
