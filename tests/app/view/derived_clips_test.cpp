// Derived clips: additive and in-place versions, made once.
#include "viewer/playing.h"

#include <gtest/gtest.h>

#include "child.h"
#include "scene/clip_motion.h"
#include "scene/load.h"
#include "scene/names.h"
#include "view/moving_character.h"

namespace sinew::app {
namespace {

using sinew::test::largest_difference;

TEST(DerivedClips, AreAppendedOnce) {
  Character character = make_moving_character();
  DerivedClips derived(character);
  const uint32_t additive = *derived.additive(1);
  const DerivedClips::InPlace* const made = *derived.in_place(0);
  EXPECT_EQ(derived.source_count(), 4u);
  ASSERT_EQ(character.clips.size(), 6u);
  EXPECT_EQ(*derived.additive(1), additive);
  EXPECT_EQ(*derived.in_place(0), made);
  EXPECT_EQ(character.clips.size(), 6u);
  EXPECT_EQ(character.clips[additive].name, "Idle (additive)");
  EXPECT_EQ(character.clips[made->clip].name, "Walk (in place)");
  EXPECT_TRUE(validate(character));
  for (uint32_t clip = 1; clip < 4; ++clip) ASSERT_TRUE(derived.in_place(clip));
  EXPECT_EQ(*derived.in_place(0), made) << "the pointer stays valid";
}

TEST(DerivedClips, AdditiveClipIsItsOwnVersion) {
  Character character = make_moving_character();
  character.clips[2].additive = true;
  DerivedClips derived(character);
  EXPECT_EQ(*derived.additive(2), 2u);
  const uint32_t additive = *derived.additive(0);
  EXPECT_EQ(*derived.additive(additive), additive);
  EXPECT_TRUE(character.clips[additive].additive);
}

TEST(DerivedClips, AdditiveClipHasTheDifferencesFromItsFirstPose) {
  Character character = make_moving_character();
  DerivedClips derived(character);
  const uint32_t additive = *derived.additive(0);
  Playback playback;
  playback.layers[0] = {0, 1, 1};  // its own first pose
  playback.layers[1] = {additive, 1.7f, 1};
  EXPECT_LT(largest_difference(model_from_joint(character, playback, 3), model_from_joint(character, 0, 1.7f, 3)),
            1e-5);
}

TEST(DerivedClips, ErrorsAppendNothing) {
  Character character = make_moving_character();
  DerivedClips derived(character);
  character.clips[0].end_seconds = 1e6f;
  EXPECT_FALSE(derived.in_place(0));
  EXPECT_EQ(character.clips.size(), 4u);
}

TEST(MovedRoot, IsTheFirstThatTheClipMovesOverTheGround) {
  const Character character = make_moving_character();
  EXPECT_EQ(find_moved_root(character, 0).joint, 1u);
  EXPECT_EQ(find_moved_root(character, 1).joint, 0u) << "the spine moves by less than the threshold";
  EXPECT_EQ(find_moved_root(character, 2).joint, 0u);
  EXPECT_EQ(find_moved_root(character, 3).joint, 0u) << "most of the character does not follow the head";
}

TEST(MovedRoot, IgnoresHeightInModelSpace) {
  Character character = make_moving_character();
  character.clips[0].tracks[0].translation = {{1, 2}, {{0, 0, 0}, {0, 3, 0}}};
  EXPECT_EQ(find_moved_root(character, 0).joint, 0u);
  character.skeleton.model_from_root = to_matrix({{}, {0.70710678f, 0, 0, 0.70710678f}, {1, 1, 1}});
  EXPECT_EQ(find_moved_root(character, 0).joint, 1u) << "the root turns the joint's y into the model's z";
  character.space.up = {0, 0, 1};
  EXPECT_EQ(find_moved_root(character, 0).joint, 0u);
}

TEST(MovedRoot, MovesInTheSpaceOfItsParent) {
  Character character = make_moving_character();
  character.clips[0].tracks[0].joint = 2;
  character.clips[0].tracks[0].translation = {{1, 2}, {{0, 0, 0}, {0, 3, 0}}};
  character.skin.entries = {{2, {}}, {3, {}}};
  EXPECT_EQ(find_moved_root(character, 0).joint, 0u);
  character.skeleton.rest_pose[1].rotation = {0.70710678f, 0, 0, 0.70710678f};
  EXPECT_EQ(find_moved_root(character, 0).joint, 2u) << "the hips turn the spine's y into the model's z";
}

TEST(MovedRoot, OfARealModelIsNoControlOfAFoot) {
  const std::string path = test::shared("models/kaykit/Knight.glb");
  SINEW_SKIP_WITHOUT(path);
  const Character character = must(load_file(path, {})).character;
  for (uint32_t clip = 0; clip < character.clips.size(); ++clip)
    EXPECT_LE(find_moved_root(character, clip).joint, 1u) << character.clips[clip].name;
  EXPECT_EQ(find_moved_root(character, *find_clip_by_name(character.clips, "Sit_Chair_Down")).joint, 1u) << "the hips";
  EXPECT_EQ(find_moved_root(character, *find_clip_by_name(character.clips, "Dodge_Left")).joint, 0u) << "the root";
}

}  // namespace
}  // namespace sinew::app
