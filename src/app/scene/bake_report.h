// What came of baking the models of a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sinew::app {

/// What the crowd evaluator's bake took and stated.
struct BakeReport {
  uint32_t models = 0;
  double ms = 0;
  double error_mm = 0;                // the largest of any clip, on a character that is 1.8 m large
  double asked_mm = 0;                // the bound that each clip was to hold
  std::vector<std::string> warnings;  // a line for each model that is not baked within what was asked
};

}  // namespace sinew::app
