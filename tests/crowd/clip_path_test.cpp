// Path lengths of clips of any duration.
#include "crowd/clip_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "animation/rig.h"
#include "app/scene/exact_poses.h"

namespace sinew::crowd::internal {
namespace {

/// The distance between the positions of the only joint in two palettes.
float distance_of(std::span<const Matrix3x4> a, std::span<const Matrix3x4> b) {
  const auto position = [](const Matrix3x4& m) { return Vec3{m.m[0][3], m.m[1][3], m.m[2][3]}; };
  return length(position(a[0]) - position(b[0]));
}

float distance_moved(const ExactPose& a, const ExactPose& b) { return distance_of(a.palette, b.palette); }

ClipPath measure_path(const Character& character) {
  const PoseDistance distance = distance_moved;
  return measure_paths(character, 0, {&distance, 1}).front();
}

/// A character of one joint, with a key at each of the times. `x_at(time)` gives the joint's x coordinate there.
template <class Function>
Character one_joint(const std::vector<float>& times, Function x_at, Interpolation interpolation) {
  std::vector<float> xs;
  for (const float time : times) xs.push_back(x_at(time));
  return test::one_joint(times, xs, interpolation);
}

/// A joint that moves from -0.31 to 0.31 and back in two keys. Sampling that is too coarse would see no motion.
Character oscillator(float seconds, float keys_per_second) {
  std::vector<float> times;
  for (int key = 0; float(key) <= seconds * keys_per_second; ++key) times.push_back(float(key) / keys_per_second);
  const auto x_at = [=](float time) { return int(std::lround(time * keys_per_second)) % 2 != 0 ? 0.31f : -0.31f; };
  return one_joint(times, x_at, Interpolation::kLinear);
}

/// For random pairs of times: the path between them is at least as long as the distance between the two poses.
void expect_bound(const Character& character, const ClipPath& path, double window_seconds) {
  std::mt19937 random(1);
  const double end = path.end_seconds();
  for (int i = 0; i < 2000; ++i) {
    const auto unit = [&] { return double(random()) / 4294967296.0; };  // from 0 to 1
    const auto a = float(unit() * end), b = float(std::clamp(double(a) + (unit() - 0.5) * window_seconds, 0.0, end));
    Playback at_a{{{0, a, 1}}}, at_b{{{0, b, 1}}};
    const float distance = distance_of(app::exact_palette(character, character.skin, at_a),
                                       app::exact_palette(character, character.skin, at_b));
    ASSERT_GE(path.between(a, b) * 1.001f + 1e-3f, distance) << a << " to " << b;
  }
}

TEST(ClipPath, IsAnUpperBoundForClipsOfAnyDuration) {
  for (const float seconds : {1.0f, 16.0f, 20.0f, 500.0f, 7200.0f}) {
    const Character character = oscillator(seconds, 4);
    const ClipPath path = measure_path(character);
    EXPECT_NEAR(path.length(), 0.62 * 4 * double(seconds), 1e-3 * double(seconds)) << seconds;
    EXPECT_NEAR(path.between(0, 0.25f), std::min(0.62, double(path.length())), 1e-3) << seconds;
    expect_bound(character, path, 1);
  }
}

TEST(ClipPath, FollowsTheArcsBetweenDistantKeys) {
  Character arm;
  arm.skeleton = {{"shoulder", "hand"}, {kNoJoint, 0}, {{}, {{1, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}}, {}};
  arm.skin.entries = {{1, {}}};
  JointTracks shoulder;
  const float half = 85 * float(std::numbers::pi) / 180;
  shoulder.rotation = {{0, 100}, {{0, 0, 0, 1}, {0, 0, std::sin(half), std::cos(half)}}};
  arm.clips = {{"swing", 0, 100, {shoulder}}};
  const ClipPath path = measure_path(arm);
  EXPECT_NEAR(path.length(), 2 * half, 1e-3);  // an arc of a circle of radius 1
  expect_bound(arm, path, 30);
}

TEST(ClipPath, SampleCountDependsOnTheKeysNotOnTheDuration) {
  const auto line = [](float time) { return time / 1000; };
  const Character slow = one_joint({0, 1000, 500000}, line, Interpolation::kLinear);
  EXPECT_LE(path_times(slow.clips[0]).size(), 2 * 64 + 1u);
  expect_bound(slow, measure_path(slow), 5000);
  std::vector<float> dense;
  for (int key = 0; key <= 100000; ++key) dense.push_back(float(key) * 1e-4f);
  const Character fine = one_joint(dense, line, Interpolation::kLinear);
  EXPECT_LE(path_times(fine.clips[0]).size(), 10 * 240u) << "for ten seconds, whatever the number of keys";
}

/// 20,000 joints beside the one that moves: all samples of ten seconds, 400 times, would take hours.
TEST(ClipPath, SampleCountHasALimitForAllPosesOfACharacter) {
  std::vector<float> dense;
  for (int key = 0; key <= 12000; ++key) dense.push_back(float(key) / 120);
  Character many = one_joint(
      dense, [](float time) { return time; }, Interpolation::kLinear);
  EXPECT_EQ(path_times(many, 0), path_times(many.clips[0]));
  many.skeleton.parents.resize(20000, kNoJoint);
  many.clips.resize(40, many.clips[0]);
  const std::vector<float> times = path_times(many, 3);
  EXPECT_LE(times.size() * 20000 * 40, 1.1 * (1 << 26));
  EXPECT_EQ(times.front(), 0);
  EXPECT_EQ(times.back(), 100);
}

TEST(ClipPath, DiscontinuitiesKeepTheirTimes) {
  const Character character = one_joint(
      {0, 100, 200}, [](float time) { return time / 100; }, Interpolation::kStep);
  const ClipPath path = measure_path(character);
  EXPECT_NEAR(path.between(99.99f, 100), 1, 1e-6);
  EXPECT_NEAR(path.between(1, 99.9f), 0, 1e-6);
  EXPECT_NEAR(path.length(), 2, 1e-6);
}

TEST(ClipPath, LengthsAreInterpolatedBetweenTheSamplesAroundATime) {
  std::mt19937 random(3);
  for (const float step : {0.004f, 0.3f, 2.0f}) {
    std::vector<float> times = {0.3f};  // keys apart by very different times
    while (times.back() < 7) times.push_back(times.back() + step * float(1 + random() % 100) / 50);
    const Character character = one_joint(
        times, [](float time) { return std::sin(time * 9); }, Interpolation::kLinear);
    const ClipPath path = measure_path(character);
    const auto expect_found = [&](float seconds) {
      size_t after = 0;
      while (after < path.times.size() && path.times[after] <= seconds) ++after;
      EXPECT_GE(path.at(seconds), path.lengths[after == 0 ? 0 : after - 1]) << seconds;
      EXPECT_LE(path.at(seconds), path.lengths[std::min(after, path.times.size() - 1)]) << seconds;
    };
    for (float seconds = 0.2f; seconds < 12; seconds += 0.0037f) expect_found(seconds);
    for (const float sample : path.times) {
      expect_found(sample), expect_found(std::nextafter(sample, 0.0f)), expect_found(std::nextafter(sample, 9.0f));
    }
    EXPECT_EQ(path.at(NAN), path.length());
  }
}

/// A joint that moves 10 units and jumps back where its clip begins again: no way around is shorter.
TEST(LoopedPath, CountsTheJumpAtTheSeam) {
  const Character character = one_joint(
      {0, 1}, [](float time) { return 10 * time; }, Interpolation::kLinear);
  const ClipPath path = measure_path(character);
  EXPECT_NEAR(path.loop_distance, 10, 1e-5);
  EXPECT_NEAR(path.between(0.1f, 0.9f), 8, 1e-4);
  EXPECT_NEAR(path.between(1, 0), 10, 1e-4);
}

TEST(ClipPath, EndsWhereTheClipEnds) {
  const Character character = oscillator(20, 4);
  const ClipPath path = measure_path(character);
  EXPECT_EQ(path.start_seconds(), 0);
  EXPECT_EQ(path.end_seconds(), character.clips[0].end_seconds);
  EXPECT_EQ(path.at(-1), 0);
  EXPECT_EQ(path.at(1000), path.length());
  for (const double share : {0.1, 0.5, 0.9}) {
    EXPECT_NEAR(path.at(path.time_of(path.length() * share)), path.length() * share, 1e-3);
  }
}

}  // namespace
}  // namespace sinew::crowd::internal
