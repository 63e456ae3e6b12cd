#include "sinew/animation/weights.h"

#include <algorithm>
#include <limits>
#include <string>

#include "asset/exceptions.h"
#include "asset/for_each.h"
#include "baked_weights.h"

namespace sinew {

using namespace internal;
namespace {

constexpr uint32_t kMinInstancesPerTask = 64;
constexpr size_t kBlock = 256;  // targets that are summed at once: outputs are written once and never read

Status check_room(size_t instances, size_t targets, uint32_t stride, size_t room) {
  if (stride < targets) {
    return Error{ErrorCode::kInvalidArgument,
                 std::to_string(targets) + " morph weights do not fit a stride of " + std::to_string(stride)};
  }
  const size_t needed = instances == 0 ? 0 : (instances - 1) * stride + targets;
  if (room >= needed) return {};
  return Error{ErrorCode::kInvalidArgument, "weights: there is room for " + std::to_string(room) + ", and " +
                                                std::to_string(instances) + " instances need " +
                                                std::to_string(needed)};
}

bool is_on(const Layer& layer, size_t clips) { return layer.weight > 0 && layer.clip < clips; }

/// Infinity is the largest float, so that a mean of such layers is one.
double finite_weight(const Layer& layer) { return std::min(layer.weight, std::numeric_limits<float>::max()); }

/// The share of each layer in the result. Additive layers have their weight, at most 1; the shares of the others add
/// to 1.
struct Shares {
  float of[kMaxLayers] = {};

  template <class Clips>
  Shares(const Playback& playback, const Clips& clips) {
    double sum = 0;
    for (const Layer& layer : playback.layers) {
      if (is_on(layer, clips.size()) && !clips[layer.clip].additive) sum += finite_weight(layer);
    }
    for (size_t i = 0; i < kMaxLayers; ++i) {
      const Layer& layer = playback.layers[i];
      if (!is_on(layer, clips.size())) continue;
      of[i] = clips[layer.clip].additive ? std::min(layer.weight, 1.0f) : float(finite_weight(layer) / sum);
    }
  }
};

/// The track of a target, or null.
const WeightTrack* find_track(const Clip& clip, uint32_t target) {
  const auto before = [](const WeightTrack& track, uint32_t wanted) { return track.target < wanted; };
  const auto track = std::lower_bound(clip.weights.begin(), clip.weights.end(), target, before);
  return track != clip.weights.end() && track->target == target ? &*track : nullptr;
}

float exact_weight(const Character& character, const Playback& playback, const Shares& shares, uint32_t target) {
  const float rest = character.mesh.targets[target].rest_weight;
  float weight = rest;
  for (size_t i = 0; i < kMaxLayers; ++i) {
    if (shares.of[i] == 0) continue;
    const Clip& clip = character.clips[playback.layers[i].clip];
    const float base = clip.additive ? 0 : rest;
    const WeightTrack* track = find_track(clip, target);
    if (track == nullptr) continue;
    weight += shares.of[i] * (sample_weight(*track, playback.layers[i].time_seconds, base) - base);
  }
  return weight;
}

/// Adds a layer's share to the targets [begin, begin + kBlock) of `sums`.
void add_layer(const BakedCharacter& baked, const Layer& layer, float share, size_t begin, float (&sums)[kBlock]) {
  const BakedWeights& weights = baked.clip_weights[layer.clip];
  if (weights.target_count == 0) return;
  const auto targets = std::span(baked.weight_targets).subspan(weights.first_target, weights.target_count);
  const WeightFrames frames = weight_frames(baked, layer.clip, layer.time_seconds);
  size_t i = size_t(std::lower_bound(targets.begin(), targets.end(), begin) - targets.begin());
  for (; i < targets.size() && targets[i] < begin + kBlock; ++i) sums[targets[i] - begin] += share * frames.at(i);
}

void evaluate_instance(const BakedCharacter& baked, const Playback& playback, std::span<float> weights) {
  const Shares shares(playback, baked.clips);
  for (size_t begin = 0; begin < weights.size(); begin += kBlock) {
    const size_t count = std::min(kBlock, weights.size() - begin);
    float sums[kBlock];
    std::copy_n(baked.rest_weights.begin() + ptrdiff_t(begin), count, sums);
    for (size_t layer = 0; layer < kMaxLayers; ++layer) {
      if (shares.of[layer] != 0) add_layer(baked, playback.layers[layer], shares.of[layer], begin, sums);
    }
    std::copy_n(sums, count, weights.begin() + ptrdiff_t(begin));
  }
}

}  // namespace

Status evaluate_weights_exact(const Character& character, std::span<const Playback> instances, uint32_t weight_stride,
                              std::span<float> weights) SINEW_TRY {
  const uint32_t targets = character.mesh.target_count();
  if (Status fits = check_room(instances.size(), targets, weight_stride, weights.size()); !fits) return fits;
  for (size_t i = 0; i < instances.size(); ++i) {
    const Shares shares(instances[i], character.clips);
    for (uint32_t t = 0; t < targets; ++t) {
      weights[i * weight_stride + t] = exact_weight(character, instances[i], shares, t);
    }
  }
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status evaluate_weights(const BakedCharacter& baked, std::span<const Playback> instances, uint32_t weight_stride,
                        std::span<float> weights, const ParallelFor& parallel_for) SINEW_TRY {
  const uint32_t targets = baked.target_count();
  if (Status fits = check_room(instances.size(), targets, weight_stride, weights.size()); !fits) return fits;
  if (targets == 0) return {};
  const Pieces pieces(uint32_t(instances.size()), kMinInstancesPerTask);
  for_each(parallel_for, pieces.count(), [&](uint32_t piece) {
    for (size_t i = pieces.begin(piece); i < pieces.end(piece); ++i) {
      evaluate_instance(baked, instances[i], weights.subspan(i * weight_stride, targets));
    }
  });
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
