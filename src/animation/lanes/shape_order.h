// Orders instances by the kinds of their layers, those with targets of chains apart. All instances of a lane set have
// one shape, so that no lane does needless work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/animation/evaluator.h"
#include "sinew/asset/baked_character.h"
#include "sinew/asset/parallel.h"

namespace sinew::internal {

/// The kinds of an instance's layers, and whether it has targets.
struct Shape {
  uint32_t blended = 0, added = 0;
  bool masked = false, targeted = false;

  static constexpr size_t kCount = 4 * (kMaxLayers + 1) * (kMaxLayers + 1);
  size_t index() const { return ((targeted * 2u + masked) * (kMaxLayers + 1) + blended) * (kMaxLayers + 1) + added; }
};

/// A layer without a weight, or of a clip that does not exist, is not played.
bool is_played(const BakedCharacter& baked, const Layer& layer);

Shape shape_of(const BakedCharacter& baked, const Playback& playback);

class ShapeOrder {
 public:
  /// Sorts `instances` by shape, then by index. `targets` ascend by instance. Throws std::bad_alloc.
  void sort(const BakedCharacter& baked, std::span<const Playback> instances, std::span<const ChainTarget> targets,
            size_t max_per_task, const ParallelFor& parallel_for);

  /// Indices of instances of one shape, at most `max_per_task` in each task.
  std::span<const std::span<const uint32_t>> tasks() const { return tasks_; }

 private:
  std::vector<uint8_t> shapes_;   // of each instance
  std::vector<uint32_t> order_;   // all instances
  std::vector<uint32_t> places_;  // [piece][shape]: the number of instances, then where the next one goes in order_
  std::vector<std::span<const uint32_t>> tasks_;
};

}  // namespace sinew::internal
