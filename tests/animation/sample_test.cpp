#include "sinew/animation/pose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "rig.h"

namespace sinew {
namespace {

/// One joint. Its rest pose has x = 7, a rotation of 90 degrees about z and a scale of 2.
Skeleton one_joint() {
  const float h = std::sqrt(0.5f);
  return {{"root"}, {kNoJoint}, {{{7, 0, 0}, {0, 0, h, h}, {2, 2, 2}}}, {}};
}

Transform sample(const JointTracks& tracks, float time_seconds, RotationBlend blend = RotationBlend::kSlerp) {
  const Skeleton skeleton = one_joint();
  Clip clip{"clip", 0, 0, {tracks}};
  set_time_range(clip);
  Transform pose;
  sample_clip(clip, skeleton, time_seconds, {&pose, 1}, blend);
  return pose;
}

JointTracks translation_tracks(std::vector<float> times, std::vector<Vec3> values, Interpolation interpolation) {
  JointTracks tracks;
  tracks.translation = {std::move(times), std::move(values), interpolation};
  return tracks;
}

JointTracks rotation_tracks(std::vector<float> times, std::vector<Quat> values, Interpolation interpolation) {
  JointTracks tracks;
  tracks.rotation = {std::move(times), std::move(values), interpolation};
  return tracks;
}

TEST(Sample, PropertyWithoutATrackKeepsTheRestPose) {
  const Transform local = sample(translation_tracks({0, 1}, {{0, 0, 0}, {4, 0, 0}}, Interpolation::kLinear), 0.25f);
  EXPECT_EQ(local.translation.x, 1);
  EXPECT_EQ(local.scale.x, 2);
  EXPECT_NEAR(test::angle_about_z(local.rotation), std::numbers::pi / 2, 1e-6);
}

TEST(Sample, TimesOutsideTheKeysGiveTheFirstOrLastKey) {
  const JointTracks tracks = translation_tracks({1, 2}, {{10, 0, 0}, {20, 0, 0}}, Interpolation::kLinear);
  EXPECT_EQ(sample(tracks, -100).translation.x, 10);
  EXPECT_EQ(sample(tracks, 1).translation.x, 10);
  EXPECT_EQ(sample(tracks, 2).translation.x, 20);
  EXPECT_EQ(sample(tracks, 100).translation.x, 20);
}

TEST(Sample, OneKeyIsConstant) {
  for (const Interpolation interpolation : {Interpolation::kStep, Interpolation::kLinear}) {
    EXPECT_EQ(sample(translation_tracks({1}, {{3, 0, 0}}, interpolation), 0).translation.x, 3);
    EXPECT_EQ(sample(translation_tracks({1}, {{3, 0, 0}}, interpolation), 5).translation.x, 3);
  }
  EXPECT_EQ(sample(translation_tracks({1}, {{9, 0, 0}, {3, 0, 0}, {9, 0, 0}}, Interpolation::kCubic), 5).translation.x,
            3);
}

TEST(Sample, LaterKeyWinsAtEqualTimes) {
  const JointTracks tracks =
      translation_tracks({0, 1, 1, 2}, {{0, 0, 0}, {10, 0, 0}, {50, 0, 0}, {60, 0, 0}}, Interpolation::kLinear);
  EXPECT_EQ(sample(tracks, 1).translation.x, 50);
  EXPECT_NEAR(sample(tracks, 0.999f).translation.x, 9.99, 1e-4);
  EXPECT_EQ(sample(tracks, 1.5f).translation.x, 55);
  const JointTracks at_the_end =
      translation_tracks({0, 1, 1}, {{0, 0, 0}, {10, 0, 0}, {50, 0, 0}}, Interpolation::kLinear);
  EXPECT_EQ(sample(at_the_end, 1).translation.x, 50);
}

TEST(Sample, StepKeepsTheValueUntilTheNextKey) {
  const JointTracks tracks = translation_tracks({0, 1, 2}, {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, Interpolation::kStep);
  EXPECT_EQ(sample(tracks, 0.999f).translation.x, 1);
  EXPECT_EQ(sample(tracks, 1).translation.x, 2);
  EXPECT_EQ(sample(tracks, 1.999f).translation.x, 2);
  EXPECT_EQ(sample(tracks, 2).translation.x, 3);
}

TEST(Sample, LinearScaleIsInterpolated) {
  JointTracks tracks;
  tracks.scale = {{0, 1}, {{1, 1, 1}, {3, 5, 7}}, Interpolation::kLinear};
  const Vec3 scale = sample(tracks, 0.5f).scale;
  EXPECT_EQ(scale.x, 2);
  EXPECT_EQ(scale.y, 3);
  EXPECT_EQ(scale.z, 4);
}

TEST(Sample, SlerpRotatesAtConstantSpeed) {
  const JointTracks tracks = rotation_tracks({0, 1}, {test::about_z(0), test::about_z(2.5)}, Interpolation::kLinear);
  for (const float share : {0.1f, 0.25f, 0.5f, 0.9f}) {
    EXPECT_NEAR(test::angle_about_z(sample(tracks, share).rotation), 2.5 * share, 1e-6);
  }
}

TEST(Sample, NlerpLagsSlerpInTheFirstHalf) {
  const JointTracks tracks = rotation_tracks({0, 1}, {test::about_z(0), test::about_z(2.5)}, Interpolation::kLinear);
  const double angle = test::angle_about_z(sample(tracks, 0.25f, RotationBlend::kNlerp).rotation);
  const double expected = 2 * std::atan2(0.25 * std::sin(1.25), 0.75 + 0.25 * std::cos(1.25));
  EXPECT_NEAR(angle, expected, 1e-6);
  EXPECT_LT(angle, 2.5 * 0.25 - 0.01);
}

TEST(Sample, RotationsTakeTheShorterArc) {
  const JointTracks tracks = rotation_tracks({0, 1}, {test::about_z(0.2), -test::about_z(0.6)}, Interpolation::kLinear);
  for (const RotationBlend blend : {RotationBlend::kSlerp, RotationBlend::kNlerp}) {
    EXPECT_NEAR(test::angle_about_z(sample(tracks, 0.5f, blend).rotation), 0.4, 1e-6);
  }
}

TEST(Sample, NearlyEqualRotationsGiveAUnitRotation) {
  const JointTracks tracks =
      rotation_tracks({0, 1}, {test::about_z(1), test::about_z(1 + 1e-7)}, Interpolation::kLinear);
  const Quat q = sample(tracks, 0.5f).rotation;
  EXPECT_NEAR(dot(q, q), 1, 1e-6);
  EXPECT_NEAR(test::angle_about_z(q), 1, 1e-6);
}

TEST(Sample, SlerpAgreesWithDoublePrecision) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (int i = 0; i < 1000; ++i) {
    const Quat a = normalize(Quat{normal(random), normal(random), normal(random), normal(random)});
    const Quat b = normalize(Quat{normal(random), normal(random), normal(random), normal(random)});
    const double t = std::uniform_real_distribution<float>(0, 1)(random);
    // Independent of the library: rotates a about the axis of the rotation from a to b, by the share t of its angle.
    Quat relative = Quat{-a.x, -a.y, -a.z, a.w} * b;
    if (relative.w < 0) relative = -relative;
    const double sine =
        std::sqrt(double(relative.x) * relative.x + double(relative.y) * relative.y + double(relative.z) * relative.z);
    const double half = std::atan2(sine, double(relative.w)) * t;
    const float s = float(std::sin(half) / sine);
    const Quat expected = a * Quat{relative.x * s, relative.y * s, relative.z * s, float(std::cos(half))};
    const Quat q = sample(rotation_tracks({0, 1}, {a, b}, Interpolation::kLinear), float(t)).rotation;
    EXPECT_NEAR(std::abs(dot(q, expected)), 1, 1e-6);
  }
}

TEST(Sample, CubicFollowsTheHermiteSpline) {
  // p(t) = t^3 - 2t over [1, 3] has values -1, 21 and slopes 1, 25: a cubic spline reproduces it exactly.
  const JointTracks tracks = translation_tracks(
      {1, 3}, {{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {25, 0, 0}, {21, 0, 0}, {0, 0, 0}}, Interpolation::kCubic);
  for (const float t : {1.0f, 1.25f, 2.0f, 2.9f, 3.0f}) {
    EXPECT_NEAR(sample(tracks, t).translation.x, double(t) * t * t - 2.0 * t, 1e-5);
  }
}

TEST(Sample, CubicRotationIsNormalized) {
  const Quat none{0, 0, 0, 0};
  const JointTracks tracks =
      rotation_tracks({0, 1}, {none, test::about_z(0), none, none, test::about_z(2), none}, Interpolation::kCubic);
  const Quat q = sample(tracks, 0.5f).rotation;
  EXPECT_NEAR(dot(q, q), 1, 1e-6);
  EXPECT_NEAR(test::angle_about_z(q), 1, 1e-6);
}

TEST(Sample, EachTrackHasItsOwnTimes) {
  JointTracks tracks = translation_tracks({0, 4}, {{0, 0, 0}, {4, 0, 0}}, Interpolation::kLinear);
  tracks.scale = {{1, 2}, {{1, 1, 1}, {2, 2, 2}}, Interpolation::kLinear};
  const Transform local = sample(tracks, 1.5f);
  EXPECT_EQ(local.translation.x, 1.5f);
  EXPECT_EQ(local.scale.x, 1.5f);
}

}  // namespace
}  // namespace sinew
