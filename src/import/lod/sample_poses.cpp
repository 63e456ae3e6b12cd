#include "lod/sample_poses.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/animation/pose.h"
#include "sinew/animation/weights.h"
#include "sinew/asset/cpu_skin.h"

namespace sinew::internal {
namespace {

constexpr size_t kClipSamples = 192;  // of all clips together, but for the limits below
constexpr size_t kMinPerClip = 3, kMaxPerClip = 24;
constexpr size_t kBlends = 64;
constexpr size_t kMaxMovedVertices = 6'000'000;  // in all poses
constexpr size_t kMinSamples = 8;

/// The same numbers on every machine. Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators".
class Random {
 public:
  float unit() { return float(next() >> 40) / float(1 << 24); }
  uint32_t below(size_t count) { return uint32_t(next() % count); }

 private:
  uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    uint64_t value = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
  }
  uint64_t state_ = 1;
};

float time_at(const Clip& clip, float share) { return clip.start_seconds + share * clip.duration_seconds(); }

std::vector<uint32_t> clips_of(const Character& character, bool additive) {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < character.clips.size(); ++i) {
    if (character.clips[i].additive == additive) found.push_back(i);
  }
  return found;
}

Layer random_layer(const Character& character, std::span<const uint32_t> clips, size_t mask_count, Random& random) {
  const uint32_t clip = clips[random.below(clips.size())];
  const float time = time_at(character.clips[clip], random.unit());
  return {clip, time, 0.05f + random.unit(), mask_count > 0 && random.unit() < 0.5f ? 1 + random.below(mask_count) : 0};
}

}  // namespace

void SamplePoses::choose_playbacks(const Character& character, std::span<const NamedMask> masks) {
  const std::vector<uint32_t> blended = clips_of(character, false), added = clips_of(character, true);
  playbacks_.assign(1, {});
  const size_t clips = std::max<size_t>(character.clips.size(), 1);
  const size_t per_clip = std::clamp(kClipSamples / clips, kMinPerClip, kMaxPerClip);
  for (uint32_t i = 0; i < character.clips.size(); ++i) {
    const Clip& clip = character.clips[i];
    const size_t samples = clip.duration_seconds() > 0 ? per_clip : 1;
    for (size_t s = 0; s < samples; ++s)
      playbacks_.push_back({{{i, time_at(clip, (float(s) + 0.5f) / float(samples)), 1}}});
  }
  Random random;
  for (size_t i = 0; i < kBlends && character.clips.size() > 1; ++i) {
    Playback& playback = playbacks_.emplace_back();
    size_t layers = 0;
    if (!blended.empty()) playback.layers[layers++] = random_layer(character, blended, 0, random);
    if (!blended.empty()) playback.layers[layers++] = random_layer(character, blended, masks.size(), random);
    if (!added.empty()) playback.layers[layers++] = random_layer(character, added, masks.size(), random);
  }
  const size_t most = std::max(kMaxMovedVertices / std::max<size_t>(vertex_count_, 1), kMinSamples);
  const size_t stride = (playbacks_.size() + most - 1) / most;
  for (size_t i = 0; i * stride < playbacks_.size(); ++i) playbacks_[i] = playbacks_[i * stride];
  playbacks_.resize((playbacks_.size() + stride - 1) / stride);
}

Status SamplePoses::evaluate(const Character& character, std::span<const NamedMask> masks) {
  std::vector<std::vector<float>> factors;
  for (const NamedMask& mask : masks) factors.push_back(mask.factors);
  std::vector<Matrix3x4> palette(character.skin.palette_size());
  std::vector<Vec3> normals(vertex_count_);
  EvaluationScratch scratch;
  positions_.resize(count() * vertex_count_), weights_.resize(count() * target_count_);
  for (uint32_t pose = 0; pose < count(); ++pose) {
    const std::span<const Playback> playback(&playbacks_[pose], 1);
    const uint32_t entries = uint32_t(palette.size()), targets = uint32_t(target_count_);
    if (Status status = evaluate_exact(character, playback, entries, palette, scratch, factors); !status) return status;
    const auto weights = std::span(weights_).subspan(pose * target_count_, target_count_);
    if (Status status = evaluate_weights_exact(character, playback, targets, weights); !status) return status;
    joints_.insert(joints_.end(), scratch.model_from_joint.begin(), scratch.model_from_joint.end());
    skin_on_cpu(character.mesh, palette, std::span(positions_).subspan(pose * vertex_count_, vertex_count_), normals,
                {}, weights);
  }
  return {};
}

Result<SamplePoses> SamplePoses::make(const Character& character, std::span<const NamedMask> masks) {
  SamplePoses poses;
  poses.joint_count_ = character.skeleton.joint_count();
  poses.vertex_count_ = character.mesh.vertex_count(), poses.target_count_ = character.mesh.target_count();
  poses.choose_playbacks(character, masks);
  if (Status status = poses.evaluate(character, masks); !status) return status.error();
  return poses;
}

/// Of each joint: where its parent's axes lie in its own, which is what a joint bends.
std::vector<uint32_t> SamplePoses::most_different(const Skeleton& skeleton, size_t max_count) const {
  const auto axis = [](const Matrix3x4d& m, int c) {
    return normalize(Vec3{float(m.m[0][c]), float(m.m[1][c]), float(m.m[2][c])}, {});
  };
  const auto bend = [&](uint32_t a, uint32_t b) {
    float widest = 0;
    for (uint32_t joint = 0; joint < joint_count_; ++joint) {
      if (skeleton.parents[joint] < 0) continue;
      const size_t parent = size_t(skeleton.parents[joint]);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          const float in_a = dot(axis(joints(a)[joint], i), axis(joints(a)[parent], j));
          const float in_b = dot(axis(joints(b)[joint], i), axis(joints(b)[parent], j));
          widest = std::max(widest, std::abs(in_a - in_b));
        }
      }
    }
    return widest;
  };
  std::vector<uint32_t> chosen{kRest};
  std::vector<float> nearest(count(), INFINITY);
  while (chosen.size() < std::min<size_t>(max_count, count())) {
    for (uint32_t pose = 0; pose < count(); ++pose) nearest[pose] = std::min(nearest[pose], bend(pose, chosen.back()));
    const auto farthest = std::max_element(nearest.begin(), nearest.end());
    if (*farthest <= 0) break;
    chosen.push_back(uint32_t(farthest - nearest.begin()));
  }
  return chosen;
}

std::vector<Matrix3x4> SamplePoses::palette(const Skin& skin, uint32_t pose) const {
  std::vector<Matrix3x4> palette(skin.palette_size());
  build_palette(skin, joints(pose), palette);
  return palette;
}

}  // namespace sinew::internal
