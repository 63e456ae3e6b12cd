// Help texts, and errors for wrong command lines, bad files and missing devices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "child.h"
#include "sinew/version.h"

namespace sinew::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// The exit code, one line on standard error that contains the words, and nothing on standard output.
void expect_refused(const Outcome& outcome, int exit_code, const std::vector<std::string>& words) {
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_THAT(outcome.err, ::testing::StartsWith("sinew: "));
  for (const std::string& word : words) EXPECT_THAT(outcome.err, HasSubstr(word));
  EXPECT_THAT(outcome.out, IsEmpty());
}

TEST(Usage, NoArgumentsPrintTenLinesOfFirstCommands) {
  const Outcome outcome = sinew({});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 10) << outcome.out;
  for (const char* command : {"sinew crowd", "sinew view", "sinew info", "sinew pose", "sinew devices", "sinew help"}) {
    EXPECT_THAT(outcome.out, HasSubstr(command));
  }
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(Usage, EveryCommandHasHelp) {
  EXPECT_THAT(sinew({"--help"}).out, HasSubstr("crowd"));
  const std::pair<const char*, const char*> option_of[] = {{"crowd", "--characters"},
                                                           {"info", "--json"},
                                                           {"pose", "--time"},
                                                           {"view", "--samples-per-pixel"},
                                                           {"devices", "--help"}};
  for (const auto& [command, option] : option_of) {
    const Outcome outcome = sinew({command, "--help-all"});
    EXPECT_EQ(outcome.exit_code, 0) << command;
    EXPECT_THAT(outcome.out, HasSubstr(option));
  }
}

