#include "lanes/shape_order.h"

#include <algorithm>
#include <utility>

#include "asset/for_each.h"
#include "chain_targets.h"

namespace sinew::internal {
namespace {

constexpr uint32_t kMinPerPiece = 4096;
static_assert(Shape::kCount <= UINT8_MAX);

}  // namespace

bool is_played(const BakedCharacter& baked, const Layer& layer) {
  return layer.weight > 0 && layer.clip < baked.clips.size();
}

Shape shape_of(const BakedCharacter& baked, const Playback& playback) {
  Shape shape;
  for (const Layer& layer : playback.layers) {
    if (!is_played(baked, layer)) continue;
    const bool additive = baked.clips[layer.clip].additive;
    shape.added += additive;
    shape.blended += !additive;
    shape.masked = shape.masked || layer.mask != 0;
  }
  if (shape.blended == 0) shape.blended = 1;                   // the rest pose is a layer
  if (shape.blended + shape.added == 1) shape.masked = false;  // a mask has no effect on a single layer
  return shape;
}

/// Stable counting sort.
void ShapeOrder::sort(const BakedCharacter& baked, std::span<const Playback> instances,
                      std::span<const ChainTarget> targets, size_t max_per_task, const ParallelFor& parallel_for) {
  const uint32_t count = uint32_t(instances.size());
  const Pieces pieces(count, kMinPerPiece);
  shapes_.resize(count), order_.resize(count);
  places_.assign(pieces.count() * Shape::kCount, 0);
  for_each(parallel_for, pieces.count(), [&](uint32_t piece) {
    uint32_t* counts = places_.data() + piece * Shape::kCount;
    std::span<const ChainTarget> rest = targets_from(targets, pieces.begin(piece));
    for (uint32_t i = pieces.begin(piece); i < pieces.end(piece); ++i) {
      Shape shape = shape_of(baked, instances[i]);
      for (; !rest.empty() && rest[0].instance == i; rest = rest.subspan(1)) shape.targeted = true;
      shapes_[i] = uint8_t(shape.index());
      ++counts[shapes_[i]];
    }
  });
  tasks_.clear();
  uint32_t next = 0;
  for (size_t shape = 0; shape < Shape::kCount; ++shape) {
    const uint32_t first = next;
    for (uint32_t piece = 0; piece < pieces.count(); ++piece) {
      uint32_t& place = places_[piece * Shape::kCount + shape];
      next += std::exchange(place, next);
    }
    for (size_t begin = first; begin < next; begin += max_per_task)
      tasks_.push_back(std::span(order_).subspan(begin, std::min(max_per_task, next - begin)));
  }
  for_each(parallel_for, pieces.count(), [&](uint32_t piece) {
    uint32_t* places = places_.data() + piece * Shape::kCount;
    for (uint32_t i = pieces.begin(piece); i < pieces.end(piece); ++i) order_[places[shapes_[i]]++] = i;
  });
}

}  // namespace sinew::internal
