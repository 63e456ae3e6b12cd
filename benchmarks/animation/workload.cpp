#include "workload.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <variant>

#include "sinew/animation/pose.h"

namespace sinew::bench {
namespace {

constexpr float kDegree = std::numbers::pi_v<float> / 180;
constexpr float kMaxRotation = 40 * kDegree;
constexpr float kMaxRestRotation = 15 * kDegree;
constexpr float kMaxTranslation = 0.03f;  // meters
constexpr float kMaxScaleChange = 0.1f;
constexpr int kHarmonics = 3;

/// Random numbers in [-1, 1), equal with every standard library.
class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  float operator()() { return float(engine_()) / 2147483648.0f - 1; }
  Vec3 vector() {
    const float x = (*this)(), y = (*this)();
    return {x, y, (*this)()};
  }

 private:
  std::mt19937 engine_;
};

/// A smooth closed curve within the unit ball.
class Curve {
 public:
  explicit Curve(Random& random) {
    for (Vec3& phase : phases_) phase = random.vector();
  }

  /// The point at `clip_phase`, the fraction of the clip that has passed.
  Vec3 operator()(float clip_phase) const {
    Vec3 sum;
    for (int k = 0; k < kHarmonics; ++k) {
      const auto wave = [&](float phase) {
        return std::sin(((k + 1) * clip_phase * 2 + phase) * std::numbers::pi_v<float>);
      };
      sum = sum + Vec3{wave(phases_[k].x), wave(phases_[k].y), wave(phases_[k].z)} * kAmplitudes[k];
    }
    return sum * (1 / std::numbers::sqrt3_v<float>);
  }

 private:
  static constexpr float kAmplitudes[kHarmonics] = {0.6f, 0.3f, 0.1f};
  Vec3 phases_[kHarmonics];
};

/// The rotation about the axis `v` by the angle of its length, in radians.
Quat from_rotation_vector(Vec3 v) {
  const float angle = length(v), s = angle > 0 ? std::sin(angle / 2) / angle : 0;
  return {v.x * s, v.y * s, v.z * s, std::cos(angle / 2)};
}

/// Builds the skeleton in depth-first order, in meters. In the rest pose each joint is slightly rotated relative to its
/// parent, as in real rigs.
class SkeletonBuilder {
 public:
  int32_t add(const std::string& name, int32_t parent, Vec3 translation) {
    skeleton_.joint_names.push_back(name);
    skeleton_.parents.push_back(parent);
    skeleton_.rest_pose.push_back({translation, from_rotation_vector(random_.vector() * kMaxRestRotation), {1, 1, 1}});
    return int32_t(skeleton_.joint_count()) - 1;
  }

  Skeleton build() {
    const int32_t hips = add("mixamorig:Hips", kNoJoint, {0, 1, 0});
    int32_t spine = hips;
    for (const char* name : {"Spine", "Spine1", "Spine2"}) spine = add(prefixed(name), spine, {0, 0.13f, 0});
    const int32_t neck = add(prefixed("Neck"), spine, {0, 0.15f, 0});
    const int32_t head = add(prefixed("Head"), neck, {0, 0.1f, 0.02f});
    add(prefixed("LeftEye"), head, {0.03f, 0.1f, 0.1f});
    add(prefixed("RightEye"), head, {-0.03f, 0.1f, 0.1f});
    add(prefixed("HeadTop_End"), head, {0, 0.2f, 0});
    for (const float side : {1.0f, -1.0f}) add_arm(spine, side);
    for (const float side : {1.0f, -1.0f}) add_leg(hips, side);
    return std::move(skeleton_);
  }

 private:
  static std::string prefixed(const std::string& name) { return "mixamorig:" + name; }
  static std::string sided(float side, const std::string& name) {
    return prefixed((side > 0 ? "Left" : "Right") + name);
  }

  void add_arm(int32_t spine, float side) {
    const int32_t shoulder = add(sided(side, "Shoulder"), spine, {side * 0.06f, 0.1f, 0});
    const int32_t arm = add(sided(side, "Arm"), shoulder, {side * 0.13f, 0, 0});
    const int32_t fore_arm = add(sided(side, "ForeArm"), arm, {side * 0.28f, 0, 0});
    const int32_t hand = add(sided(side, "Hand"), fore_arm, {side * 0.26f, 0, 0});
    float spread = -0.04f;
    for (const char* finger : {"HandThumb", "HandIndex", "HandMiddle", "HandRing", "HandPinky"}) {
      int32_t parent = add(sided(side, finger + std::string("1")), hand, {side * 0.1f, 0, spread});
      for (const char* number : {"2", "3", "4"}) {
        parent = add(sided(side, finger + std::string(number)), parent, {side * 0.04f, 0, 0});
      }
      spread += 0.02f;
    }
  }

  void add_leg(int32_t hips, float side) {
    const int32_t thigh = add(sided(side, "UpLeg"), hips, {side * 0.1f, -0.06f, 0});
    const int32_t shin = add(sided(side, "Leg"), thigh, {0, -0.42f, 0});
    const int32_t foot = add(sided(side, "Foot"), shin, {0, -0.42f, 0});
    const int32_t toes = add(sided(side, "ToeBase"), foot, {0, -0.08f, 0.14f});
    add(sided(side, "Toe_End"), toes, {0, 0, 0.08f});
  }

