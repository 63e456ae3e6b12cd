// A block of instances: those whose spheres are tested at once, and what the host was asked for them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "sinew/asset/math.h"
#include "sinew/crowd/frame.h"
#include "sphere_test.h"

namespace sinew::crowd::internal {

/// The targets from those of instance `i` on.
inline std::span<const ChainTarget> targets_from(const Instances& instances, uint32_t i) {
  const auto before = [](const ChainTarget& target, uint32_t instance) { return target.instance < instance; };
  return {std::lower_bound(instances.targets.begin(), instances.targets.end(), i, before), instances.targets.end()};
}

inline bool has_targets(const Instances& instances, uint32_t i) {
  const std::span<const ChainTarget> targets = targets_from(instances, i);
  return !targets.empty() && targets.front().instance == i;
}

/// Of `count` instances from `first` on: those with targets.
inline uint64_t with_targets(const Instances& instances, uint32_t first, uint32_t count) {
  uint64_t bits = 0;
  for (const ChainTarget& target : targets_from(instances, first)) {
    if (target.instance - first >= count) break;
    bits |= uint64_t{1} << (target.instance - first);
  }
  return bits;
}

/// Whether the pose of an instance is its own, and of every frame.
inline bool has_own_pose(const Instances& instances, uint32_t i) {
  return (!instances.host_posed.empty() && instances.host_posed[i] != 0) || has_targets(instances, i);
}

/// Instances whose spheres are tested at once, and what the host was asked for them.
struct Block {
  uint32_t first = 0, count = 0;
  bool has_spheres = false;  // otherwise they are those of the host, without margins
  uint64_t asked = 0;        // bits: whose transform is known
  std::array<Sphere, kSpheresAtOnce> spheres;
  std::array<Matrix3x4, kSpheresAtOnce> transforms;
};

/// Where an instance of a block is. Asks a TransformSource once.
inline const Matrix3x4& transform_of(const Instances& instances, Block& block, uint32_t instance) {
  if (!instances.world_from_model_source.at) return instances.world_from_model[instance];
  const uint32_t place = instance - block.first;
  const uint64_t bit = uint64_t{1} << place;
  if ((block.asked & bit) == 0) block.transforms[place] = instances.transform_of(instance);
  block.asked |= bit;
  return block.transforms[place];
}

inline Vec3 position_of(const Instances& instances, Block& block, uint32_t i) {
  if (!instances.positions.empty()) return instances.positions[i];
  const auto& m = transform_of(instances, block, i).m;
  return {m[0][3], m[1][3], m[2][3]};
}

}  // namespace sinew::crowd::internal
