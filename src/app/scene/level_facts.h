// What a level of detail of a model costs, how far it is from the finest one, and how small the model is on screen
// where a crowd uses it.
#pragma once

#include <cstdint>
#include <vector>

#include "scene/model.h"

namespace sinew::app {

struct LevelFacts {
  uint32_t triangles = 0, vertices = 0, joints = 0;  // joints: entries of its palette
  uint32_t influences = 0;                           // of a vertex, the largest number
  uint32_t parts = 0;                                // with triangles
  float error_meters = 0;                            // in the drawn world; 0 of the finest level
  /// The height of the model on screen, in pixels, above which the error of the level is more than one pixel. Infinite
  /// for the finest level.
  float height_pixels = 0;
};

/// `level` < model.level_count().
LevelFacts facts_of(const Model& model, uint32_t level);

/// Of all levels of a model.
std::vector<LevelFacts> level_facts(const Model& model);

}  // namespace sinew::app
