// The workload: a crowd of one character, each instance in one of its clips, at a time of its own.
#pragma once

#include <string>
#include <vector>

#include "sinew/asset/character.h"
#include "sinew/asset/result.h"

namespace sinew::bench {

struct Workload {
  Character character;              // its mesh is ordered by order_by_influences()
  uint32_t palette_stride = 0;      // in matrices
  std::vector<Matrix3x4> palettes;  // one palette per instance
  Box box;                          // of the skinned vertices in model space, with a margin
  double mean_influences = 0;
  double diagonal = 0;  // of the poses' bounding box without margin, in the model's units

  uint32_t instance_count() const { return uint32_t(palettes.size() / palette_stride); }
  std::span<const Matrix3x4> palette(uint32_t instance) const {
    return std::span(palettes).subspan(size_t{instance} * palette_stride, character.skin.palette_size());
  }
};

/// Loads the character `path` (empty: the built-in one) and evaluates `instances` palettes with the exact evaluator.
/// Clips and times are random with a fixed seed.
Result<Workload> make_workload(const std::string& path, uint32_t instances);

}  // namespace sinew::bench
