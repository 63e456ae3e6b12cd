// A baseline: a careful first implementation. Flat arrays, parents before children, binary search for keys, glm's slerp
// and matrices. Written for the comparison; the library does not use it.
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

/// A character for evaluate_flat(). Every joint must have translation and rotation keys, no scale keys, and its own
/// palette entry with the joint's index.
struct FlatModel {
  explicit FlatModel(const Character& character);

  std::vector<int32_t> parents;
  std::vector<glm::mat4> inverse_binds;
  std::vector<std::vector<FlatJointTracks>> clips;  // [clip][joint]
};

/// Writes each instance's palette, in the layout of sinew::evaluate_exact(). Evaluates the first layer only.
void evaluate_flat(const FlatModel& model, std::span<const Playback> playbacks, uint32_t palette_stride,
                   std::span<Matrix3x4> palettes);

}  // namespace sinew::bench
