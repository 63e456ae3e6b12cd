// --retarget: clips of a file whose joints have a prefix, and its lines in the report.
#include "scene/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "child.h"
#include "distance.h"
#include "must.h"
#include "scene/exact_poses.h"

namespace sinew::app {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

/// A copy of the character in which joint j has the name that `rename` makes of its own.
template <class Rename>
std::string renamed(const Rename& rename) {
  CharacterFile file = must(load_file(test::kCharacter, {}));
  std::vector<std::string>& names = file.character.skeleton.joint_names;
  for (size_t j = 0; j < names.size(); ++j) names[j] = rename(names[j], j);
  const std::string path = testing::TempDir() + "renamed.sinew";
  EXPECT_TRUE(write_character_file(path, file));
  return path;
}

Result<CharacterFile> load_with_clips_of(const std::string& clips) {
  LoadOptions options;
  options.import.animation_files = {clips};
  options.retarget = true;
  return load_file(test::kCharacter, options);
}

TEST(RetargetClips, MoveVerticesAsTheClipsOfTheOwnJoints) {
  const std::string path =
      renamed([](const std::string& name, size_t j) { return j == 0 ? "Scene" : "other:" + name; });
  const auto loaded = must(load_with_clips_of(path));
  std::remove(path.c_str());
  const Character& character = loaded.character;
  const auto count = uint32_t(character.clips.size() / 2);
  ASSERT_EQ(character.clips.size(), 2 * count);
  EXPECT_EQ(loaded.report->clips, 2 * count);
  for (uint32_t clip = 0; clip < count; ++clip) {
    const float time = character.clips[clip].end_seconds * 0.37f;
    const std::vector<Vec3> wanted = exact_positions(character, Playback{{{clip, time, 1}}}),
                            actual = exact_positions(character, Playback{{{count + clip, time, 1}}});
    // Meters: between keys joints are interpolated.
    EXPECT_LT(sinew::test::largest_distance(wanted, actual), 1e-3f) << character.clips[clip].name;
  }
  const uint32_t joints = character.skeleton.joint_count();
  EXPECT_EQ(loaded.report->retargeted.size(), joints + 1);  // the first joint of both is alone
  EXPECT_THAT(loaded.report->retargeted, Contains("'other:pelvis' moves 'pelvis'"));
  EXPECT_THAT(loaded.report->retargeted, Contains("'Scene' moves nothing"));
  EXPECT_THAT(loaded.report->retargeted, Contains("nothing moves 'root'"));
  EXPECT_THAT(loaded.report->warnings, Contains(HasSubstr("1 of its 60 joints move nothing")));
  EXPECT_FALSE(loaded.baked);
}

/// The clips of a file of this text, for the built-in character. Its spine is upright in both poses of the text.
Character with_clips_of(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + name;
  std::ofstream(path, std::ios::binary) << text;
  Result<CharacterFile> loaded = load_with_clips_of(path);
  std::remove(path.c_str());
  return must(std::move(loaded)).character;
}

/// How far a pose of the last clip moves the farthest vertex from the rest pose, in meters.
float farthest_from_rest(const Character& character, float time) {
  const auto clip = uint32_t(character.clips.size() - 1);
  const std::vector<Vec3> rest = exact_positions(character, {}),
                          posed = exact_positions(character, Playback{{{clip, time, 1}}});
  return sinew::test::largest_distance(rest, posed);
}

/// The first frame bends the pelvis by 90 degrees, the second has no rotations: those of the offsets.
TEST(RetargetClips, OfABvhTakeTheOffsetsForTheRestPose) {
  const Character character = with_clips_of("bent.bvh",
                                            "HIERARCHY\nROOT root\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition "
                                            "Zposition Zrotation Yrotation Xrotation\nJOINT pelvis\n{\nOFFSET 0 1 0\n"
                                            "CHANNELS 3 Zrotation Yrotation Xrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n"
                                            "}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0 0 0 0 90 0 0\n"
                                            "0 0 0 0 0 0 0 0 0\n");
  EXPECT_LT(farthest_from_rest(character, character.clips.back().end_seconds), 1e-3f);
  EXPECT_GT(farthest_from_rest(character, 0), 0.5f);
}

/// An .md5anim alone has no bind pose. Its joints are as those of the character, which has its axes along the model's.
TEST(RetargetClips, OfAnMd5AnimationDoNotTakeItsFirstFrameForTheRestPose) {
  const auto text = [](const char* first, const char* second) {
    return std::string(
               "MD5Version 10\ncommandline \"\"\n\nnumFrames 2\nnumJoints 2\nframeRate 2\n"
               "numAnimatedComponents 6\n\nhierarchy {\n\"root\" -1 0 0\n\"pelvis\" 0 63 0\n}\n\nbounds {\n"
               "( 0 0 0 ) ( 1 1 1 )\n( 0 0 0 ) ( 1 1 1 )\n}\n\nbaseframe {\n( 0 0 0 ) ( 0 0 0 )\n"
               "( 0 0 1 ) ( 0 0 0 )\n}\n\nframe 0 {\n0 0 1 ") +
           first + "\n}\n\nframe 1 {\n0 0 1 " + second + "\n}\n";
  };
  // The same poses in the other order: what each looks like does not depend on which comes first.
  const Character forward = with_clips_of("forward.md5anim", text("0.5 0 0", "0 0 0"));
  const Character backward = with_clips_of("backward.md5anim", text("0 0 0", "0.5 0 0"));
  const float end = forward.clips.back().end_seconds;
  EXPECT_NEAR(farthest_from_rest(forward, 0), farthest_from_rest(backward, end), 1e-4f);
  EXPECT_NEAR(farthest_from_rest(forward, end), farthest_from_rest(backward, 0), 1e-4f);
  EXPECT_GT(std::abs(farthest_from_rest(forward, 0) - farthest_from_rest(forward, end)), 0.1f);
}

TEST(RetargetClips, WithoutACommonNameAreRefused) {
  const std::string path = renamed([](const std::string&, size_t j) { return std::to_string(j); });
  const auto refused = load_with_clips_of(path);
  std::remove(path.c_str());
  EXPECT_EQ(must_fail(refused).message, "'" + path + "': retarget: the skeletons have no joint name in common");
}

}  // namespace
}  // namespace sinew::app
