// The result of baking the models of a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sinew::app {

/// Cost and stated error of the bakes for the crowd evaluator.
struct BakeReport {
  uint32_t models = 0;
  double ms = 0;                      // in the import workers and in this process
  double error_mm = 0;                // the largest of all clips, on a character 1.8 m large
  double max_error_mm = 0;            // the error bound that was asked of each clip
  std::vector<std::string> warnings;  // one line for each model that exceeds the bound
  uint32_t read = 0;                  // models with the bake that their file has
};

}  // namespace sinew::app
