// What is seen while the program loads, before its first frame.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "crowd_program.h"
#include "system/clock.h"
#include "window/desktop.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr, ::testing::Not;

const std::vector<std::string> kShort = {"crowd",    "--scene", "crowd",  "--characters", "3",
                                         "--frames", "1",       "--size", "64x64"};

class StartupOnATerminal : public Crowd {};

TEST_F(StartupOnATerminal, NamesTheStage) {
  std::string command = program();
  for (const std::string& word : kShort) command += " " + word;
  const std::vector<std::string> terminal = {"script", "--quiet", "--return", "--command", command, "/dev/null"};
  const app::Stopwatch watch;
  const Outcome shown = run(terminal, {{"SINEW_CACHE", "off"}});
  ASSERT_EQ(shown.exit_code, 0) << shown.out;
  if (watch.elapsed_ms() < 2000) GTEST_SKIP() << "SKIPPED: this machine needs no progress";
  EXPECT_THAT(shown.out, HasSubstr("\rmaking levels of detail of character: "));
  EXPECT_THAT(sinew(kShort, {{"SINEW_CACHE", "off"}}).err, Not(HasSubstr("making")));
}

TEST_F(StartupOnATerminal, NamesTheBake) {
  const std::string knight = shared("models/kaykit/Knight.glb");
  SINEW_SKIP_WITHOUT(knight);
  std::string command = program() + " crowd --characters 1 --frames 1 --size 64x64";
  for (int i = 0; i < 5; ++i) command += " " + knight;
  const Outcome shown = run({"script", "--quiet", "--return", "--command", command, "/dev/null"});
  ASSERT_EQ(shown.exit_code, 0) << shown.out;
  std::smatch bake;  // "bake    5 models in 4,835 ms"
  ASSERT_TRUE(std::regex_search(shown.out, bake, std::regex("5 models in ([0-9,]+) ms"))) << shown.out;
  std::string ms = bake[1];
  std::erase(ms, ',');
  if (std::stoul(ms) < 2000) GTEST_SKIP() << "SKIPPED: this machine bakes five models in " << ms << " ms";
  EXPECT_THAT(shown.out, HasSubstr("baking Knight, "));
  const Outcome quiet = run({"sh", "-c", command});
  EXPECT_THAT(quiet.out + quiet.err, Not(HasSubstr("baking ")));
}

class StartupWindow : public Desktop {
 protected:
  void start(std::vector<std::string> arguments) {
    Environment environment = display_;
    environment["SINEW_CONTROLS"] = folder_.path("controls");
    environment["SINEW_CACHE"] = "off";  // loading takes some seconds then
    arguments.insert(arguments.begin(), program());
    program_ =
        std::make_unique<Background>(arguments, environment, folder_.path("sinew.out"), folder_.path("sinew.err"));
  }
  void expect_empty_scene() {
    ASSERT_TRUE(eventually(60, [&] { return has_control("loading") || !program_->running(); }));
    ASSERT_TRUE(eventually(60, [&] { return color_count(screen()) > 100 || !has_control("loading"); }));
    EXPECT_TRUE(has_control("loading")) << "nothing was seen before the characters were loaded";
  }
};

TEST_F(StartupWindow, ShowsTheGroundBeforeThePeople) {
  start({"crowd", "--window", "--characters", "20", "--size", "470x600", "--validate"});
  expect_empty_scene();
  constexpr int kLoading = 240;  // of a machine that does more at once
  eventually(kLoading, [&] { return has_control("panel sinew crowd") || !program_->running(); });
  EXPECT_TRUE(has_control("panel sinew crowd")) << read(folder_.path("sinew.err"));
  close();
}

TEST_F(StartupWindow, ClosesWhileCharactersAreLoaded) {
  start({"view", SINEW_SOURCE_DIR "/assets/character.glb", "--size", "470x600", "--validate"});
  expect_empty_scene();
  close();
}

}  // namespace
}  // namespace sinew::test
