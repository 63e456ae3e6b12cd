// A character that ozz-animation animates: its skeleton and clips as ozz takes them, and the palettes that Sinew skins
// with.
#pragma once

#include <ozz/animation/runtime/animation.h>
#include <ozz/animation/runtime/sampling_job.h>
#include <ozz/animation/runtime/skeleton.h>
#include <ozz/base/maths/simd_math.h>
#include <ozz/base/maths/soa_transform.h>
#include <ozz/base/memory/unique_ptr.h>

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/asset/character.h"

namespace example {

class OzzCharacter {
 public:
  /// `character` must outlive it. A host with files of ozz's own loads these instead.
  explicit OzzCharacter(const sinew::Character& character);

  uint32_t clip_count() const { return uint32_t(clips_.size()); }

  /// Samples a clip, `seconds` after its begin and in a loop, walks the hierarchy, and writes the palette: palette_size
  /// matrices model_from_mesh.
  void pose(uint32_t clip, double seconds, std::span<sinew::Matrix3x4> palette);

 private:
  const sinew::Character& character_;
  ozz::unique_ptr<ozz::animation::Skeleton> skeleton_;
  std::vector<ozz::unique_ptr<ozz::animation::Animation>> clips_;
  std::vector<int32_t> joint_of_;  // of each joint of ozz: that of the character
  // Of one pose:
  ozz::animation::SamplingJob::Context context_;
  std::vector<ozz::math::SoaTransform> local_;
  std::vector<ozz::math::Float4x4> models_;
  std::vector<sinew::Matrix3x4d> model_from_joint_;
};

}  // namespace example
