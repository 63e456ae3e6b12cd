// Evaluation of tracks during import is that of the library's sampling.
#include "curve_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sinew/animation/pose.h"

namespace sinew::test {
namespace {

constexpr Interpolation kAll[] = {Interpolation::kStep, Interpolation::kLinear, Interpolation::kCubic};

class Numbers {
 public:
  float number() { return spread_(random_); }
  void fill(Vec3& v) { v = {number(), number(), number()}; }
  void fill(Quat& q) { q = normalize(Quat{number(), number(), number(), number()}); }

  template <class Value>
  Track<Value> track(Interpolation interpolation) {
    Track<Value> track;
    track.interpolation = interpolation;
    float seconds = 0.25f;
    for (int key = 0; key < 6; ++key, seconds += 0.5f + 0.3f * number()) {
      track.times_seconds.push_back(seconds);
      for (int part = 0; part < (interpolation == Interpolation::kCubic ? 3 : 1); ++part) {
        fill(track.values.emplace_back());
      }
    }
    return track;
  }

 private:
  std::mt19937 random_{11};
  std::uniform_real_distribution<float> spread_{-1, 1};
};

TEST(TrackValueTest, ValuesAreThoseOfSampling) {
  Numbers numbers;
  Skeleton skeleton;
  skeleton.parents = {-1}, skeleton.joint_names = {"Joint"}, skeleton.rest_pose.resize(1);
  for (const Interpolation interpolation : kAll) {
    Clip clip;
    clip.tracks.resize(1);
    clip.tracks[0].joint = 0;
    clip.tracks[0].translation = numbers.track<Vec3>(interpolation);
    clip.tracks[0].rotation = numbers.track<Quat>(interpolation);
    clip.end_seconds = 9;
    for (int i = 0; i <= 200; ++i) {
      const float seconds = float(i) / 50;
      std::vector<Transform> local = skeleton.rest_pose;
      sample_clip(clip, skeleton, seconds, local);
      const Vec3 moved = internal::value_at(clip.tracks[0].translation, seconds, Vec3{});
      const Quat turned = internal::value_at(clip.tracks[0].rotation, seconds, Quat{});
      EXPECT_LT(length(moved - local[0].translation), 2e-6f) << int(interpolation) << " at " << seconds;
      EXPECT_GT(std::abs(dot(turned, local[0].rotation)), 1 - 1e-6f) << int(interpolation) << " at " << seconds;
    }
  }
}

TEST(TrackValueTest, TrackWithoutKeysIsTheRestValue) { EXPECT_EQ(internal::value_at(Track<float>(), 1, 7.0f), 7); }

}  // namespace
}  // namespace sinew::test
