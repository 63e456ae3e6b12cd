// Output files: a failed write is an error, and no input file is overwritten. Also numeric options and unusual clips.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "child.h"
#include "long_run.h"
#include "scene/model.h"
#include "sinew/asset/character_file.h"

namespace sinew::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Outcome in_shell(const std::string& command) { return run({"sh", "-c", "exec " SINEW_PROGRAM " " + command}); }

void expect_one_line(const Outcome& outcome, int exit_code, const std::vector<std::string>& words) {
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  for (const std::string& word : words) EXPECT_THAT(outcome.err, HasSubstr(word));
}

TEST(Output, ToAFullDeviceIsAnError) {
  const Folder folder;
  for (const std::string& command :
       {std::string(), std::string("--help"), std::string("--version"), "info " + kCharacter,
        "bake " + kCharacter + " --plain --output -", "bake " + kCharacter + " --plain --output " + folder.path("a"),
        "pose " + kCharacter + " --skinning cpu --output " + folder.path("b")}) {
    expect_one_line(in_shell(command + " > /dev/full"), 1, {"standard output", "No space"});
    expect_one_line(in_shell(command + " >&-"), 1, {"standard output"});
  }
  EXPECT_EQ(in_shell("info missing.glb 2> /dev/full").exit_code, 1);
  expect_one_line(sinew({"info", kCharacter, "--json", "/dev/full"}), 1, {"/dev/full"});
}

TEST(Output, OfACrowdToAFullDeviceIsAnError) {
  SINEW_SKIP_WITHOUT_DEVICE();
  const std::string crowd = "crowd --characters 2 --frames 1 --size 64x64 ";
  expect_one_line(in_shell(crowd + "> /dev/full"), 1, {"standard output"});
  expect_one_line(in_shell("devices > /dev/full"), 1, {"standard output"});
  for (const char* option : {"--json", "--screenshot"}) {
    EXPECT_EQ(in_shell(crowd + option + " /dev/full 2> /dev/full").exit_code, 1) << option;
  }
}

class OverwrittenInput : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::copy_file(kCharacter, input_);
    fs::create_symlink("x.glb", folder_.path("symbolic.glb"));
    fs::create_hard_link(input_, folder_.path("hard.glb"));
  }
  void TearDown() override { EXPECT_EQ(read(input_), read(kCharacter)); }

  const Folder folder_;
  const std::string input_ = folder_.path("x.glb");
};

TEST_F(OverwrittenInput, IsRefusedForEveryPathToTheFile) {
  for (const char* name : {"x.glb", "./x.glb", "symbolic.glb", "hard.glb"}) {
    const std::string output = folder_.path(name);
    expect_one_line(sinew({"bake", input_, "--output", output}), 2, {"--output", output, "overwrite"});
    expect_one_line(sinew({"pose", input_, "--skinning", "cpu", "--output", output}), 2, {"--output", output});
    expect_one_line(sinew({"info", input_, "--json", output}), 2, {"--json", output});
    expect_one_line(sinew({"crowd", input_, "--screenshot", output}), 2, {"--screenshot", output});
    expect_one_line(sinew({"bake", kCharacter, "--animation", input_, "--output", output}), 2, {"--output", output});
  }
}

TEST_F(OverwrittenInput, IsRefusedForAnImageOfTheCharacter) {
  ASSERT_EQ(sinew({"bake", input_, "--plain", "--output", folder_.path("a.sinew")}).exit_code, 0);
  auto file = load_character_file(folder_.path("a.sinew"));
  ASSERT_TRUE(file);
  file->character.images = {{"skin.png", 1, 1, {1, 2, 3, 4}}};
  ASSERT_TRUE(write_character_file(folder_.path("a.sinew"), *file));
  write(folder_.path("skin.png"), "precious");
  expect_one_line(sinew({"bake", folder_.path("a.sinew"), "--output", folder_.path("skin.png")}), 1, {"skin.png"});
  EXPECT_EQ(read(folder_.path("skin.png")), "precious");
}

TEST(Output, TwoOptionsWithOneFileAreRefused) {
  const Folder folder;
  fs::create_symlink("a", folder.path("link"));
  const std::string a = folder.path("a");
  for (const std::string& other : {a, folder.path("./a"), folder.path("link")}) {
    expect_one_line(sinew({"crowd", "--json", a, "--screenshot", other}), 2, {"--json", "--screenshot"});
  }
  EXPECT_THAT(folder.files(), ElementsAre("link"));
}

TEST(Output, PicturesWithTheEndingOfAnotherFormatAreRefused) {
  for (const char* command : {"crowd", "view"})
    expect_one_line(sinew({command, kCharacter, "--screenshot", "a.JPG"}), 2, {"--screenshot", "a.JPG", ".png"});
}

TEST(StandardOutput, HasTheFileAloneAndStandardErrorTheText) {
  const Folder folder;
  const std::string json = folder.path("a.json"), ply = folder.path("a.ply");
  const Outcome info = sinew({"info", kCharacter, "--json", json});
  ASSERT_EQ(info.exit_code, 0) << info.err;
  const Outcome info_piped = sinew({"info", kCharacter, "--json", "-"});
  EXPECT_EQ(info_piped.out, read(json));
  EXPECT_EQ(info_piped.err, info.out);
  const std::vector<std::string> pose{"pose", kCharacter, "--skinning", "cpu", "--quiet", "--output"};
  auto to_file = pose, piped = pose;
  to_file.push_back(ply), piped.push_back("-");
  const Outcome quiet = sinew(to_file);
  EXPECT_EQ(quiet.out + quiet.err, "");
  const Outcome posed = sinew(piped);
  EXPECT_TRUE(posed.out == read(ply));
  EXPECT_EQ(posed.err, "");
  expect_one_line(sinew({"crowd", "--json", "-", "--csv", "-"}), 2, {"--json", "--csv", "one file"});
}

