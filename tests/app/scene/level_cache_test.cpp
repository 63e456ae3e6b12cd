// Levels that were kept: read again, made again where the file is damaged, and others for other characters.
#include "scene/prepared.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "animation/rig.h"
#include "cache_folder.h"
#include "scene/model.h"

namespace sinew::app {
namespace {

class LevelCache : public ::testing::Test {
 protected:
  static Model model_of(uint32_t seed) {
    Model model;
    model.character = test::rig_with_triangles({.joints = 30, .clips = 1, .seed = seed});
    return model;
  }
  std::vector<std::filesystem::path> files() const { return folder_.files(); }

  test::CacheFolder folder_;
};

TEST_F(LevelCache, ReadsWhatItKept) {
  Model made = model_of(1), read = model_of(1), other = model_of(2);
  ASSERT_TRUE(add_levels(made));
  ASSERT_FALSE(made.levels.empty());
  ASSERT_EQ(files().size(), 1u);
  ASSERT_TRUE(read_levels(levels_key(read), read));
  ASSERT_EQ(read.levels.size(), made.levels.size());
  EXPECT_EQ(read.character.materials.size(), made.character.materials.size());
  for (size_t i = 0; i < made.levels.size(); ++i) {
    EXPECT_EQ(read.levels[i].error, made.levels[i].error);
    EXPECT_EQ(read.levels[i].mesh.indices, made.levels[i].mesh.indices);
    EXPECT_EQ(read.levels[i].skin.palette_size(), made.levels[i].skin.palette_size());
  }
  EXPECT_FALSE(read_levels(levels_key(other), other)) << "another character has other levels";
}

TEST_F(LevelCache, MakesADamagedFileAgain) {
  Model made = model_of(1);
  ASSERT_TRUE(add_levels(made));
  ASSERT_EQ(files().size(), 1u);
  const std::filesystem::path file = files()[0];
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(300).write("damaged", 7);
  Model again = model_of(1);
  EXPECT_FALSE(read_levels(levels_key(again), again));
  ASSERT_TRUE(add_levels(again));
  EXPECT_EQ(again.levels.size(), made.levels.size());
  Model read = model_of(1);
  EXPECT_TRUE(read_levels(levels_key(read), read));
}

TEST_F(LevelCache, IsNotNeeded) {
  setenv("XDG_CACHE_HOME", "/proc/no/such/folder", 1);
  Model made = model_of(1);
  EXPECT_TRUE(add_levels(made));
  EXPECT_FALSE(made.levels.empty());
}

}  // namespace
}  // namespace sinew::app
