// The manual page, and the completions of shells.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "child.h"

namespace sinew::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Both are made of the options that the parser has: an option without them would be one that no row has.
TEST(Completions, AndTheManualHaveEveryOptionOfTheHelp) {
  const std::string page = sinew({"manual"}).out, bash = sinew({"completions", "bash"}).out;
  const std::string zsh = sinew({"completions", "zsh"}).out, fish = sinew({"completions", "fish"}).out;
  size_t count = 0;
  for (const char* command : {"crowd", "view", "info", "pose", "bake", "devices"}) {
    std::istringstream help(sinew({command, "--help-all"}).out);
    for (std::string line; std::getline(help, line);) {
      const size_t begin = line.find("--");
      if (!line.starts_with("  -")) continue;
      const std::string name = line.substr(begin, line.find(' ', begin) - begin);
      std::string escaped;
      for (const char c : name) escaped += c == '-' ? std::string("\\-") : std::string(1, c);
      EXPECT_THAT(page, HasSubstr(escaped));
      EXPECT_THAT(bash, HasSubstr(name));
      EXPECT_THAT(zsh, HasSubstr("'" + name + "["));
      EXPECT_THAT(fish, HasSubstr(" -l " + name.substr(2) + " "));
      ++count;
    }
  }
  EXPECT_GT(count, 100u);
}

TEST(Completions, BashCompletesCommandsOptionsAndTheirWords) {
  const Folder folder;
  write(folder.path("sinew"), sinew({"completions", "bash"}).out);
  const auto complete = [&](const std::string& words, int count) {
    return run({"bash", "-c",
                "source " + folder.path("sinew") + "; COMP_WORDS=(sinew " + words +
                    "); COMP_CWORD=" + std::to_string(count) + "; _sinew; echo ${COMPREPLY[@]}"})
        .out;
  };
  EXPECT_EQ(complete("cr", 1), "crowd\n");
  EXPECT_EQ(complete("crowd --lig", 2), "--light\n");
  EXPECT_EQ(complete("crowd --light d", 3), "day dusk\n");
  EXPECT_EQ(complete("crowd dusk", 2), "\n") << "a file";
}

bool is_installed(const std::string& shell) { return run({"bash", "-c", "command -v " + shell}).exit_code == 0; }

TEST(Completions, FishCompletesCommandsOptionsAndTheirWords) {
  if (!is_installed("fish")) GTEST_SKIP() << "fish is not installed";
  const Folder folder;
  write(folder.path("sinew.fish"), sinew({"completions", "fish"}).out);
  const auto complete = [&](const std::string& line) {
    return run({"fish", "--no-config", "-c", "source " + folder.path("sinew.fish") + "; complete -C '" + line + "'"})
        .out;
  };
  EXPECT_THAT(complete("sinew cr"), StartsWith("crowd\tDraws a crowd"));
  EXPECT_THAT(complete("sinew crowd --lig"), StartsWith("--light\t"));
  EXPECT_THAT(complete("sinew crowd --light d"),
              AllOf(HasSubstr("day"), HasSubstr("dusk\t"), Not(HasSubstr("night\t"))));
}

TEST(Completions, ZshReadsItsCompletions) {
  if (!is_installed("zsh")) GTEST_SKIP() << "zsh is not installed";
  const Folder folder;
  write(folder.path("_sinew"), sinew({"completions", "zsh"}).out);
  const Outcome registered =
      run({"zsh", "-f", "-c",
           "fpath=(" + folder.path("") + " $fpath); autoload -Uz compinit; compinit -u -D; zsh -n " +
               folder.path("_sinew") + " && print ${_comps[sinew]}"});
  EXPECT_EQ(registered.out, "_sinew\n") << registered.err;
}

}  // namespace
}  // namespace sinew::test
