// What an instance plays and where it is, seen by the planner.
#pragma once

#include <algorithm>
#include <iterator>

#include "sinew/animation/evaluator.h"
#include "sinew/crowd/frame.h"

namespace sinew::crowd::internal {

/// The only layer with weight, if it has no mask; null where layers are blended or masked, or none has weight.
inline const Layer* lone_layer(const Playback& playback) {
  const Layer& only = playback.layers[0];
  const auto played = [](const Layer& layer) { return layer.weight > 0; };
  const bool blends = std::any_of(std::begin(playback.layers) + 1, std::end(playback.layers), played);
  return played(only) && !blends && only.mask == 0 ? &only : nullptr;
}

/// What an instance plays at a time; without a PlaybackSource always what it plays now.
inline Playback playback_at(const Instances& instances, uint32_t instance, double seconds) {
  const PlaybackSource& source = instances.playback_source;
  return source.at ? source.at(source.user_data, instance, seconds) : instances.playbacks[instance];
}

/// Where an instance is. `computed` holds what a TransformSource returns.
inline const Matrix3x4& transform_of(const Instances& instances, uint32_t instance, Matrix3x4& computed) {
  const TransformSource& source = instances.world_from_model_source;
  return source.at ? computed = source.at(source.user_data, instance) : instances.world_from_model[instance];
}

}  // namespace sinew::crowd::internal