TEST(StandardError, HasTheWarningsAndNoColorsInAFile) {
  if (!has_device()) GTEST_SKIP() << "NO VULKAN DEVICE: the crowd was not tested here";
  const std::vector<std::string> crowd{"crowd", kCharacter, "--characters", "1", "--frames", "1", "--size", "64x64"};
  const Outcome outcome = sinew(crowd);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, Not(HasSubstr("WARNING")));
  EXPECT_THAT(outcome.out, Not(HasSubstr("+- 0.0 %"))) << "one frame has no spread";
  EXPECT_THAT(outcome.err, Not(HasSubstr("\x1b")));
  const bool is_cpu = outcome.out.find("(cpu)") != outcome.out.npos;
  EXPECT_EQ(outcome.err.find("WARNING: this device is a CPU") != outcome.err.npos, is_cpu);
}

/// Ctrl-C so many seconds after the lines about the machine. Returns the exit code.
int interrupt_a_crowd(int seconds, const Folder& folder) {
  const std::string out = folder.path("out");
  Background crowd({SINEW_PROGRAM, "crowd", kCharacter, "--characters", "1", "--frames", "1000000", "--size", "64x64",
                    "--json", folder.path("a.json")},
                   {}, out, folder.path("err"));
  while (crowd.running() && read(out).find("build\n") == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::seconds(seconds));
  crowd.signal(SIGINT);
  while (crowd.running()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return crowd.exit_code();
}

/// Ctrl-C during a long measurement. A machine that does other work too is later behind the bandwidths and the warm-up.
TEST(Interrupt, ReportsWhatWasMeasured) {
  if (!has_device()) GTEST_SKIP() << "NO VULKAN DEVICE: the crowd was not tested here";
  const Folder folder;
  int exit_code = 0;
  for (const int seconds : {2, 8, 32}) {
    exit_code = interrupt_a_crowd(seconds, folder);
    if (fs::exists(folder.path("a.json"))) break;
  }
  EXPECT_EQ(exit_code, 130) << read(folder.path("err"));
  EXPECT_THAT(read(folder.path("out")), HasSubstr("Interrupted: "));
  const std::string report = read(folder.path("a.json"));
  EXPECT_THAT(report, HasSubstr("\"interrupted\": true"));
  EXPECT_THAT(report, Not(HasSubstr("\"frames\": 1000000")));
}

TEST(NumericOptions, AreParsedCompletelyOrRefused) {
  for (const char* word : {"-1", "0x10", "nan", ""}) {  // options_test.cpp has more
    for (const char* option : {"--error", "--reach", "--min-rate", "--max-rate", "--max-influences"}) {
      expect_one_line(sinew({"bake", kCharacter, "--output", "-", option, word}), 2, {option});
    }
  }
  expect_one_line(sinew({"bake", kCharacter, "--output", "-", "--min-rate", "60", "--max-rate", "30"}), 2,
                  {"--min-rate"});
}

/// A clip of 500,000 s with two keys.
Clip make_long_clip() {
  JointTracks tracks;
  tracks.translation = {{0, 500000}, {{0, 0, 0}, {1, 0, 0}}, Interpolation::kLinear};
  Clip clip{"endless", 0, 0, {tracks}};
  set_time_range(clip);
  return clip;
}

TEST(LongClips, AreRefusedBeforeTheBake) {
  const Folder folder;
  const std::string plain = folder.path("a.sinew"), output = folder.path("b.sinew");
  ASSERT_EQ(sinew({"bake", kCharacter, "--plain", "--output", plain}).exit_code, 0);
  auto file = load_character_file(plain);
  ASSERT_TRUE(file);
  file->character.clips.push_back(make_long_clip());
  ASSERT_TRUE(write_character_file(plain, *file));
  expect_one_line(sinew({"bake", plain, "--output", output}), 1, {plain, "'endless' of 500000 s", "524288"});
  EXPECT_EQ(sinew({"bake", plain, "--plain", "--output", output}).exit_code, 0);
  if (!has_device()) GTEST_SKIP() << "NO VULKAN DEVICE: the crowd was not tested here";
  const std::vector<std::string> crowd = {"crowd", plain, "--characters", "2", "--frames", "1", "--size", "64x64"};
  expect_one_line(sinew(crowd), 1, {"'endless' of 500000 s", "--evaluator exact"});
}

TEST(AdditiveClips, AreAddedToTheRestPoseAndNotPlayedByACrowd) {
  const Folder folder;
  const std::string plain = folder.path("a.sinew");
  ASSERT_EQ(sinew({"bake", kCharacter, "--plain", "--output", plain}).exit_code, 0);
  auto file = load_character_file(plain);
  ASSERT_TRUE(file);
  file->character.clips = {{"nothing", 0, 1, {}, true}};
  ASSERT_TRUE(write_character_file(plain, *file));
  const auto pose = [&](const char* name, const char* evaluator) {
    const Outcome outcome = sinew({"pose", plain, "--clip", "nothing", "--evaluator", evaluator, "--skinning", "cpu",
                                   "--output", folder.path(name)});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::string ply = read(folder.path(name));
    return ply.substr(ply.find("end_header"));
  };
  const std::string added = pose("added.ply", "exact");
  const auto model = app::load_model(plain, {});
  ASSERT_TRUE(model);
  EXPECT_THAT(model->clips, IsEmpty());
  file->character.clips = {{"nothing", 0, 1, {}}};
  ASSERT_TRUE(write_character_file(plain, *file));
  EXPECT_TRUE(added == pose("rest.ply", "exact"));
}

}  // namespace
}  // namespace sinew::test
