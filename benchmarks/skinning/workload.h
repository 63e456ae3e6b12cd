// What is skinned: a crowd of the built-in character, each somewhere in one of its clips.
#pragma once

#include <string>
#include <vector>

#include "sinew/asset/character.h"
#include "sinew/asset/result.h"

namespace sinew::bench {

struct Workload {
  Character character;  // its mesh ordered by influences
  uint32_t palette_stride = 0;
  std::vector<Matrix3x4> palettes;  // of as many instances as was asked
  Box box;                          // of all they skin, with room
  double mean_influences = 0;
  double diagonal = 0;  // of the box of its poses, in the model's units

  uint32_t instance_count() const { return uint32_t(palettes.size() / palette_stride); }
  std::span<const Matrix3x4> palette(uint32_t instance) const {
    return std::span(palettes).subspan(size_t{instance} * palette_stride, character.skin.palette_size());
  }
};

/// `path` empty: the built-in character. Clips and times are chosen by a fixed seed.
Result<Workload> make_workload(const std::string& path, uint32_t instances);

}  // namespace sinew::bench
