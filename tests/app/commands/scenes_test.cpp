// --scene and --list-scenes of `sinew crowd`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "crowd_program.h"
#include "long_run.h"
#include "scene/scenes/scenes.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;

TEST(ScenesUsage, AListHasALineForEachScene) {
  const Outcome outcome =
      sinew({"crowd", "--list-scenes"}, {{"VK_ICD_FILENAMES", "/none"}, {"VK_DRIVER_FILES", "/none"}});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(size_t(std::count(outcome.out.begin(), outcome.out.end(), '\n')), app::scene_kinds().size());
  for (const app::SceneKind& kind : app::scene_kinds()) EXPECT_THAT(outcome.out, HasSubstr(std::string(kind.name)));
  EXPECT_EQ(outcome.err, "");
}

TEST(ScenesUsage, AnUnknownSceneIsALineWithTheNames) {
  const Outcome outcome = sinew({"crowd", "--scene", "beach"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("'beach'"));
  EXPECT_THAT(outcome.err, HasSubstr("stadium, marathon, square, march, hills, stress"));
}

CrowdRun draw(const std::string& scene, const std::string& seed, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"--scene",  scene, "--seed",   seed, "--characters",    "60",
                                     "--frames", "2",   "--warmup", "1",  "--start-seconds", "2"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return crowd(arguments);
}

TEST_F(Crowd, EachSceneIsValidAndDeterministic) {
  for (const app::SceneKind& kind : app::scene_kinds()) {
    const std::string name(kind.name);
    SCOPED_TRACE(name);
    const CrowdRun run = draw(name, "3", {"--validate"});
    ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
    EXPECT_EQ(run.json["runs"][0]["scene"], name);
    EXPECT_EQ(run.json["runs"][0]["characters"], 60);
    EXPECT_EQ(run.json["runs"][0]["validation_messages"], 0);
    EXPECT_GT(run.json["runs"][0]["visible"], 10);
    EXPECT_EQ(run.picture.rgba, draw(name, "3").picture.rgba);
    EXPECT_GT(difference(run.picture, draw(name, "4").picture).share, 0.01);
    if (!is_long_run()) break;  // tests of scenes make and plan the others
  }
}

TEST_F(Crowd, AListOfSkinningModesMovesOneScene) {
  const CrowdRun both = draw("marathon", "3", {"--skinning", "vertex,compute"});
  ASSERT_EQ(both.outcome.exit_code, 0) << both.outcome.err;
  EXPECT_LT(difference(both.picture, draw("marathon", "3").picture).share, 0.001);
}

TEST_F(Crowd, ASceneHasItsOwnNumberOfCharacters) {
  const CrowdRun run = crowd({"--scene", "square", "--frames", "1", "--warmup", "0"});
  ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
  EXPECT_EQ(run.json["runs"][0]["characters"], app::find_scene("square")->characters);
}

}  // namespace
}  // namespace sinew::test
