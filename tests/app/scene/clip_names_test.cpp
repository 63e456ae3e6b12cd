// Clip names are matched by whole words: "soldier" does not contain the word "die".
#include "scene/names.h"

#include <gtest/gtest.h>

namespace sinew::test {
namespace {

TEST(ClipNames, AreSplitIntoWords) {
  const char* const rows[][2] = {{"Armature|Die", " armature die "},
                                 {"TPose", " t pose "},
                                 {"IdleToDie_01", " idle to die 01 "},
                                 {"Death2", " death 2 "},
                                 {"FPSWalk", " fps walk "},
                                 {"DEATH", " death "},
                                 {"--läuft..", " läuft "},
                                 {"", " "}};
  for (const auto& [name, words] : rows) EXPECT_EQ(app::words_of(name), words);
}

TEST(ClipNames, OfDeathsAndBindPosesAreExcludedWithoutThoseThatHaveTheWordInAnother) {
  for (const char* name : {"Armature|Die", "HumanArmature|Man_Death", "T-Pose", "TPose", "tpose", "t_pose", "T Pose",
                           "Death_A_Pose", "dead01", "IdleToDie", "Lie_Down", "BindPose", "mixamo.com|Bind"})
    EXPECT_TRUE(app::has_excluded_name(name)) << name;
  for (const char* name : {"soldier_walk", "SoldierIdle", "Deadlift", "audience", "believe", "binding", "Sit-pose",
                           "deathly", "Walk", "", "outpost"})
    EXPECT_FALSE(app::has_excluded_name(name)) << name;
}

}  // namespace
}  // namespace sinew::test