TEST(Usage, CaptureWithoutRenderDocExplainsHowToCapture) {
  const Outcome outcome = sinew({"crowd", "--characters", "1", "--frames", "1", "--renderdoc-capture", "1"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out;
  EXPECT_THAT(outcome.err, HasSubstr("sinew: RenderDoc is not loaded; "));
  EXPECT_THAT(outcome.err, ::testing::AnyOf(HasSubstr("renderdoccmd capture"), HasSubstr("librenderdoc-dev")));
}

TEST(Usage, VersionIsThatOfTheLibrary) {
  for (const char* option : {"--version", "-V"}) EXPECT_EQ(sinew({option}).out, "sinew " SINEW_VERSION_STRING "\n");
}

TEST(Usage, MisspelledWordsAreAnsweredWithThoseThatAreMeant) {
  expect_refused(sinew({"crwd"}), 2, {"there is no command 'crwd'; did you mean crowd?"});
  expect_refused(sinew({"crowd", "--charcters", "3"}), 2, {"unknown option --charcters; did you mean --characters?"});
  expect_refused(sinew({"crowd", "--scene", "stadum"}), 2, {"no scene 'stadum'", "did you mean stadium?"});
  expect_refused(sinew({"crowd", "--skinning", "conpute"}), 2, {"did you mean compute?"});
  expect_refused(sinew({"view", "--camera", "frnt"}), 2, {"did you mean front?"});
  EXPECT_THAT(sinew({"crowd", "--skinning", "magic"}).err, Not(HasSubstr("did you mean"))) << "nothing is like it";
}

TEST(Usage, AFileAloneIsShown) {
  const Outcome outcome = sinew({"nowhere.glb", "--screenshot", "a.png"});
  expect_refused(outcome, 1, {"nowhere.glb"});
  EXPECT_EQ(outcome.err, sinew({"view", "nowhere.glb", "--screenshot", "a.png"}).err);
}

/// Both are made of the options that the parser has: an option without them would be one that no row has.
TEST(Usage, CompletionsAndTheManualHaveEveryOptionOfTheHelp) {
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
  expect_refused(sinew({"completions", "tcsh"}), 2, {"tcsh"});
}

TEST(Usage, BashCompletesCommandsOptionsAndTheirWords) {
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

TEST(Usage, FishCompletesCommandsOptionsAndTheirWords) {
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

TEST(Usage, ZshReadsItsCompletions) {
  if (!is_installed("zsh")) GTEST_SKIP() << "zsh is not installed";
  const Folder folder;
  write(folder.path("_sinew"), sinew({"completions", "zsh"}).out);
  const Outcome registered =
      run({"zsh", "-f", "-c",
           "fpath=(" + folder.path("") + " $fpath); autoload -Uz compinit; compinit -u -D; zsh -n " +
               folder.path("_sinew") + " && print ${_comps[sinew]}"});
  EXPECT_EQ(registered.out, "_sinew\n") << registered.err;
}

TEST(Usage, WrongCommandLinesAreUsageErrors) {
  expect_refused(sinew({"dance"}), 2, {"dance", "sinew --help"});
  expect_refused(sinew({"info"}), 2, {"file", "sinew info --help"});
  expect_refused(sinew({"info", "a.glb", "--jason", "x"}), 2, {"--jason", "sinew info --help"});
  expect_refused(sinew({"info", "a.glb", "--json"}), 2, {"--json"});
  expect_refused(sinew({"pose", "a.glb"}), 2, {"--output", "sinew pose --help"});
  expect_refused(sinew({"pose", "a.glb", "--outptu", "a.ply"}), 2, {"unknown option --outptu"});
  expect_refused(sinew({"pose", "a.glb", "--time", "noon", "--output", "a.ply"}), 2, {"--time", "noon"});
  expect_refused(sinew({"pose", "a.glb", "--time", "nan", "--output", "a.ply"}), 2, {"--time"});
  expect_refused(sinew({"pose", "a.glb", "--skinning", "magic", "--output", "a.ply"}), 2, {"--skinning", "magic"});
  expect_refused(sinew({"pose", "a.glb", "--evaluator", "magic", "--output", "a.ply"}), 2, {"--evaluator", "magic"});
  expect_refused(sinew({"devices", "--all"}), 2, {"--all"});
}

TEST(Usage, WrongCrowdOptionsAreUsageErrors) {  // options_test.cpp has all of them
  expect_refused(sinew({"crowd", "--charactres", "5"}), 2, {"--charactres", "sinew crowd --help"});
  expect_refused(sinew({"crowd", "--seed", "-1"}), 2, {"--seed: '-1' is not a number from 0 to 18446744073709551615"});
  expect_refused(sinew({"crowd", "--overlay"}), 2, {"--overlay needs --window"});
}

class BadFile : public ::testing::Test {
 protected:
  /// Runs each command that reads a character on `file`, with its outputs in `folder`.
  void expect_all_refuse(const Folder& folder, const std::string& file) {
    const std::string json = folder.path("out.json"), ply = folder.path("out.ply"), png = folder.path("out.png");
    const auto before = folder.files();
    expect_refused(sinew({"info", file, "--json", json}), 1, {file});
    expect_refused(sinew({"pose", file, "--output", ply, "--skinning", "cpu"}), 1, {file});
    if (has_device()) {
      const Outcome crowd = sinew({"crowd", file, "--screenshot", png, "--json", json});
      EXPECT_EQ(crowd.exit_code, 1);
      EXPECT_EQ(std::count(crowd.err.begin(), crowd.err.end(), '\n'), 1) << crowd.err;
      EXPECT_THAT(crowd.err, HasSubstr(file));
      expect_refused(sinew({"view", file, "--screenshot", png}), 1, {file});
    }
    EXPECT_EQ(folder.files(), before) << "an output was left behind";
  }
};

TEST_F(BadFile, MissingIsNamed) {
  const Folder folder;
  expect_all_refuse(folder, folder.path("missing.glb"));
}

TEST_F(BadFile, EmptyIsNamed) {
  const Folder folder;
  for (const char* name : {"empty.glb", "empty.gltf", "empty.fbx"}) {
    write(folder.path(name), "");
    expect_all_refuse(folder, folder.path(name));
  }
}

TEST_F(BadFile, FolderIsNamed) {
  const Folder folder;
  mkdir(folder.path("folder.glb").c_str(), 0700);
  expect_all_refuse(folder, folder.path("folder.glb"));
}

TEST_F(BadFile, PipeIsNamedWithoutReadingIt) {
  const Folder folder;
  mkfifo(folder.path("pipe.glb").c_str(), 0600);
  expect_all_refuse(folder, folder.path("pipe.glb"));
}

TEST_F(BadFile, UnreadableIsNamed) {
  // Root may read every file, so the program runs as another user.
  std::vector<std::string> command{SINEW_PROGRAM};
  if (geteuid() == 0) command = {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", SINEW_PROGRAM};
  command.push_back("--version");
  if (run(command).exit_code != 0)
    GTEST_SKIP() << "RUN AS ROOT, and no other user may run the program: not tested here";
  const Folder folder;
  chmod(folder.path("").c_str(), 0755);
  write(folder.path("secret.glb"), "glTF");
  chmod(folder.path("secret.glb").c_str(), 0);
  command.back() = "info";
  command.push_back(folder.path("secret.glb"));
  expect_refused(run(command), 1, {"secret.glb", "ermi"});
}

TEST_F(BadFile, ControlCharactersInANameAreReplaced) {
  const Outcome outcome = sinew({"info", "two\nlines\x1b[31m.glb"});
  expect_refused(outcome, 1, {"two?lines?[31m.glb"});
}

TEST(BadOutput, IsRefusedBeforeTheWork) {
  const Folder folder;
  const std::string model = shared("models/khronos/SimpleSkin.gltf");
  SINEW_SKIP_WITHOUT(model);
  const std::string nowhere = folder.path("no/such/folder.ply");
  expect_refused(sinew({"info", model, "--json", nowhere}), 1, {nowhere, "No such file"});
  expect_refused(sinew({"pose", model, "--output", nowhere, "--skinning", "cpu"}), 1, {nowhere, "No such file"});
  mkdir(folder.path("folder").c_str(), 0700);
  expect_refused(sinew({"pose", model, "--output", folder.path("folder"), "--skinning", "cpu"}), 1, {"folder"});
  const std::string picture = folder.path("no/such/folder.png");
  for (const char* option : {"--json", "--screenshot"})
    expect_refused(sinew({"crowd", model, "--characters", "1", option, picture}), 1, {picture, "No such file"});
  for (const char* option : {"--record", "--screenshot"})
    expect_refused(sinew({"view", model, option, picture}), 1, {picture, "No such file"});
  EXPECT_THAT(folder.files(), ElementsAre("folder"));
}

TEST(NoDevice, ErrorIsOneLineWithASuggestion) {
  const Environment none{{"VK_ICD_FILENAMES", "/dev/null"}, {"VK_DRIVER_FILES", "/dev/null"}};
  const Folder folder;
  expect_refused(sinew({"devices"}, none), 1, {"driver"});
  const std::string model = shared("models/khronos/SimpleSkin.gltf");
  SINEW_SKIP_WITHOUT(model);
  expect_refused(sinew({"pose", model, "--output", folder.path("out.ply")}, none), 1, {"driver", "--skinning cpu"});
  expect_refused(sinew({"crowd", model, "--screenshot", folder.path("out.png")}, none), 1, {"driver"});
  EXPECT_THAT(folder.files(), IsEmpty());
}

TEST(NoDevice, ErrorForAnUnknownDeviceHasItsName) {
  SINEW_SKIP_WITHOUT_DEVICE();
  const std::string model = shared("models/khronos/SimpleSkin.gltf");
  SINEW_SKIP_WITHOUT(model);
  const Folder folder;
  expect_refused(sinew({"pose", model, "--device", "abacus", "--output", folder.path("out.ply")}), 1, {"abacus"});
  expect_refused(sinew({"crowd", model, "--device", "99"}), 1, {"99"});
}

TEST(Devices, AreListedWithTheirProperties) {
  SINEW_SKIP_WITHOUT_DEVICE();
  const Outcome outcome = sinew({"devices"});
  for (const char* word : {"type", "Vulkan", "driver", "uuid", "storage buffer", "queues", "will do    yes"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
}

}  // namespace
}  // namespace sinew::test
