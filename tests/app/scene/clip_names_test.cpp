// Clip names are matched by whole words: "soldier" does not contain the word "die".
#include "scene/names.h"

#include <gtest/gtest.h>

namespace sinew::test {
namespace {

TEST(ClipNames, AreSplitIntoWords) {
  EXPECT_EQ(app::words_of("Armature|Die"), " armature die ");
  EXPECT_EQ(app::words_of("TPose"), " t pose ");
  EXPECT_EQ(app::words_of("IdleToDie_01"), " idle to die 01 ");
  EXPECT_EQ(app::words_of("Death2"), " death 2 ");
  EXPECT_EQ(app::words_of("FPSWalk"), " fps walk ");
  EXPECT_EQ(app::words_of("DEATH"), " death ");
  EXPECT_EQ(app::words_of("--läuft.."), " läuft ");
  EXPECT_EQ(app::words_of(""), " ");
}

TEST(ClipNames, OfDeathsAndBindPosesAreExcluded) {
  for (const char* name : {"Armature|Die", "HumanArmature|Man_Death", "T-Pose", "TPose", "tpose", "t_pose", "T Pose",
                           "Death_A_Pose", "dead01", "IdleToDie", "Lie_Down", "BindPose", "mixamo.com|Bind"}) {
    EXPECT_TRUE(app::has_excluded_name(name)) << name;
  }
}

TEST(ClipNames, ThatContainAnExcludedWordInAnotherWordAreNotExcluded) {
  for (const char* name : {"soldier_walk", "SoldierIdle", "Deadlift", "audience", "believe", "binding", "Sit-pose",
                           "deathly", "Walk", "", "outpost"}) {
    EXPECT_FALSE(app::has_excluded_name(name)) << name;
  }
}

}  // namespace
}  // namespace sinew::test
