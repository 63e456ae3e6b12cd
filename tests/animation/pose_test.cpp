// Every stage from clip to palette, against slow ones in double precision that share no code with them: clips are
// searched key by key, curves are those of Bezier, rotations turn the axes one by one.
#include "sinew/animation/pose.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "lanes/lane_code.h"
#include "message.h"
#include "rig.h"

namespace sinew {
namespace {

using internal::available_lane_code;
using internal::LaneCode;

template <size_t kSize>
using Row = std::array<double, kSize>;

Row<3> row_of(Vec3 v) { return {v.x, v.y, v.z}; }
Row<4> row_of(Quat q) { return {q.x, q.y, q.z, q.w}; }

template <size_t kSize>
Row<kSize> mixed(const Row<kSize>& a, double share_a, const Row<kSize>& b, double share_b) {
  Row<kSize> sum;
  for (size_t i = 0; i < kSize; ++i) sum[i] = a[i] * share_a + b[i] * share_b;
  return sum;
}

template <size_t kSize>
double product(const Row<kSize>& a, const Row<kSize>& b) {
  double sum = 0;
  for (size_t i = 0; i < kSize; ++i) sum += a[i] * b[i];
  return sum;
}

Row<4> unit(const Row<4>& q) { return mixed(q, 1 / std::sqrt(product(q, q)), q, 0); }
Row<4> unit_if_rotation(const Row<4>& q) { return unit(q); }
Row<3> unit_if_rotation(const Row<3>& v) { return v; }

Row<4> after(const Row<4>& a, const Row<4>& b) {
  return {a[3] * b[0] + b[3] * a[0] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] + b[3] * a[1] + a[2] * b[0] - a[0] * b[2],
          a[3] * b[2] + b[3] * a[2] + a[0] * b[1] - a[1] * b[0], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

/// A share of the rotation from `a` to `b`, about its axis.
Row<4> between(const Row<4>& a, const Row<4>& b, double share, RotationBlend blend) {
  const double sign = product(a, b) < 0 ? -1 : 1;
  if (blend == RotationBlend::kNlerp) return unit(mixed(a, 1 - share, b, sign * share));
  const Row<4> turn = after({-a[0], -a[1], -a[2], a[3]}, mixed(b, sign, b, 0));
  const double sine = std::hypot(turn[0], turn[1], turn[2]), angle = std::atan2(sine, turn[3]) * share;
  const double s = sine > 0 ? std::sin(angle) / sine : 0;
  return after(a, {turn[0] * s, turn[1] * s, turn[2] * s, std::cos(angle)});
}
Row<3> between(const Row<3>& a, const Row<3>& b, double share, RotationBlend) { return mixed(a, 1 - share, b, share); }

/// On the Bezier curve of these points.
template <size_t kSize>
Row<kSize> on_curve(std::vector<Row<kSize>> points, double share) {
  for (; points.size() > 1; points.pop_back()) {
    for (size_t i = 0; i + 1 < points.size(); ++i) points[i] = mixed(points[i], 1 - share, points[i + 1], share);
  }
  return points[0];
}

template <class Value, size_t kSize>
Row<kSize> slow_sample(const Track<Value>& track, float time, RotationBlend blend, const Row<kSize>& otherwise) {
  const std::vector<float>& times = track.times_seconds;
  if (times.empty()) return otherwise;
  const bool is_cubic = track.interpolation == Interpolation::kCubic;
  const auto value = [&](size_t key, size_t part) { return row_of(track.values[is_cubic ? key * 3 + part : key]); };
  size_t next = 0;
  while (next < times.size() && times[next] <= time) ++next;
  if (next == 0) return value(0, 1);
  const size_t key = next - 1;
  if (next == times.size() || track.interpolation == Interpolation::kStep) return value(key, 1);
  const double duration = double(times[next]) - double(times[key]);
  const double share = (double(time) - double(times[key])) / duration;
  if (!is_cubic) return between(value(key, 1), value(next, 1), share, blend);
  const Row<kSize> first = value(key, 1), last = value(next, 1);
  return unit_if_rotation(on_curve<kSize>(
      {first, mixed(first, 1, value(key, 2), duration / 3), mixed(last, 1, value(next, 0), -duration / 3), last},
      share));
}

struct SlowLocal {
  Row<3> translation{};
  Row<4> rotation{0, 0, 0, 1};
  Row<3> scale{1, 1, 1};
};
using SlowPose = std::vector<SlowLocal>;

SlowPose slow_rest(const Skeleton& skeleton) {
  SlowPose rest;
  for (const Transform& local : skeleton.rest_pose)
    rest.push_back({row_of(local.translation), row_of(local.rotation), row_of(local.scale)});
  return rest;
}

SlowPose slow_sample(const Clip& clip, const Skeleton& skeleton, float time,
                     RotationBlend blend = RotationBlend::kSlerp) {
  SlowPose pose = clip.additive ? SlowPose(skeleton.joint_count()) : slow_rest(skeleton);
  for (const JointTracks& tracks : clip.tracks) {
    SlowLocal& local = pose[tracks.joint];
    local = {slow_sample(tracks.translation, time, blend, local.translation),
             slow_sample(tracks.rotation, time, blend, local.rotation),
             slow_sample(tracks.scale, time, blend, local.scale)};
  }
  return pose;
}

/// A layer that counts: its pose, and its weight for each joint.
struct SlowLayered {
  SlowPose pose;
  std::vector<double> weights;
};

SlowLocal slow_blend(const std::vector<SlowLayered>& layers, size_t joint, const SlowLocal& rest) {
  SlowLocal sum{{}, {}, {}};
  double weights = 0;
  const SlowLocal* first = nullptr;
  for (const SlowLayered& layer : layers) {
    const double weight = layer.weights[joint];
    if (!(weight > 0)) continue;
    const SlowLocal& own = layer.pose[joint];
    if (first == nullptr) first = &own;
    const double sign = product(first->rotation, own.rotation) < 0 ? -1 : 1;
    sum = {mixed(sum.translation, 1, own.translation, weight), mixed(sum.rotation, 1, own.rotation, sign * weight),
           mixed(sum.scale, 1, own.scale, weight)};
    weights += weight;
  }
  if (first == nullptr) return layers.empty() ? rest : layers[0].pose[joint];
  return {mixed(sum.translation, 1 / weights, {}, 0), unit(sum.rotation), mixed(sum.scale, 1 / weights, {}, 0)};
}

void slow_add(const SlowLocal& difference, double weight, SlowLocal& to) {
  const double sign = difference.rotation[3] < 0 ? -1 : 1;
  to.translation = mixed(to.translation, 1, difference.translation, weight);
  to.rotation = after(to.rotation, unit(mixed({0, 0, 0, 1}, 1 - weight, difference.rotation, sign * weight)));
  for (size_t i = 0; i < 3; ++i) to.scale[i] *= 1 + weight * (difference.scale[i] - 1);
}

using Masks = std::vector<std::vector<float>>;

SlowPose slow_pose(const Character& character, const Playback& playback, const Masks& masks) {
  const uint32_t joints = character.skeleton.joint_count();
  std::vector<SlowLayered> blended, added;
  const auto is_infinite = [&](const Layer& l) {
    return l.weight > 3.4e38f && l.clip < character.clips.size() && !character.clips[l.clip].additive;
  };
  const bool any_infinite = std::ranges::any_of(playback.layers, is_infinite);
  for (const Layer& layer : playback.layers) {
    if (!(layer.weight > 0) || layer.clip >= character.clips.size()) continue;
    if (any_infinite && !is_infinite(layer) && !character.clips[layer.clip].additive) continue;  // nothing beside it
    const Clip& clip = character.clips[layer.clip];
    SlowLayered own{slow_sample(clip, character.skeleton, layer.time_seconds), {}};
    const bool masked = layer.mask > 0 && layer.mask <= masks.size();
    for (uint32_t joint = 0; joint < joints; ++joint) {
      const double all = clip.additive ? std::min(double(layer.weight), 1.0) : any_infinite ? 1 : double(layer.weight);
      own.weights.push_back(all * (masked ? double(masks[layer.mask - 1][joint]) : 1));
    }
    (clip.additive ? added : blended).push_back(std::move(own));
  }
  SlowPose pose = slow_rest(character.skeleton);
  for (uint32_t joint = 0; joint < joints; ++joint) {
    pose[joint] = slow_blend(blended, joint, pose[joint]);
    for (const SlowLayered& layer : added)
      slow_add(layer.pose[joint], std::min(layer.weights[joint], 1.0), pose[joint]);
  }
  return pose;
}

/// A point of a joint's space in that of its model: through every joint above.
Row<3> slow_model_from_joint(const Character& character, const SlowPose& pose, int32_t joint, Row<3> p) {
  for (; joint != kNoJoint; joint = character.skeleton.parents[size_t(joint)]) {
    const SlowLocal& local = pose[size_t(joint)];
    const Row<4>& q = local.rotation;
    const Row<4> scaled{p[0] * local.scale[0], p[1] * local.scale[1], p[2] * local.scale[2], 0};
    const Row<4> turned = after(after(q, scaled), {-q[0], -q[1], -q[2], q[3]});
    p = mixed({turned[0], turned[1], turned[2]}, 1, local.translation, 1);
  }
  const auto& m = character.skeleton.model_from_root.m;
  const auto row = [&](int r) { return m[r][0] * p[0] + m[r][1] * p[1] + m[r][2] * p[2] + m[r][3]; };
  return {row(0), row(1), row(2)};
}

/// The largest distance between a palette and the slow pose, of points near the joints.
double off_by(const Character& character, const SlowPose& pose, std::span<const Matrix3x4> palette) {
  double largest = 0;
  for (size_t e = 0; e < palette.size(); ++e) {
    const PaletteEntry& entry = character.skin.entries[e];
    for (const Row<3>& in_mesh : {Row<3>{0, 0, 0}, Row<3>{0.3, 0, 0}, Row<3>{0, 0.3, 0}, Row<3>{0, 0, 0.3}}) {
      const auto by = [&](const auto& m) {
        const auto row = [&](int r) {
          return double(m[r][0]) * in_mesh[0] + double(m[r][1]) * in_mesh[1] + double(m[r][2]) * in_mesh[2] +
                 double(m[r][3]);
        };
        return Row<3>{row(0), row(1), row(2)};
      };
      Row<3> wanted = by(entry.joint_from_mesh.m);
      if (entry.joint != kNoJoint) wanted = slow_model_from_joint(character, pose, entry.joint, wanted);
      const Row<3> off = mixed(by(palette[e].m), 1, wanted, -1);
      largest = test::larger(largest, std::hypot(off[0], off[1], off[2]));
    }
  }
  return largest;
}

/// Rigs whose clips have keys of every kind, or one key of each track: then they are baked without an error.
class RandomClips {
 public:
  RandomClips(uint32_t seed, bool constant) : random_(seed), constant_(constant) {
    const auto scaling = test::Scaling(seed % 3);
    character_ = test::random_rig({.joints = 2 + seed % 9, .clips = 0, .scaling = scaling, .seed = seed});
    character_.skeleton.parents.back() = kNoJoint;  // a second root
    for (uint32_t i = 0; i < 5; ++i) add_clip(i > 2, scaling);
    auto& entries = character_.skin.entries;
    entries.insert(entries.begin() + 1, {0, to_matrix({vector(0.2f), rotation(), {1, 1, 1}})});  // joint 0 has two
    entries.insert(entries.begin(), {kNoJoint, to_matrix({vector(1), rotation(), {1, 1, 1}})});
    for (std::vector<float>& mask : masks_) {
      mask.resize(character_.skeleton.joint_count());
      for (float& factor : mask) factor = below(3) == 0 ? 0 : between(0, 2);
    }
  }

  const Character& character() const { return character_; }
  const Masks& masks() const { return masks_; }

  /// Times, weights, clips and masks that there are, and others.
  std::vector<Playback> playbacks(size_t count) {
    std::vector<Playback> made(count);
    for (Playback& playback : made) {
      const float all = below(5) == 0 ? 1e-30f : 1;  // only shares count
      for (Layer& layer : playback.layers) {
        const float odd[] = {0, 0, -1, NAN, INFINITY};
        layer = {below(6), time(), below(3) == 0 ? odd[below(5)] : all * between(0.1f, 2), below(4)};
        if (layer.weight > 2) layer.mask = 0;  // endless weights of masked joints are whatever they are
      }
    }
    return made;
  }

  float time() {
    const auto& times = times_[below(uint32_t(times_.size()))];
    return below(3) == 0 ? times[below(uint32_t(times.size()))] : between(-0.3f, 1.3f);
  }

 private:
  uint32_t below(uint32_t end) { return random_() % end; }
  float between(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
  Vec3 vector(float size) { return {between(-size, size), between(-size, size), between(-size, size)}; }
  Quat any() { return {between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)}; }
  Quat rotation() { return normalize(any()); }

  template <class Value, class Make, class Tangent>
  void fill(Track<Value>& track, Make make, Tangent tangent) {
    if (below(3) == 0) return;
    const uint32_t keys = constant_ ? 1 : 1 + below(5);
    track.interpolation = constant_ ? Interpolation::kStep : Interpolation(below(3));
    for (uint32_t key = 0; key < keys; ++key) {
      track.times_seconds.push_back(between(0, 1));
      const bool is_cubic = track.interpolation == Interpolation::kCubic;
      if (is_cubic) track.values.push_back(tangent());
      track.values.push_back(!is_cubic && key > 0 && below(5) == 0 ? track.values.back() : make());  // nothing to turn
      if (is_cubic) track.values.push_back(tangent());
    }
    std::ranges::sort(track.times_seconds);
    if (keys > 1 && below(3) == 0) track.times_seconds[1] = track.times_seconds[0];
    times_.push_back(track.times_seconds);
  }

  void add_clip(bool additive, test::Scaling scaling) {
    Clip& clip = character_.clips.emplace_back(Clip{"clip", 0, 1, {}, additive});
    for (uint32_t joint = 0; joint < character_.skeleton.joint_count(); ++joint) {
      JointTracks tracks;
      tracks.joint = joint;
      fill(
          tracks.translation, [&] { return vector(0.3f); }, [&] { return vector(0.5f); });
      fill(
          tracks.rotation, [&] { return rotation(); }, [&] { return any(); });
      const auto scale = [&] {
        const float all = between(0.7f, 1.4f);
        return scaling == test::Scaling::kPerAxis ? Vec3{between(0.7f, 1.4f), between(0.7f, 1.4f), all}
                                                  : Vec3{all, all, all};
      };
      if (scaling != test::Scaling::kNone) fill(tracks.scale, scale, [&] { return scale() * 0.5f; });
      clip.tracks.push_back(std::move(tracks));
    }
  }

  std::mt19937 random_;
  bool constant_;
  std::vector<std::vector<float>> times_{{0, 1}};  // of keys
  Character character_;
  Masks masks_{2};
};

TEST(Pose, SampledClipsAreThoseThatASlowSearchFinds) {
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    RandomClips clips(seed, false);
    const Skeleton& skeleton = clips.character().skeleton;
    std::vector<Transform> pose(skeleton.joint_count());
    for (int i = 0; i < 100; ++i) {
      const Clip& clip = clips.character().clips[size_t(i) % 5];
      const auto blend = i % 2 == 0 ? RotationBlend::kSlerp : RotationBlend::kNlerp;
      const float time = clips.time();
      sample_clip(clip, skeleton, time, pose, blend);
      const SlowPose expected = slow_sample(clip, skeleton, time, blend);
      for (size_t joint = 0; joint < pose.size(); ++joint) {
        const auto off = [](const auto& a, const auto& b) {
          return std::sqrt(product(mixed(a, 1, b, -1), mixed(a, 1, b, -1)));
        };
        EXPECT_LT(off(row_of(pose[joint].translation), expected[joint].translation), 1e-5) << "seed " << seed;
        EXPECT_LT(off(row_of(pose[joint].scale), expected[joint].scale), 1e-5) << "seed " << seed;
        const Row<4> rotation = row_of(pose[joint].rotation);
        EXPECT_NEAR(product(rotation, rotation), 1, 1e-5) << "seed " << seed;
        EXPECT_NEAR(std::abs(product(rotation, expected[joint].rotation)), 1, 1e-5)
            << "seed " << seed << " at " << time;
      }
    }
  }
}

/// Blended, masked, added, walked and built; one scratch for all instances, whose palettes have room between them.
TEST(Pose, PalettesAreThoseOfSlowStages) {
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    RandomClips clips(seed, false);
    const Character& character = clips.character();
    const std::vector<Playback> playbacks = clips.playbacks(60);
    test::Palettes palettes(playbacks.size(), character.skin.palette_size() + 1);
    EvaluationScratch scratch;
    ASSERT_TRUE(evaluate_exact(character, playbacks, palettes.stride(), palettes.all(), scratch, clips.masks()));
    for (size_t i = 0; i < playbacks.size(); ++i) {
      const auto palette = palettes.of(i).first(character.skin.palette_size());
      EXPECT_LT(off_by(character, slow_pose(character, playbacks[i], clips.masks()), palette), 1e-4)
          << "seed " << seed << ", instance " << i;
      EXPECT_TRUE(std::isnan(palettes.of(i).back().m[0][0])) << "written between palettes";
    }
  }
}

TEST(Pose, CrowdsPlayConstantClipsAsSlowStagesDo) {
  for (uint32_t seed = 1; seed <= 30; ++seed) {
    RandomClips clips(seed, true);
    const Character& character = clips.character();
    const auto baked = bake(character);
    ASSERT_TRUE(baked) << baked.error().message;
    const std::vector<Playback> playbacks = clips.playbacks(60);
    for (const LaneCode& lane_code : available_lane_code()) {
      CrowdEvaluator evaluator(*baked, lane_code.name);
      const std::vector<float> zeros(character.skeleton.joint_count());
      for (const uint32_t number : {1u, 2u}) ASSERT_EQ(*evaluator.add_mask(zeros), number);
      for (const uint32_t number : {2u, 1u}) {  // replaced; then refused, which changes nothing
        ASSERT_TRUE(evaluator.set_mask(number, clips.masks()[number - 1]));
        ASSERT_FALSE(evaluator.set_mask(number, std::vector<float>(zeros.size(), -1.0f)));
      }
      test::Palettes palettes(playbacks.size(), character.skin.palette_size());
      ASSERT_TRUE(evaluator.evaluate(playbacks, palettes.stride(), palettes.all()));
      for (size_t i = 0; i < playbacks.size(); ++i) {
        EXPECT_LT(off_by(character, slow_pose(character, playbacks[i], clips.masks()), palettes.of(i)), 2e-3)
            << lane_code.name << ", seed " << seed << ", instance " << i;
      }
    }
  }
}

TEST(Pose, AdditiveClipsAddedToTheirReferenceAreTheClip) {
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    RandomClips clips(seed, false);
    const Character& character = clips.character();
    const Clip& clip = character.clips[0];
    const uint32_t joints = character.skeleton.joint_count();
    std::vector<Transform> reference(joints), pose(joints), difference(joints);
    sample_clip(character.clips[1], character.skeleton, clips.time(), reference);
    reference[0].scale.z = seed % 4 == 0 ? 0 : reference[0].scale.z;
    const Result<Clip> additive = make_additive(clip, character.skeleton, reference);
    ASSERT_TRUE(additive) << additive.error().message;
    ASSERT_TRUE(additive->additive && validate(*additive, joints));
    for (int i = 0; i < 20; ++i) {
      const float time = clips.time();
      sample_clip(clip, character.skeleton, time, pose);
      sample_clip(*additive, character.skeleton, time, difference);
      std::vector<Transform> sum = reference;
      add_pose({difference, 1, {}}, sum);
      if (reference[0].scale.z == 0) {
        EXPECT_EQ(difference[0].scale.z, 1);
        pose[0].scale.z = 0;
      }
      for (size_t j = 0; j < joints; ++j) {
        EXPECT_LT(length(sum[j].translation - pose[j].translation), 1e-5f) << "seed " << seed << " at " << time;
        EXPECT_LT(length(sum[j].scale - pose[j].scale), 1e-5f) << "seed " << seed << " at " << time;
        EXPECT_NEAR(std::abs(dot(sum[j].rotation, pose[j].rotation)), 1, 1e-5f) << "seed " << seed << " at " << time;
      }
    }
  }
}

