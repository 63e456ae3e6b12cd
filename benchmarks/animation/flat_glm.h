// A baseline: what a careful programmer writes first. Flat arrays, parents before children, keys found by binary
// search, glm's own slerp and matrices. Written for the comparison; nothing of it is in the library.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "sinew/animation/evaluator.h"
#include "sinew/asset/character.h"

namespace sinew::bench {

template <class Value>
struct FlatTrack {
  std::vector<float> times_seconds;
  std::vector<Value> values;
};

struct FlatJointTracks {
  FlatTrack<glm::vec3> translation;
  FlatTrack<glm::quat> rotation;
};

/// A rigid character with keys on every joint, and an entry of the palette for each.
struct FlatModel {
  explicit FlatModel(const Character& character);

  std::vector<int32_t> parents;
  std::vector<glm::mat4> inverse_binds;
  std::vector<std::vector<FlatJointTracks>> clips;  // [clip][joint]
};

/// Writes each instance's palette from its first layer, as sinew::evaluate_crowd() does.
void evaluate_flat(const FlatModel& model, std::span<const Playback> playbacks, uint32_t palette_stride,
                   std::span<Matrix3x4> palettes);

}  // namespace sinew::bench
