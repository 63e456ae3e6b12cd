#include "baked_weights.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "asset/larger_error.h"
#include "clip_keys.h"
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
  /// Appends the weights of a clip at the lowest rate that meets max_error, else at the best rate of those tried.
  Status append(uint32_t index) {
    const Clip& clip = character_.clips[index];
    BakedWeights& weights = baked_.clip_weights.emplace_back();
    weights.first_target = uint32_t(baked_.weight_targets.size());
    weights.first_value = uint32_t(baked_.weight_values.size());
    for (const WeightTrack& track : clip.weights) baked_.weight_targets.push_back(track.target);
    weights.target_count = uint32_t(clip.weights.size());
    if (clip.weights.empty()) return {};

    const std::vector<uint32_t> tries = intervals_to_try(
        clip.duration_seconds(), baked_.options,
        [&](uint32_t first, uint32_t end) { return find_intervals_on_weight_keys(clip, first, end); },
        count_even_weight_intervals(clip));
    if (!fits(clip, tries[0])) {
      return Error{ErrorCode::kUnsupported, "bake: clip '" + clip.name + "' makes " +
                                                std::to_string(uint64_t(tries[0] + 1) * clip.weights.size()) +
                                                " morph weights or more, above a limit of all clips together"};
    }
    uint32_t best = tries[0];
    float best_error = INFINITY;
    for (size_t i = 0; i < tries.size() && best_error > baked_.options.max_error && fits(clip, tries[i]); ++i) {
      store(index, tries[i]);
      const float error = measure(index);
      if (error < best_error) best = tries[i], best_error = error;
    }
    if (!std::isfinite(best_error)) {
      return Error{ErrorCode::kUnsupported,
                   "bake: the morph weights of clip '" + clip.name + "' move vertices beyond what floats hold"};
    }
    store(index, best);
    baked_.clip_weights[index].error = best_error;
    return {};
  }

  bool fits(const Clip& clip, uint32_t intervals) const {
    const uint64_t stored = baked_.clip_weights.back().first_value;
    return intervals < kMaxBakedFrames && stored + uint64_t(intervals + 1) * clip.weights.size() <= kMaxBakedPoses;
  }

  /// The value of a track that is stored: its difference from the rest weight, or in an additive clip itself.
  float difference(const Clip& clip, const WeightTrack& track, double time_seconds) const {
    const float rest = clip.additive ? 0 : baked_.rest_weights[track.target];
    return sample_weight(track, float(time_seconds), rest) - rest;
  }

  void store(uint32_t index, uint32_t intervals) {
    const Clip& clip = character_.clips[index];
    BakedWeights& weights = baked_.clip_weights[index];
    const double duration = clip.duration_seconds();
    weights.frame_count = intervals + 1;
    weights.frames_per_second = duration > 0 ? intervals / duration : double(baked_.options.min_frames_per_second);
    baked_.weight_values.resize(weights.first_value);
    for (uint32_t frame = 0; frame <= intervals; ++frame) {
      const double time = frame < intervals ? time_of(clip, weights, frame) : double(clip.end_seconds);
      for (const WeightTrack& track : clip.weights) baked_.weight_values.push_back(difference(clip, track, time));
    }
  }

  static double time_of(const Clip& clip, const BakedWeights& weights, double frame) {
    return clip.start_seconds + frame / weights.frames_per_second;
  }

  /// The error as BakedWeights has it. Intervals with a discontinuity are not measured.
  float measure(uint32_t index) const {
    const Clip& clip = character_.clips[index];
    const BakedWeights& weights = baked_.clip_weights[index];
    const std::vector<float> jumps = find_weight_discontinuities(clip);
    double largest = 0;
    for (uint32_t frame = 0; frame + 1 < weights.frame_count; ++frame) {
      const auto jump = std::upper_bound(jumps.begin(), jumps.end(), float(time_of(clip, weights, frame)));
      if (jump != jumps.end() && *jump <= float(time_of(clip, weights, frame + 1))) continue;
      for (int i = 0; i <= kWeightSamplesPerFrame; ++i) {
        const double time = time_of(clip, weights, frame + double(i) / kWeightSamplesPerFrame);
        largest = larger_error(largest, error_at(index, std::min(float(time), clip.end_seconds)));
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
  const double last = weights.frame_count - 1;
  double position = (double(time_seconds) - baked.clips[clip].start_seconds) * weights.frames_per_second;
  position = position > 0 ? (position < last ? position : last) : 0;
  const uint32_t frame = std::min(uint32_t(position), weights.frame_count - 2);
  const auto values = std::span(baked.weight_values).subspan(weights.first_value);
  return {values.subspan(size_t(frame) * weights.target_count, weights.target_count),
          values.subspan(size_t(frame + 1) * weights.target_count, weights.target_count), float(position - frame)};
}

}  // namespace sinew::internal
