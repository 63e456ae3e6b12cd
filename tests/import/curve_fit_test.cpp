// Tracks that are fitted to functions: how near they are, and how few keys they have.
#include "curve_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "double_transform.h"
#include "fbx/fbx_curve.h"
#include "sinew/animation/pose.h"
#include "sinew/animation/weights.h"

namespace sinew::test {
namespace {

using internal::Double3;
using internal::Double4;
using internal::EulerOrder;
using internal::FbxCurve;
using internal::FbxKey;
using internal::fit_rotation;
using internal::fit_scalar;
using internal::FitCurve;
using internal::Side;
using ::testing::ElementsAre;

// What the library samples from a track.

float value_at(const Track<float>& track, float seconds) {
  Clip clip;
  clip.weights = {{0, track}};
  const MorphTarget targets[1];
  float weights[1];
  sample_weights(clip, targets, seconds, weights);
  return weights[0];
}

Quat value_at(const Track<Quat>& track, float seconds) {
  Clip clip;
  clip.tracks.resize(1), clip.tracks[0].rotation = track;
  Skeleton skeleton;
  skeleton.parents = {-1}, skeleton.rest_pose.resize(1);
  Transform pose[1];
  sample_clip(clip, skeleton, seconds, pose);
  return pose[0].rotation;
}

/// A function of one number.
FitCurve scalar(const FbxCurve& curve, const std::vector<double>& breaks, double tolerance = 1e-5) {
  FitCurve fit;
  fit.kind = FitCurve::Kind::kScalar;
  fit.value = [&curve](double seconds, Side side) {
    return std::array<double, 4>{curve.value(seconds, side, 0), 0, 0, 0};
  };
  fit.breaks = breaks;
  fit.tolerance = tolerance;
  return fit;
}

FbxCurve fitted_curve(std::vector<FbxKey> keys) {
  FbxCurve curve;
  curve.keys = std::move(keys);
  return curve;
}

/// The track of a curve, which breaks at its keys.
Track<float> fitted(const FbxCurve& curve) {
  std::vector<double> breaks;
  for (const FbxKey& key : curve.keys) breaks.push_back(key.seconds);
  internal::sort_breaks(breaks);
  return fit_scalar(scalar(curve, breaks));
}

/// Three angles over time, as a rotation.
struct Angles {
  std::array<FbxCurve, 3> curves;
  std::vector<double> breaks;

