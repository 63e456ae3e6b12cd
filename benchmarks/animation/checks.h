// Checks that every benchmark row computes correct palettes. If a row fails, nothing is timed.
#pragma once

#include <string>
#include <vector>

#include "rows.h"

namespace sinew::bench {

/// The error of a row's palettes against the exact evaluator, with its bound. Both are in `unit`.
struct Check {
  std::string row;
  double error = 0, bound = 0;
  const char* unit = "";

  bool passed() const { return error <= bound; }
};

/// Evaluates some frames of every row. For baselines, the error is the largest difference of two matrix elements. For
/// rows of the crowd evaluator, it is the largest distance between points 0.1 m from each joint, and the bound is the
/// bake's error, or for blends the error that the bake was allowed.
std::vector<Check> check_rows(Subjects& subjects);

/// The bake's largest error of all clips, in millimeters.
double bake_error_mm(const BakedCharacter& baked);

}  // namespace sinew::bench
