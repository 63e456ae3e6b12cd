#include "sinew/asset/clip.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "message.h"

namespace sinew {
namespace {

Clip two_joint_clip() {
  Clip clip{"walk", 0, 0, {}};
  clip.tracks.resize(2);
  clip.tracks[0].joint = 1;
  clip.tracks[0].translation = {{0.5f, 1.0f}, {{0, 0, 0}, {1, 0, 0}}, Interpolation::kLinear};
  clip.tracks[1].joint = 4;
  clip.tracks[1].rotation = {{0.25f, 2.0f}, {{0, 0, 0, 1}, {1, 0, 0, 0}}, Interpolation::kStep};
  set_time_range(clip);
  return clip;
}

TEST(Clip, TimeRangeSpansAllTracks) {
  Clip clip = two_joint_clip();
  EXPECT_EQ(clip.start_seconds, 0.25f);
  EXPECT_EQ(clip.end_seconds, 2.0f);
  clip.weights = {{0, {{-1, 3}, {0, 1}, Interpolation::kLinear}}};
  set_time_range(clip);
  EXPECT_EQ(clip.start_seconds, -1);
  EXPECT_EQ(clip.end_seconds, 3);
  Clip still{"still", 3, 7, {{}}};
  set_time_range(still);
  EXPECT_EQ(still.start_seconds, 0);
  EXPECT_EQ(still.duration_seconds(), 0) << "there is no key";
}

TEST(Clip, IsFoundByNameThenByIndex) {
  const std::vector<Clip> clips = {{"walk", 0, 0, {}}, {"0", 0, 0, {}}, {"run", 0, 0, {}}};
  EXPECT_EQ(find_clip(clips, "run"), 2u);
  EXPECT_EQ(find_clip(clips, "0"), 1u) << "a matching name has priority over an index";
  EXPECT_EQ(find_clip(clips, "2"), 2u);
  EXPECT_EQ(find_clip(clips, "3"), std::nullopt);
  EXPECT_EQ(find_clip(clips, "-1"), std::nullopt);
  EXPECT_EQ(find_clip(clips, "2x"), std::nullopt);
  EXPECT_EQ(find_clip(clips, ""), std::nullopt);
}

TEST(Clip, EveryFaultIsRefused) {
  const auto refused = [](auto damage) {
    Clip clip = two_joint_clip();
    damage(clip);
    return !validate(clip, 5);
  };
  EXPECT_FALSE(refused([](Clip&) {}));
  EXPECT_FALSE(refused([](Clip& c) { c.tracks[0].translation.times_seconds = {1, 1}; })) << "a step";
  EXPECT_TRUE(refused([](Clip& c) { c.tracks[1].joint = 5; })) << "joint outside the skeleton";
  EXPECT_TRUE(refused([](Clip& c) { c.tracks[1].joint = 1; })) << "two tracks for one joint";
  EXPECT_TRUE(refused([](Clip& c) { c.tracks[0].translation.times_seconds = {1, 0.5f}; })) << "times must not descend";
  EXPECT_TRUE(refused([](Clip& c) { c.tracks[0].translation.times_seconds = {NAN, 1}; }));
  EXPECT_TRUE(refused([](Clip& c) { c.tracks[0].translation.values.pop_back(); }));
  EXPECT_TRUE(refused([](Clip& c) { c.tracks[0].translation.interpolation = Interpolation::kCubic; }))
      << "needs 3 values a key";
  EXPECT_TRUE(refused([](Clip& c) { c.tracks[0].translation.values[1].z = INFINITY; }));
  EXPECT_TRUE(refused([](Clip& c) { c.tracks[1].rotation.values[1].x = 2; })) << "not of unit length";
  EXPECT_TRUE(refused([](Clip& c) { c.end_seconds = -1; }));
}

/// Beyond kMaxCoordinate floats leave no place for a character. Import drops such keys.
TEST(Clip, HugeKeysAreRefusedExceptDifferences) {
  const auto message = [](auto damage) {
    return test::message_after(two_joint_clip(), damage, [](const Clip& clip) { return validate(clip, 5, 1); });
  };
  const std::string huge = "clip 'walk': the tracks of joint 1 have a key above 1e9 units";
  EXPECT_EQ(message([](Clip& c) { c.tracks[0].translation.values[1].y = -2e9f; }), huge);
  EXPECT_EQ(message([](Clip& c) { c.tracks[0].translation.values[1].y = 1e37f; }), huge);
  EXPECT_EQ(message([](Clip& c) { c.tracks[0].translation.values[1].y = 1e9f; }), "");
  EXPECT_EQ(message([](Clip& c) { c.tracks[0].scale = {{0}, {{1, 1, 2e9f}}}; }), huge);
  EXPECT_EQ(message([](Clip& c) {
              c.weights = {{0, {{0}, {2e9f}}}};
            }),
            "clip 'walk': the track of morph target 0 has a key above 1e9");
  EXPECT_EQ(message([](Clip& c) { c.tracks[0].translation.values[1].y = -2e9f, c.additive = true; }), "");
}

TEST(Clip, MarkersAscendWithinTheClip) {
  const auto message = [](std::vector<Marker> markers) {
    Clip clip = two_joint_clip();  // from 0.25 to 2 s
    clip.markers = std::move(markers);
    return test::message_of(validate(clip, 5));
  };
  EXPECT_EQ(message({{0.25f, "start"}, {1, "a"}, {1, "a"}, {2, "end"}}), "");
  EXPECT_EQ(message({{0.2f, "early"}}), "clip 'walk': marker 0 'early' is outside the clip");
  EXPECT_EQ(message({{1, "a"}, {2.1f, "late"}}), "clip 'walk': marker 1 'late' is outside the clip");
  EXPECT_EQ(message({{NAN, "none"}}), "clip 'walk': marker 0 'none' has a time that is not finite");
  EXPECT_EQ(message({{INFINITY, "never"}}), "clip 'walk': marker 0 'never' has a time that is not finite");
  EXPECT_EQ(message({{1, "a"}, {0.5f, "b"}}), "clip 'walk': marker 1 'b' is earlier than the one before it");
}

TEST(Clip, TangentsOfCubicRotationsNeedNoUnitLength) {
  Clip clip = two_joint_clip();
  clip.tracks[1].rotation = {{0}, {{9, 9, 9, 9}, {0, 0, 0, 1}, {0, 0, 0, 0}}, Interpolation::kCubic};
  EXPECT_TRUE(validate(clip, 5));
  clip.tracks[1].rotation.values[1].w = 2;
  EXPECT_FALSE(validate(clip, 5));
  Track<Quat>& two_keys = clip.tracks[1].rotation;
  two_keys = {
      {0, 1}, {{9, 9, 9, 9}, {0, 0, 0, 1}, {}, {0, 7, 0, 0}, {1, 0, 0, 0}, {5, 0, 0, 0}}, Interpolation::kCubic};
  EXPECT_TRUE(validate(clip, 5));
  two_keys.values[4].x = 2;
  EXPECT_FALSE(validate(clip, 5)) << "the second key";
}

}  // namespace
}  // namespace sinew
