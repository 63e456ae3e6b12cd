// What the program does before its first frame: what it keeps of earlier runs, and what is seen meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "cache_folder.h"
#include "crowd_program.h"
#include "system/cache.h"
#include "system/clock.h"
#include "window/desktop.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr, ::testing::Not;

const std::vector<std::string> kShort = {"crowd", "--characters", "3", "--frames", "1", "--size", "64x64"};

class Startup : public Crowd {
 protected:
  app::test::CacheFolder cache_;
};

TEST_F(Startup, WhatIsKeptChangesNothing) {
  const std::vector<std::string> arguments = {"--characters", "3", "--frames", "1", "--validate"};
  const CrowdRun first = crowd(arguments), second = crowd(arguments), off = crowd(arguments, {{"SINEW_CACHE", "off"}});
  ASSERT_EQ(off.outcome.exit_code, 0) << off.outcome.err;
  for (const CrowdRun& run : {first, second}) {
    ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
    EXPECT_EQ(run.json["runs"][0]["output_hash"], off.json["runs"][0]["output_hash"]);
    EXPECT_EQ(run.json["runs"][0]["validation_messages"], 0);
    EXPECT_EQ(run.picture.rgba, off.picture.rgba);
  }
}

TEST_F(Startup, BandwidthIsMeasuredOnce) {
  ASSERT_EQ(sinew(kShort).exit_code, 0);
  ASSERT_EQ(cache_.files("bandwidth-").size(), 1u);
  const std::string kept = read(cache_.files("bandwidth-")[0].string());
  ASSERT_EQ(sinew(kShort).exit_code, 0);
  EXPECT_EQ(read(cache_.files("bandwidth-")[0].string()), kept) << "it was measured again";
  std::vector<std::string> reported = kShort;
  Folder folder;
  reported.insert(reported.end(), {"--json", folder.path("report.json")});
  ASSERT_EQ(sinew(reported).exit_code, 0);
  EXPECT_NE(read(cache_.files("bandwidth-")[0].string()), kept) << "reports have figures of their own run";
}

TEST_F(Startup, DamagedFilesAreMadeAgain) {
  const std::string other = SINEW_SOURCE_DIR "/assets/looks/farmer.glb";  // not prepared without more clips
  std::vector<std::string> arguments = kShort;
  arguments.push_back(other);
  ASSERT_EQ(sinew(arguments).exit_code, 0);
  ASSERT_FALSE(cache_.files("levels-").empty());
  ASSERT_FALSE(cache_.files("bandwidth-").empty());
  for (const std::filesystem::path& file : cache_.files()) {
    std::string bytes = read(file.string());
    bytes[bytes.size() / 2] ^= 1;
    write(file.string(), bytes);
  }
  const std::string name = cache_.files("bandwidth-")[0].filename();
  ASSERT_FALSE(app::read_kept(name));
  const Outcome again = sinew(arguments);
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(without_warnings(again.err), "");
  EXPECT_TRUE(app::read_kept(name));
}

TEST_F(Startup, NeedsNoFolderToKeepThingsIn) {
  const Outcome done = sinew(kShort, {{"XDG_CACHE_HOME", "/proc/no/such/folder"}});
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_THAT(done.err, Not(HasSubstr("sinew"))) << "a driver may complain";
}

TEST_F(Startup, KeepsNothingWhereItIsOff) {
  ASSERT_EQ(sinew(kShort, {{"SINEW_CACHE", "off"}}).exit_code, 0);
  EXPECT_TRUE(cache_.files().empty());
}

TEST_F(Startup, NamesTheStageOnATerminal) {
  std::string command = SINEW_PROGRAM;
  for (const std::string& word : kShort) command += " " + word;
  const std::vector<std::string> terminal = {"script", "--quiet", "--return", "--command", command, "/dev/null"};
  const app::Stopwatch watch;
  const Outcome shown = run(terminal, {{"SINEW_CACHE", "off"}});
  ASSERT_EQ(shown.exit_code, 0) << shown.out;
  if (watch.elapsed_ms() < 2000) GTEST_SKIP() << "SKIPPED: this machine needs no progress";
  EXPECT_THAT(shown.out, HasSubstr("\rmaking levels of detail of character, 1 of 5: "));
  EXPECT_THAT(sinew(kShort, {{"SINEW_CACHE", "off"}}).err, Not(HasSubstr("making")));
}

class StartupWindow : public Desktop {
 protected:
  void start(std::vector<std::string> arguments) {
    Environment environment = display_;
    environment["SINEW_CONTROLS"] = folder_.path("controls");
    environment["SINEW_CACHE"] = "off";  // loading takes some seconds then
    arguments.insert(arguments.begin(), SINEW_PROGRAM);
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
  if (IsSkipped()) return;
  start({"crowd", "--window", "--characters", "20", "--size", "470x600", "--validate"});
  expect_empty_scene();
  EXPECT_TRUE(eventually(90, [&] { return has_control("stages, medians in ms"); })) << read(folder_.path("sinew.err"));
  close();
}

TEST_F(StartupWindow, ClosesWhileCharactersAreLoaded) {
  if (IsSkipped()) return;
  start({"view", SINEW_SOURCE_DIR "/assets/character.glb", "--size", "470x600", "--validate"});
  expect_empty_scene();
  close();
}

}  // namespace
}  // namespace sinew::test
