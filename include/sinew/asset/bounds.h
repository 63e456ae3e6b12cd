// Bounds of a character: boxes that contain every vertex of an instance, as plain data. sinew/animation/bounds.h
// measures and reads them.
#pragma once

#include <vector>

#include "sinew/asset/math.h"

namespace sinew {

/// Boxes in model space around the vertices as CrowdEvaluator poses them. Plain data; share it between threads.
struct CharacterBounds {
  std::vector<Box> clips;  // each clip alone, at any time; for an additive clip equal to `layered`
  std::vector<Box> pairs;  // clips a <= b, any weights and masks, at b * (b + 1) / 2 + a; or empty
  Box rest;                // the rest pose
  Box blended;             // any clips that are not additive, with any weights and masks
  Box layered;             // the same or the rest pose, plus any additive clips
  bool operator==(const CharacterBounds&) const = default;
};

}  // namespace sinew
