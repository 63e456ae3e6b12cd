// How far clips move is told for clips of any length.
#include "crowd/clip_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "scene/exact_poses.h"

namespace sinew::app {
namespace {

/// How far the only joint moves.
float moved(std::span<const Matrix3x4> a, std::span<const Matrix3x4> b) {
  const auto place = [](const Matrix3x4& m) { return Vec3{m.m[0][3], m.m[1][3], m.m[2][3]}; };
  return length(place(a[0]) - place(b[0]));
}

/// One joint that is where `place` says at each of these times.
template <class Place>
Character one_joint(const std::vector<float>& times, Place place, Interpolation interpolation) {
  Character character;
  character.skeleton = {{"joint"}, {kNoJoint}, {{}}, {}};
  character.skin.entries = {{0, {}}};
  JointTracks tracks;
  tracks.translation.times_seconds = times;
  for (const float time : times) tracks.translation.values.push_back({place(time), 0, 0});
  tracks.translation.interpolation = interpolation;
  Clip clip{"move", 0, 0, {tracks}};
  set_time_range(clip);
  character.clips = {clip};
  return character;
}

/// To and fro by 0.31 twice a second, so that what is looked at too seldom seems to fit_to_ground still.
Character shaker(float seconds, float keys_per_second) {
  std::vector<float> times;
  for (int key = 0; float(key) <= seconds * keys_per_second; ++key) times.push_back(float(key) / keys_per_second);
  const auto place = [=](float time) { return int(std::lround(time * keys_per_second)) % 2 != 0 ? 0.31f : -0.31f; };
  return one_joint(times, place, Interpolation::kLinear);
}

/// Of two moments: the path is no shorter than the way between them.
void expect_bound(const Character& character, const ClipPath& path, double window_seconds) {
  std::mt19937 random(1);
  const double end = path.end_seconds();
  for (int i = 0; i < 2000; ++i) {
    const auto share = [&] { return double(random()) / 4294967296.0; };
    const auto a = float(share() * end), b = float(std::clamp(double(a) + (share() - 0.5) * window_seconds, 0.0, end));
    Playback at_a{{{0, a, 1}}}, at_b{{{0, b, 1}}};
    const float way = moved(exact_palette(character, at_a), exact_palette(character, at_b));
    ASSERT_GE(path.between(a, b) * 1.001f + 1e-3f, way) << a << " to " << b;
  }
}

TEST(ClipPath, HoldsForClipsOfAnyLength) {
  for (const float seconds : {1.0f, 16.0f, 20.0f, 500.0f, 7200.0f}) {
    const Character character = shaker(seconds, 4);
    const ClipPath path = measure_path(character, 0, moved);
    EXPECT_NEAR(path.length(), 0.62 * 4 * double(seconds), 1e-3 * double(seconds)) << seconds;
    EXPECT_NEAR(path.between(0, 0.25f), std::min(0.62, double(path.length())), 1e-3) << seconds;
    expect_bound(character, path, 1);
  }
}

TEST(ClipPath, FollowsTheArcsBetweenKeysThatAreFarApart) {
  Character arm;
  arm.skeleton = {{"shoulder", "hand"}, {kNoJoint, 0}, {{}, {{1, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}}, {}};
  arm.skin.entries = {{1, {}}};
  JointTracks shoulder;
  const float half = 85 * float(M_PI) / 180;
  shoulder.rotation = {{0, 100}, {{0, 0, 0, 1}, {0, 0, std::sin(half), std::cos(half)}}};
  arm.clips = {{"swing", 0, 100, {shoulder}}};
  const ClipPath path = measure_path(arm, 0, moved);
  EXPECT_NEAR(path.length(), 2 * half, 1e-3);  // of a circle of radius 1
  expect_bound(arm, path, 30);
}

TEST(ClipPath, CostsWhatTheKeysDoAndNotTheSeconds) {
  const auto line = [](float time) { return time / 1000; };
  const Character slow = one_joint({0, 1000, 500000}, line, Interpolation::kLinear);
  EXPECT_LE(path_times(slow.clips[0]).size(), 2 * 64 + 1u);
  expect_bound(slow, measure_path(slow, 0, moved), 5000);
  std::vector<float> dense;
  for (int key = 0; key <= 100000; ++key) dense.push_back(float(key) * 1e-4f);
  const Character fine = one_joint(dense, line, Interpolation::kLinear);
  EXPECT_LE(path_times(fine.clips[0]).size(), 10 * 240u) << "ten seconds, however many keys";
}

TEST(ClipPath, LeapsAreWhereTheyAre) {
  const Character character = one_joint(
      {0, 100, 200}, [](float time) { return time / 100; }, Interpolation::kStep);
  const ClipPath path = measure_path(character, 0, moved);
  EXPECT_NEAR(path.between(99.99f, 100), 1, 1e-6);
  EXPECT_NEAR(path.between(1, 99.9f), 0, 1e-6);
  EXPECT_NEAR(path.length(), 2, 1e-6);
}

TEST(ClipPath, EndsAreTheClips) {
  const Character character = shaker(20, 4);
  const ClipPath path = measure_path(character, 0, moved);
  EXPECT_EQ(path.start_seconds(), 0);
  EXPECT_EQ(path.end_seconds(), character.clips[0].end_seconds);
  EXPECT_EQ(path.at(-1), 0);
  EXPECT_EQ(path.at(1000), path.length());
  for (const double share : {0.1, 0.5, 0.9}) {
    EXPECT_NEAR(path.at(path.time_of(path.length() * share)), path.length() * share, 1e-3);
  }
}

}  // namespace
}  // namespace sinew::app