TEST(Pose, ClipsThatDoNotFitAreNotMadeAdditive) {
  const Character character = test::random_rig({.joints = 3});
  const std::vector<Transform> rest = character.skeleton.rest_pose;
  const auto message = [&](const Clip& clip, std::span<const Transform> reference) {
    return test::message_of(make_additive(clip, character.skeleton, reference));
  };
  EXPECT_NE(message(character.clips[0], std::span(rest).first(2)).find("another skeleton"), std::string::npos);
  EXPECT_NE(message(*make_additive(character.clips[0], character.skeleton, rest), rest).find("already"),
            std::string::npos);
  Clip foreign = character.clips[0];
  foreign.tracks.back().joint = 7;
  EXPECT_NE(message(foreign, rest).find("outside the skeleton"), std::string::npos);
}

/// Of a character with other joints, for example.
TEST(EvaluateCrowd, MasksOfAnotherLengthAreRefused) {
  const Character character = test::random_rig({.joints = 2, .clips = 2});
  const Playback playing{{{0, 0.5f, 1}, {1, 0.5f, 1, 2}}};
  std::vector<Matrix3x4> palette(3);
  palette[0].m[0][0] = 7;
  EvaluationScratch scratch;
  for (const size_t length : {1, 3}) {
    const std::vector<std::vector<float>> masks = {{1, 0}, std::vector<float>(length, 1.0f)};
    const Status status = evaluate_exact(character, {&playing, 1}, 3, palette, scratch, masks);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, "mask 2: it has " + std::to_string(length) + " factors for 2 joints");
    EXPECT_EQ(palette[0].m[0][0], 7);
  }
  EXPECT_TRUE(
      evaluate_exact(character, {&playing, 1}, 3, palette, scratch, std::vector<std::vector<float>>{{1, 0}, {}}))
      << "without factors: all joints";
}

