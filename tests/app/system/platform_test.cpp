// What the program asks of the system: other processes, words of commands, folders.
#include "system/platform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <string>

#include "must.h"
#include "system/paths.h"
#include "test_system.h"

namespace sinew::app {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

ChildProcess started(const std::vector<std::string>& command) { return must(ChildProcess::start(command)); }

std::string all_output(ChildProcess& child) {
  std::string text;
  char bytes[64];
  while (const size_t count = child.read(bytes)) text.append(bytes, count);
  return text;
}

TEST(ChildProcess, AnswersUntilItEnds) {
  ChildProcess child = started({utf8_of(program_path()), "--gtest_list_tests"});
  EXPECT_THAT(all_output(child), HasSubstr("AnswersUntilItEnds"));
  EXPECT_EQ(child.wait(), "");
  child.write("too late\n");
  EXPECT_EQ(all_output(child), "");
  EXPECT_EQ(child.end_of_errors(), "");
}

TEST(ChildProcess, CannotRunWhatIsMissing) {
  const std::string path = utf8_of(program_path()) + ".missing";
  const Error error = must_fail(ChildProcess::start({path}));
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  EXPECT_THAT(error.message, StartsWith("cannot run " + path + ": "));
}

#ifndef _WIN32
/// A command that runs a line of the shell.
std::vector<std::string> shell(const std::string& line) { return {"/bin/sh", "-c", line}; }

TEST(ChildProcess, ReadsAndTellsItsExitCode) {
  ChildProcess child = started(shell("read line; echo got $line; echo wrong >&2; exit 3"));
  child.write("a word\n");
  EXPECT_EQ(all_output(child), "got a word\n");
  EXPECT_EQ(child.wait(), "exit code 3");
  EXPECT_EQ(child.end_of_errors(), "wrong\n");
}

TEST(ChildProcess, TellsOfASignal) { EXPECT_EQ(started(shell("kill -9 $$")).wait(), "signal 9"); }

TEST(ChildProcess, EndsWithItsOwner) {
  pid_t process = 0;
  {
    ChildProcess child = started(shell("echo $$; exec sleep 1000"));
    char number[32] = {};
    child.read(number);
    process = std::stoi(number);
    EXPECT_EQ(kill(process, 0), 0);
  }
  EXPECT_EQ(kill(process, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST(ChildProcess, KeepsTheEndOfLongErrors) {
  ChildProcess child = started(shell("head -c 6000 /dev/zero | tr '\\0' x >&2; printf end >&2"));
  child.wait();
  EXPECT_EQ(child.end_of_errors(), std::string(4093, 'x') + "end");
}

TEST(QuotedForShell, IsOneWordForTheShell) {
  for (const std::string word : {"", "plain", "two words", "it's", "$HOME", "*", "a\\b", "\"", "a;b", "\xc3\xa9"}) {
    ChildProcess child = started(shell("printf %s " + quoted_for_shell(word)));
    EXPECT_EQ(all_output(child), word);
  }
  EXPECT_EQ(quoted_for_shell("/a/b-c_1.glb"), "/a/b-c_1.glb");
}
#endif

TEST(ThisProcess, KnowsItsPathAndItsCommand) {
  EXPECT_THAT(utf8_of(program_path().stem()), EndsWith("sinew_test_app_parts"));
  ASSERT_FALSE(command_words().empty());
  EXPECT_EQ(stem_of(command_words().front()), utf8_of(program_path().stem()));
}

TEST(StemOf, HasNeitherFolderNorEnding) {
  EXPECT_EQ(stem_of("a/b.c.glb"), "b.c");
  EXPECT_EQ(stem_of("\xd0\xb4.fbx"), "\xd0\xb4");
}

TEST(UserCacheFolder, IsAbsoluteOrUnknown) {
#ifdef _WIN32
  const std::string variable = "LOCALAPPDATA", folder = "C:\\a", cache = folder;
#else
  const std::string variable = "HOME", folder = "/a", cache = "/a/.cache";
#endif
  const std::string before = environment_value(variable.c_str());
  test::set_variable(variable, folder);
  EXPECT_EQ(user_cache_folder(), path_of(cache));
  test::set_variable(variable, "relative");
  EXPECT_EQ(user_cache_folder(), std::filesystem::path());
  test::set_variable(variable, before);
}

}  // namespace
}  // namespace sinew::app
