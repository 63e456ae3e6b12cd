// --retarget: clips of a file whose joints have a prefix, and its lines in the report.
#include "scene/retarget_clips.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "scene/exact_poses.h"
#include "scene/load.h"

namespace sinew::app {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

const std::string kCharacter = SINEW_SOURCE_DIR "/assets/character.glb";

/// A copy of the character in which joint j has the name that `rename` makes of its own.
template <class Rename>
std::string renamed(const Rename& rename) {
  Result<CharacterFile> file = load_file(kCharacter, {});
  EXPECT_TRUE(file);
  std::vector<std::string>& names = file->character.skeleton.joint_names;
  for (size_t j = 0; j < names.size(); ++j) names[j] = rename(names[j], j);
  const std::string path = testing::TempDir() + "renamed.sinew";
  EXPECT_TRUE(write_character_file(path, *file));
  return path;
}

Result<CharacterFile> load_with_clips_of(const std::string& clips) {
  LoadOptions options;
  options.import.animation_files = {clips};
  options.retarget = true;
  return load_file(kCharacter, options);
}

TEST(RetargetClips, MoveVerticesAsTheClipsOfTheOwnJoints) {
  const std::string path =
      renamed([](const std::string& name, size_t j) { return j == 0 ? "Scene" : "other:" + name; });
  const auto loaded = load_with_clips_of(path);
  std::remove(path.c_str());
  ASSERT_TRUE(loaded) << loaded.error().message;
  const Character& character = loaded->character;
  const auto count = uint32_t(character.clips.size() / 2);
  ASSERT_EQ(character.clips.size(), 2 * count);
  EXPECT_EQ(loaded->report->clips, 2 * count);
  for (uint32_t clip = 0; clip < count; ++clip) {
    const float time = character.clips[clip].end_seconds * 0.37f;
    const std::vector<Vec3> wanted = exact_positions(character, Playback{{{clip, time, 1}}}),
                            actual = exact_positions(character, Playback{{{count + clip, time, 1}}});
    float largest = 0;
    for (size_t v = 0; v < wanted.size(); ++v) largest = std::max(largest, length(wanted[v] - actual[v]));
    EXPECT_LT(largest, 1e-3f) << character.clips[clip].name;  // meters: between keys joints are interpolated
  }
  const uint32_t joints = character.skeleton.joint_count();
  EXPECT_EQ(loaded->report->retargeted.size(), joints + 1);  // the first joint of both is alone
  EXPECT_THAT(loaded->report->retargeted, Contains("'other:pelvis' moves 'pelvis'"));
  EXPECT_THAT(loaded->report->retargeted, Contains("'Scene' moves nothing"));
  EXPECT_THAT(loaded->report->retargeted, Contains("nothing moves 'root'"));
  EXPECT_THAT(loaded->report->warnings, Contains(HasSubstr("1 of its 60 joints move nothing")));
  EXPECT_FALSE(loaded->baked);
}

TEST(RetargetClips, WithoutACommonNameAreRefused) {
  const std::string path = renamed([](const std::string&, size_t j) { return std::to_string(j); });
  const auto refused = load_with_clips_of(path);
  std::remove(path.c_str());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "'" + path + "': retarget: the skeletons have no joint name in common");
}

}  // namespace
}  // namespace sinew::app