TEST(Palette, ScalesAsItsJointsAndClipsDo) {
  Skeleton skeleton{{"root", "child"}, {kNoJoint, 0}, {Transform{}, Transform{}}, {}};
  Skin skin{{{1, {}}}};
  Clip clip;
  clip.tracks.push_back({1, {}, {}, {}});
  const auto scaling = [&] { return palette_scaling(skeleton, skin, {&clip, 1}); };
  EXPECT_EQ(scaling(), PaletteScaling::kNone);

  skeleton.model_from_root = {{{0.01, 0, 0, 0}, {0, 0, -0.01, 0}, {0, 0.01, 0, 0}}};  // centimeters, z up
  EXPECT_EQ(scaling(), PaletteScaling::kUniform);
  skin.entries[0].joint_from_mesh = {{{100, 0, 0, 0}, {0, 100, 0, 0}, {0, 0, 100, 0}}};
  EXPECT_EQ(scaling(), PaletteScaling::kNone) << "the inverse bind matrix undoes it";

  Track<Vec3>& track = clip.tracks[0].scale;
  track = {{0, 1}, {{1, 1, 1}, {1, 1, 1}}};
  EXPECT_EQ(scaling(), PaletteScaling::kNone);
  track.values[1] = {2, 2, 2};
  EXPECT_EQ(scaling(), PaletteScaling::kUniform);
  for (const Vec3 bad : {Vec3{2, 2, 2.1f}, Vec3{-1, -1, -1}, Vec3{0, 0, 0}}) {
    track.values[1] = bad;
    EXPECT_EQ(scaling(), PaletteScaling::kAny) << bad.z;
  }
  track = {{0}, {{0, 0, 0}, {1, 1, 1}, {0, 0, 0}}, Interpolation::kCubic};
  EXPECT_EQ(scaling(), PaletteScaling::kNone);
  track.values[2] = {1, 1, 1};
  EXPECT_EQ(scaling(), PaletteScaling::kAny) << "it may overshoot";

  track = {};
  skeleton.rest_pose[0].scale = {1, 1, -1};
  EXPECT_EQ(scaling(), PaletteScaling::kAny);
  skeleton.rest_pose[0].scale = {1, 1, 1};
  skin.entries[0].joint_from_mesh.m[0][1] = 5;
  EXPECT_EQ(scaling(), PaletteScaling::kAny) << "a shear";
  skin.entries[0].joint_from_mesh = {{{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  EXPECT_EQ(scaling(), PaletteScaling::kAny) << "a mirror";
}

TEST(Palette, LargeOffsetsCancelBeforeRounding) {
  const double far = 1e6;
  std::vector<Matrix3x4d> model_from_joint(1);
  model_from_joint[0].m[0][3] = far + 0.001;
  Skin skin{{{0, {}}}};
  skin.entries[0].joint_from_mesh.m[0][3] = -far;
  std::vector<Matrix3x4> palette(1);
  build_palette(skin, model_from_joint, palette);
  EXPECT_NEAR(palette[0].m[0][3], 0.001, 1e-9);
}

}  // namespace
}  // namespace sinew
