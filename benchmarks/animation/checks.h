// That the rows compute what they claim, so that nonsense is never quoted.
#pragma once

#include <string>
#include <vector>

#include "rows.h"

namespace sinew::bench {

/// How far a row's palettes are from those of the exact evaluator.
struct Check {
  std::string row;
  double error = 0, bound = 0;
  const char* unit = "";

  bool passed() const { return error <= bound; }
};

/// Evaluates some frames of every row. Baselines are compared number by number; the crowd by how far apart points are
/// that lie 0.1 m from each joint, against the error the bake reports.
std::vector<Check> check_rows(Subjects& subjects);

/// The largest error the bake reports for any clip, in millimeters.
double bake_error_mm(const BakedCharacter& baked);

}  // namespace sinew::bench
