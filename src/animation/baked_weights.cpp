#include "baked_weights.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "asset/larger_error.h"
#include "baked_sample.h"
#include "clip_keys.h"
#include "sinew/animation/bake.h"
#include "sinew/animation/pose.h"

namespace sinew::internal {
namespace {

constexpr int kWeightSamplesPerFrame = 8;
constexpr double kBetweenWeightSamples = 1.4;  // errors between samples, as for joints

/// How far each morph target moves a vertex at weight 1, at most: in meters, in the rest pose.
std::vector<double> target_sizes(const Character& character, double units_per_meter) {
  std::vector<Matrix3x4d> model_from_joint(character.skeleton.joint_count());
  walk_hierarchy(character.skeleton, character.skeleton.rest_pose, model_from_joint);
  std::vector<Matrix3x4> palette(character.skin.palette_size());
  build_palette(character.skin, model_from_joint, palette);
  const Mesh& mesh = character.mesh;
  const auto moved = [&](uint32_t vertex, Vec3 difference) {
    Vec3 sum;
    for (const Influence influence : mesh.influences_of(vertex)) {
      Matrix3x4 direction = palette[influence.entry];
      for (auto& row : direction.m) row[3] = 0;
      sum = sum + transform_point(direction, difference) * influence.weight;
    }
    return double(length(sum));
  };
  std::vector<double> sizes;
  for (const MorphTarget& target : mesh.targets) {
    double largest = 0;
    for (size_t i = 0; i < target.vertices.size(); ++i) {
      largest = larger_error(largest, moved(target.vertices[i], target.positions[i]));
    }
    sizes.push_back(largest / units_per_meter);
  }
  return sizes;
}

class WeightBaker {
 public:
  WeightBaker(const Character& character, double units_per_meter, BakedCharacter& baked)
      : character_(character), baked_(baked), sizes_(target_sizes(character, units_per_meter)) {}

  Status bake() {
    for (const MorphTarget& target : character_.mesh.targets) baked_.rest_weights.push_back(target.rest_weight);
    for (uint32_t clip = 0; clip < character_.clips.size(); ++clip) {
      if (Status status = append(clip); !status) return status;
    }
    return {};
  }

 private:
  /// Appends the weights of a clip with the first frames that meet max_error, else with the best of those tried.
  Status append(uint32_t index) {
    const Clip& clip = character_.clips[index];
    BakedWeights& weights = baked_.clip_weights.emplace_back();
    weights.first_target = uint32_t(baked_.weight_targets.size());
    weights.first_value = uint32_t(baked_.weight_values.size());
    for (const WeightTrack& track : clip.weights) baked_.weight_targets.push_back(track.target);
    weights.target_count = uint32_t(clip.weights.size());
    if (clip.weights.empty()) return {};

    const FramesToTry tries = frames_to_try(clip, Tracks::kWeights, baked_.options);
    const std::vector<BakedTimes>& steps = tries.at_equal_steps;
    if (!fits(clip, steps[0])) {
      return Error{ErrorCode::kUnsupported, "bake: clip '" + clip.name + "' makes " +
                                                std::to_string(uint64_t(steps[0].frame_count) * clip.weights.size()) +
                                                " morph weights or more, above a limit of all clips together"};
    }
    BakedTimes best;
    float best_error = INFINITY;
    const auto replace_if_better = [&](const BakedTimes& times) {
      if (times.frame_count == 0 || !fits(clip, times)) return;
      store(index, times);
      const float error = measure(index);
      if (error < best_error) best = times, best_error = error;
    };
    for (size_t i = 0; i < steps.size() && best_error > baked_.options.max_error; ++i) replace_if_better(steps[i]);
    if (best_error > baked_.options.max_error) replace_if_better(tries.at_keys);
    if (!std::isfinite(best_error)) {
      return Error{ErrorCode::kUnsupported,
                   "bake: the morph weights of clip '" + clip.name + "' move vertices beyond what floats hold"};
    }
    store(index, best);
    baked_.clip_weights[index].error = best_error;
    return {};
  }

  bool fits(const Clip& clip, const BakedTimes& times) const {
    const uint64_t stored = baked_.clip_weights.back().first_value, frames = times.frame_count;
    return frames <= kMaxBakedFrames && stored + frames * clip.weights.size() <= kMaxBakedPoses;
  }

  /// The value of a track that is stored: its difference from the rest weight, or in an additive clip itself.
  float difference(const Clip& clip, const WeightTrack& track, float time_seconds) const {
    const float rest = clip.additive ? 0 : baked_.rest_weights[track.target];
    return sample_weight(track, time_seconds, rest) - rest;
  }

  void store(uint32_t index, const BakedTimes& times) {
    const Clip& clip = character_.clips[index];
    BakedWeights& weights = baked_.clip_weights[index];
    weights.times = times;
    baked_.weight_values.resize(weights.first_value);
    for (uint32_t frame = 0; frame < times.frame_count; ++frame) {
      const float time = sample_time_of(times, clip, frame);
      for (const WeightTrack& track : clip.weights) baked_.weight_values.push_back(difference(clip, track, time));
    }
  }

  /// The error as BakedWeights has it.
  float measure(uint32_t index) const {
    const Clip& clip = character_.clips[index];
    const BakedTimes& times = baked_.clip_weights[index].times;
    double largest = 0;
    for (uint32_t frame = 0; frame + 1 < times.frame_count; ++frame) {
      largest = larger_error(largest, error_at(index, sample_time_of(times, clip, frame)));
      for (int i = 0; i <= kWeightSamplesPerFrame; ++i) {
        const auto time = float(time_of(times, clip, frame, double(i) / kWeightSamplesPerFrame));
        largest = larger_error(largest, error_at(index, std::min(time, clip.end_seconds)));
      }
    }
    return float(largest * kBetweenWeightSamples);
  }

  /// How far a vertex is off at a time, at most: the sum over all targets, as if one vertex were moved by all.
  double error_at(uint32_t index, float time_seconds) const {
    const Clip& clip = character_.clips[index];
    const WeightFrames frames = weight_frames(baked_, index, time_seconds);
    double sum = 0;
    for (size_t i = 0; i < clip.weights.size(); ++i) {
      const double exact = difference(clip, clip.weights[i], time_seconds);
      sum += std::abs(frames.at(i) - exact) * sizes_[clip.weights[i].target];
    }
    return sum;
  }

  const Character& character_;
  BakedCharacter& baked_;
  std::vector<double> sizes_;
};

}  // namespace

Status bake_weights(const Character& character, double units_per_meter, BakedCharacter& baked) {
  if (character.mesh.targets.empty()) return {};
  return WeightBaker(character, units_per_meter, baked).bake();
}

WeightFrames weight_frames(const BakedCharacter& baked, uint32_t clip, float time_seconds) {
  const BakedWeights& weights = baked.clip_weights[clip];
  const FrameShare at = find_frame(weights.times, baked.clips[clip].start_seconds, time_seconds);
  const auto values = std::span(baked.weight_values).subspan(weights.first_value);
  return {values.subspan(size_t(at.frame) * weights.target_count, weights.target_count),
          values.subspan(size_t(at.frame + 1) * weights.target_count, weights.target_count), float(at.share)};
}

}  // namespace sinew::internal