  Double4 rotation(double seconds, Side side) const {
    Double3 degrees;
    for (size_t axis = 0; axis < 3; ++axis) degrees[axis] = curves[axis].value(seconds, side, 0);
    return internal::from_euler(degrees, EulerOrder::kXyz);
  }
  FitCurve fit(double tolerance) const {
    FitCurve fit;
    fit.kind = FitCurve::Kind::kRotation;
    fit.value = [this](double seconds, Side side) { return rotation(seconds, side); };
    fit.breaks = breaks;
    fit.tolerance = tolerance;
    fit.turned_degrees = [this](double begin, double end) {
      double sum = 0;
      for (const FbxCurve& curve : curves) sum += curve.variation(begin, end);
      return sum;
    };
    return fit;
  }
};

Angles about_z(double degrees) {
  Angles angles;
  angles.curves[2] = fitted_curve({{0, 0}, {2, degrees}});
  angles.breaks = {0, 2};
  return angles;
}

/// The largest angle between function and track, in radians, at random times.
double farthest(const Angles& angles, const Track<Quat>& track, int count = 1000) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> times(angles.breaks.front(), angles.breaks.back());
  double worst = 0;
  for (int i = 0; i < count; ++i) {
    const float seconds = float(times(random));
    const Double4 wanted = angles.rotation(double(seconds), Side::kAt);
    const Quat q = value_at(track, seconds);
    const Double4 kept = {double(q.x), double(q.y), double(q.z), double(q.w)};
    double apart = 0, opposite = 0;
    for (size_t k = 0; k < 4; ++k)
      apart += (wanted[k] - kept[k]) * (wanted[k] - kept[k]), opposite += (wanted[k] + kept[k]) * (wanted[k] + kept[k]);
    worst = std::max(worst, 2 * std::sqrt(std::min(apart, opposite)));
  }
  return worst;
}

constexpr double kRounding = 3e-6;  // of floats in the track, and of times

TEST(CurveFitTest, ConstantFunctionsLinesAndStepsHaveTheirKeysOnly) {
  using enum FbxKey::Interpolation;
  struct Row {
    std::vector<FbxKey> keys;
    Interpolation interpolation;
    std::vector<float> times, values;
  };
  const Row rows[] = {
      {{{0, 4}, {1, 4}, {2, 4}}, Interpolation::kLinear, {0}, {4}},
      {{{0, 0}, {1, 4}, {3, -2}}, Interpolation::kLinear, {0, 1, 3}, {0, 4, -2}},
      {{{0, 1, kConstant}, {0.7, 5, kConstant}, {1.5, 2, kConstant}, {2, 2, kConstant}},
       Interpolation::kStep,
       {0, 0.7f, 1.5f},
       {1, 5, 2}},
  };
  for (const Row& row : rows) {
    const Track<float> track = fitted(fitted_curve(row.keys));
    EXPECT_EQ(track.interpolation, row.interpolation);
    EXPECT_EQ(track.times_seconds, row.times);
    EXPECT_EQ(track.values, row.values);
  }
}

TEST(CurveFitTest, TimesBeginAtTheStart) {
  const FbxCurve curve = fitted_curve({{10, 0}, {11, 4}});
  FitCurve fit = scalar(curve, {10, 11});
  const std::vector<double> breaks = {10, 11};
  fit.breaks = breaks, fit.start_seconds = 10;
  EXPECT_THAT(fit_scalar(fit).times_seconds, ElementsAre(0, 1));
}

/// Lines up to a jump, and a constant value after it: lines with two keys a few nanoseconds apart.
TEST(CurveFitTest, JumpBetweenLinesIsAtItsTime) {
  using enum FbxKey::Interpolation;
  const FbxCurve curve = fitted_curve({{0, 0, kLinear}, {1, 10, kConstant}, {2, 30, kLinear}, {3, 40, kLinear}});
  const Track<float> track = fitted(curve);
  const auto at = [&](float seconds) { return value_at(track, seconds); };
  EXPECT_NEAR(at(1), 10, 1e-5);
  EXPECT_NEAR(at(1.5f), 10, 1e-5);
  EXPECT_NEAR(at(std::nextafter(2.0f, 0.0f)), 10, 1e-5);
  EXPECT_NEAR(at(2.00001f), 30, 1e-3);
  EXPECT_NEAR(at(2.5f), 35, 1e-5);
  EXPECT_LE(track.times_seconds.size(), 7u);
}

/// A cubic, then a jump at 1 s, then another cubic.
FbxCurve broken_cubic() {
  using enum FbxKey::Interpolation;
  return fitted_curve({{0, 0, kCubic, 8}, {1, 3, kCubic, -20, 5}, {1, 9, kCubic, 12, 0}, {2, 4, kLinear, 0, -30}});
}

TEST(CurveFitTest, JumpInsideACubicKeepsBothSides) {
  const FbxCurve curve = broken_cubic();
  const Track<float> track = fitted(curve);
  for (int i = 0; i <= 200; ++i) {
    const float seconds = float(i) / 100;
    if (i == 100) continue;  // the jump
    EXPECT_NEAR(value_at(track, seconds), curve.value(double(seconds), Side::kAt, 0), 2e-5) << seconds;
  }
}

TEST(CurveFitTest, CubicKeysStayAsTheyAre) {
  using enum FbxKey::Interpolation;
  const FbxCurve curve = fitted_curve({{0, 0, kCubic, 8, 0}, {1, 3, kCubic, -6, 5}, {2.5, 4, kLinear, 0, 30}});
  const Track<float> track = fitted(curve);
  EXPECT_EQ(track.interpolation, Interpolation::kCubic);
  EXPECT_THAT(track.times_seconds, ElementsAre(0, 1, 2.5f));
  ASSERT_EQ(track.values.size(), 9u);
  const auto is = [&](size_t index, float expected) { EXPECT_NEAR(track.values[index], expected, 2e-3f) << index; };
  is(1, 0), is(2, 8), is(3, 5), is(4, 3), is(5, -6), is(6, 30), is(7, 4);
}

TEST(CurveFitTest, RotationAboutOneAxisNeedsNoKeysBetween) {
  const Angles angles = about_z(80);
  const Track<Quat> track = fit_rotation(angles.fit(1e-5));
  EXPECT_EQ(track.interpolation, Interpolation::kLinear);
  EXPECT_THAT(track.times_seconds, ElementsAre(0, 2));
  EXPECT_LT(farthest(angles, track), kRounding);
}

TEST(CurveFitTest, FullTurnsAreMade) {
  for (const double degrees : {180.0, 360.0, 720.0, -3600.0, 36000.0}) {
    const Angles angles = about_z(degrees);
    const Track<Quat> track = fit_rotation(angles.fit(1e-5));
    EXPECT_LT(farthest(angles, track), kRounding) << degrees;
    EXPECT_LE(double(track.times_seconds.size()), std::abs(degrees) / 90 + 2) << degrees;
  }
}

TEST(CurveFitTest, NeighboringQuaternionsAreOnOneSide) {
  for (const Track<Quat>& track : {fit_rotation(about_z(720).fit(1e-5)), fit_rotation(about_z(-500).fit(1e-5))}) {
    for (size_t i = 1; i < track.values.size(); ++i) EXPECT_GT(dot(track.values[i - 1], track.values[i]), 0) << i;
  }
}

/// Keys at random times, with lines, steps and cubics between them.
Angles random_angles(std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  Angles angles;
  angles.breaks = {0, 3};
  for (FbxCurve& curve : angles.curves) {
    double seconds = 0;
    while (seconds < 3) {
      FbxKey key;
      key.seconds = seconds, key.value = 150 * number(random);
      key.interpolation = number(random) > 0 ? FbxKey::Interpolation::kCubic : FbxKey::Interpolation::kLinear;
      key.slope_after = 200 * number(random), key.slope_before = 200 * number(random);
      curve.keys.push_back(key);
      if (seconds > 0) angles.breaks.push_back(seconds);
      seconds += 0.6 + 0.4 * number(random);
    }
  }
  internal::sort_breaks(angles.breaks);
  return angles;
}

TEST(CurveFitTest, ToleranceIsKeptBetweenKeysOfRandomAngles) {
  std::mt19937 random(3);
  for (int i = 0; i < 12; ++i) {
    const Angles angles = random_angles(random);
    const double tolerance = i % 2 == 0 ? 1e-5 : 1e-3;
    const Track<Quat> track = fit_rotation(angles.fit(tolerance));
    EXPECT_LT(farthest(angles, track), 1.3 * tolerance + kRounding) << i;
    const Track<Quat> rough = fit_rotation(angles.fit(0.3));
    if (i % 2 == 0) {
      EXPECT_LT(rough.times_seconds.size(), track.times_seconds.size()) << "not more keys than needed";
    }
  }
}

TEST(CurveFitTest, KeysOfAHostileRotationAreBounded) {
  const Angles angles = about_z(1e9);
  const Track<Quat> track = fit_rotation(angles.fit(1e-5));
  EXPECT_LE(track.times_seconds.size(), FitCurve().max_keys + 64);
}

/// A sine that no number of keys can follow, over many breaks.
TEST(CurveFitTest, KeysOfAHostileFunctionAreBounded) {
  FitCurve fit;
  fit.kind = FitCurve::Kind::kScalar;
  uint64_t calls = 0;
  fit.value = [&calls](double seconds, Side) {
    ++calls;
    return std::array<double, 4>{std::sin(1e6 * seconds * seconds), 0, 0, 0};
  };
  std::vector<double> breaks;
  for (int i = 0; i <= 100; ++i) breaks.push_back(i);
  fit.breaks = breaks, fit.tolerance = 1e-6;
  EXPECT_LE(fit_scalar(fit).times_seconds.size(), FitCurve().max_keys + 128);
  EXPECT_LT(calls, 5'000'000u);
}

TEST(CurveFitTest, TimesGrow) {
  using enum FbxKey::Interpolation;
  const FbxCurve curve =
      fitted_curve({{0, 0, kLinear}, {1, 10, kConstant}, {1 + 1e-9, 30, kConstant}, {3, 40, kLinear}});
  const Track<float> track = fitted(curve);
  EXPECT_TRUE(std::is_sorted(track.times_seconds.begin(), track.times_seconds.end()));
}

}  // namespace
}  // namespace sinew::test
