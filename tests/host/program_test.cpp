// The command line of a small program.
#include "host/program.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace host {
namespace {

std::optional<Options> given;  // what the program ran with

int run(std::vector<const char*> words) {
  given.reset();
  Program program{.name = "test", .summary = "tests"};
  program.file_help = "a character";
  program.file = "built-in.glb", program.headless_frames = 5;
  program.numbers[1] = {"--characters", "number of characters", 40, 1000};
  program.run = [](const Options& options) {
    given = options;
    if (options.file == "missing") throw Missing("no rays");
    if (options.file == "bad") fail("bad file");
  };
  words.insert(words.begin(), "test");
  return run_program(program, int(words.size()), const_cast<char**>(words.data()));
}

TEST(Program, HasItsDefaults) {
  ASSERT_EQ(run({}), 0);
  ASSERT_TRUE(given);
  EXPECT_EQ(given->file, "built-in.glb");
  EXPECT_EQ(given->picture, "");
  EXPECT_EQ(given->frames, 0u) << "until the window is closed";
  EXPECT_EQ(given->numbers[1], 40u);
  EXPECT_FALSE(given->validate);
}

TEST(Program, ReadsEveryOption) {
  ASSERT_EQ(
      run({"--size", "320x180", "a.glb", "--headless", "p.png", "--characters", "7", "--seconds", "1.5", "--validate"}),
      0);
  ASSERT_TRUE(given);
  EXPECT_EQ(given->file, "a.glb");
  EXPECT_EQ(given->picture, "p.png");
  EXPECT_EQ(given->frames, 1u) << "of a picture at one time, without --frames";
  EXPECT_EQ(given->seconds, 1.5);
  EXPECT_EQ(given->width, 320u);
  EXPECT_EQ(given->height, 180u);
  EXPECT_EQ(given->numbers[1], 7u);
  EXPECT_TRUE(given->validate);
}

TEST(Program, RefusesWhatIsNotRight) {
  for (const std::vector<const char*>& words : std::vector<std::vector<const char*>>{{"--size", "320"},
                                                                                     {"--size", "0x5"},
                                                                                     {"--frames", "x"},
                                                                                     {"--frames"},
                                                                                     {"--characters", "1001"},
                                                                                     {"--characters", "0"},
                                                                                     {"--seconds", "-1"},
                                                                                     {"--seconds", "nan"},
                                                                                     {"--other"},
                                                                                     {"a", "b"}}) {
    EXPECT_EQ(run(words), 2) << words[0];
    EXPECT_FALSE(given) << words[0];
  }
}

TEST(Program, WithoutAWordForItTakesNoFile) {
  Program program{.name = "test", .summary = "tests"};
  program.run = [](const Options&) { FAIL(); };
  const char* words[] = {"test", "a.glb"};
  EXPECT_EQ(run_program(program, 2, const_cast<char**>(words)), 2);
}

TEST(Program, SaysByItsExitCodeHowItEnded) {
  EXPECT_EQ(run({"missing"}), 77);
  EXPECT_EQ(run({"bad"}), 1);
  EXPECT_EQ(run({"--help"}), 0);
  EXPECT_FALSE(given);
}

}  // namespace
}  // namespace host