  Skeleton skeleton_;
  Random random_{1};
};

Skin bind_at_rest(const Skeleton& skeleton) {
  std::vector<Matrix3x4d> joints(skeleton.joint_count());
  walk_hierarchy(skeleton, skeleton.rest_pose, joints);
  Skin skin;
  for (size_t j = 0; j < joints.size(); ++j) skin.entries.push_back({int32_t(j), inverse(joints[j])});
  return skin;
}

template <class Value, class ValueAt>
Track<Value> make_track(ValueAt value_at) {
  Track<Value> track;
  const int last = int(kClipSeconds * kKeysPerSecond);
  for (int key = 0; key <= last; ++key) {
    track.times_seconds.push_back(float(key) / kKeysPerSecond);
    track.values.push_back(value_at(float(key) / float(last)));
  }
  return track;
}

Clip make_clip(const Skeleton& skeleton, bool scales, uint32_t seed) {
  Random random(seed);
  Clip clip;
  clip.name = "clip " + std::to_string(seed);
  for (uint32_t j = 0; j < skeleton.joint_count(); ++j) {
    const Transform& rest = skeleton.rest_pose[j];
    const Curve translation(random), rotation(random), scale(random);
    JointTracks tracks;
    tracks.joint = j;
    tracks.translation =
        make_track<Vec3>([&](float phase) { return rest.translation + translation(phase) * kMaxTranslation; });
    tracks.rotation = make_track<Quat>(
        [&](float phase) { return normalize(rest.rotation * from_rotation_vector(rotation(phase) * kMaxRotation)); });
    if (scales)
      tracks.scale = make_track<Vec3>([&](float phase) { return Vec3{1, 1, 1} + scale(phase) * kMaxScaleChange; });
    clip.tracks.push_back(std::move(tracks));
  }
  set_time_range(clip);
  return clip;
}

}  // namespace

Character make_character(bool scales) {
  Character character;
  character.name = scales ? "scaling humanoid" : "rigid humanoid";
  character.skeleton = SkeletonBuilder().build();
  character.skin = bind_at_rest(character.skeleton);
  character.mesh.first_influence = {0};
  character.materials.emplace_back();
  for (uint32_t clip = 0; clip < kClipCount; ++clip) {
    character.clips.push_back(make_clip(character.skeleton, scales, clip + 1));
  }
  return character;
}

uint32_t depth_of(const Skeleton& skeleton) {
  std::vector<uint32_t> depth(skeleton.joint_count());
  uint32_t deepest = 0;
  for (uint32_t j = 0; j < depth.size(); ++j) {
    const int32_t parent = skeleton.parents[j];
    depth[j] = parent == kNoJoint ? 1 : depth[size_t(parent)] + 1;
    deepest = std::max(deepest, depth[j]);
  }
  return deepest;
}

std::vector<Playback> make_playbacks(uint32_t count, uint32_t layers) {
  std::vector<Playback> playbacks(count);
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t l = 0; l < layers; ++l) {
      Layer& layer = playbacks[i].layers[l];
      layer.clip = (i + l) % kClipCount;
      layer.weight = layers == 1 ? 1 : l == 0 ? 0.7f : 0.3f;
    }
  }
  uint32_t state = 1;
  seek_times(playbacks, layers, state);
  return playbacks;
}

std::vector<std::vector<float>> make_masks(const Skeleton& skeleton) {
  const uint32_t spine = find_joint(skeleton, "mixamorig:Spine").value();
  std::vector<float> lower(skeleton.joint_count(), 1), upper(skeleton.joint_count(), 0);
  for (uint32_t j = spine; j < skeleton.joint_count(); ++j) {
    if (j == spine) upper[j] = 0.5f;
    if (j > spine && upper[size_t(skeleton.parents[j])] > 0) upper[j] = 1;
    lower[j] = 1 - upper[j];
  }
  return {lower, upper};
}

std::vector<Playback> make_masked_playbacks(uint32_t count) {
  std::vector<Playback> playbacks = make_playbacks(count, 2);
  for (Playback& playback : playbacks) {
    for (uint32_t l = 0; l < 2; ++l) playback.layers[l].weight = 1, playback.layers[l].mask = l + 1;
  }
  return playbacks;
}

std::vector<ChainTarget> make_targets(const Character& character, std::span<const Chain> chains, uint32_t count,
                                      uint32_t every) {
  std::vector<Matrix3x4d> joints(character.skeleton.joint_count());
  walk_hierarchy(character.skeleton, character.skeleton.rest_pose, joints);
  Random random(1);
  std::vector<ChainTarget> targets;
  for (uint32_t i = 0; i < count; i += every) {
    for (uint32_t c = 0; c < chains.size(); ++c) {
      const auto* leg = std::get_if<TwoBoneChain>(&chains[c].kind);
      const Vec3 from = leg == nullptr ? Vec3{0, 1.6f, 2} : transform_point(joints[leg->end], {0, 0.1f, 0});
      targets.push_back({i, c, from + random.vector() * 0.1f, 1, Vec3{0, 1, 0} + random.vector() * 0.2f});
    }
  }
  return targets;
}

void advance_times(std::span<Playback> playbacks, uint32_t layers) {
  for (Playback& playback : playbacks) {
    for (uint32_t l = 0; l < layers; ++l) {
      float& time = playback.layers[l].time_seconds;
      time += kFrameSeconds;
      if (time >= kClipSeconds) time -= kClipSeconds;
    }
  }
}

void seek_times(std::span<Playback> playbacks, uint32_t layers, uint32_t& state) {
  for (Playback& playback : playbacks) {
    for (uint32_t l = 0; l < layers; ++l) {
      // Xorshift; source: Marsaglia, "Xorshift RNGs", 2003.
      state ^= state << 13, state ^= state >> 17, state ^= state << 5;
      playback.layers[l].time_seconds = float(state >> 8) * (kClipSeconds / 16777216);
    }
  }
}

}  // namespace sinew::bench
