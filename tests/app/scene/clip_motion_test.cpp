// The motion of clips over the ground, measured from the vertices that touch it.
#include "scene/clip_motion.h"

#include <gtest/gtest.h>

#include "scene/names.h"
#include "scene/stage.h"

namespace sinew::app {
namespace {

using test::built_in;

uint32_t clip_of(const char* name) { return must(find_clip_by_name(built_in().character.clips, name)); }

/// The same clip, in which the root joint moves as far as the feet walk.
Model with_root_motion(Vec3 meters) {
  Model model = built_in();
  Clip& clip = model.character.clips[clip_of("walk")];
  if (clip.tracks.front().joint != 0) clip.tracks.insert(clip.tracks.begin(), JointTracks{});
  const Vec3 rest = model.character.skeleton.rest_pose[0].translation;
  clip.tracks.front().translation = {
      {clip.start_seconds, clip.end_seconds}, {rest, rest + meters}, Interpolation::kLinear};
  return model;
}

TEST(ClipMotion, IsTheGroundSpeedOfTheBuiltInCharacter) {
  const auto walk = must(measure_clip_motion(built_in(), clip_of("walk")));
  const auto run = must(measure_clip_motion(built_in(), clip_of("run")));
  EXPECT_NEAR(walk.velocity.z, 1.05, 0.015);
  EXPECT_NEAR(run.velocity.z, 2.786, 0.03);
  EXPECT_NEAR(walk.velocity.x, 0, 0.02);
  EXPECT_EQ(length(walk.in_clip), 0) << "the clip stays in place";
}

TEST(ClipMotion, ClipsThatStandHaveNone) {
  for (const char* name : {"idle", "wave", "cheer", "dance"})
    EXPECT_FALSE(measure_clip_motion(built_in(), clip_of(name))) << name;
}

TEST(ClipMotion, RootMotionIsThatOfTheClip) {
  const uint32_t walk = clip_of("walk");
  const float duration = built_in().character.clips[walk].duration_seconds();
  const Model model = with_root_motion({0, 0, 1.05f * duration});
  const auto motion = must(measure_clip_motion(model, walk));
  EXPECT_NEAR(motion.in_clip.z, 1.05 * duration, 0.01);
  EXPECT_NEAR(motion.velocity.z, 1.05, 0.015);
}

TEST(ClipMotion, TheClipWithTheNearestSpeedIsFound) {
  const auto slow = must(find_walking_clip(built_in(), 1.2f)), fast = must(find_walking_clip(built_in(), 3));
  EXPECT_EQ(slow.clip, clip_of("walk"));
  EXPECT_EQ(fast.clip, clip_of("run"));
  Model standing = built_in();
  standing.clips = {clip_of("idle"), clip_of("dance")};
  EXPECT_FALSE(find_walking_clip(standing, 1.2f));
}

}  // namespace
}  // namespace sinew::app
