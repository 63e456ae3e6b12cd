// What an isolated import says of itself: its sandbox, and what the libraries in it print.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "asset/one_line.h"
#include "child.h"
#include "failing_call.h"
#include "import/gltf_file.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

constexpr long kLandlock = 444;

std::string log_of(const std::string& program) {
  std::string log = "of before";
  IsolationOptions isolation;
  isolation.program = program;
  isolation.log = &log;
  (void)import_isolated(kCharacter, {}, isolation).operator bool();
  return log;
}

/// Runs `prepare` and then `sinew` in a process of its own. Returns the exit code, and the output in `outcome`.
int sinew_after(const std::function<bool()>& prepare, const std::vector<std::string>& arguments, const Folder& folder) {
  const pid_t child = fork();
  if (child == 0) {
    if (!prepare()) _exit(99);
    std::string all = "exec " + program();
    for (const std::string& argument : arguments) all += " '" + argument + "'";
    all += " >" + folder.path("out") + " 2>" + folder.path("err");
    execl("/bin/sh", "sh", "-c", all.c_str(), nullptr);
    _exit(98);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(WorkerLog, HasWhatAWorkerPrintedWithoutItsMessages) {
  const Folder folder;
  const std::string printed =
      "echo 'sinew-import sandbox: none at all' >&2; echo 'said out'; printf 'bones\\342\\200\\250\\033[2J' "
      ">&2; echo; echo 'sinew-import: refused' >&2; exit 1";
  EXPECT_EQ(log_of(write_worker(folder, "exec 1>&2; " + printed)), "sandbox: none at all\nsaid out\nbones??[2J\n");
  EXPECT_EQ(log_of("/no/such/worker"), "");
}

TEST(WorkerLog, KeepsTheSandboxBeforeManyLines) {
  const Folder folder;
  const std::string log =
      log_of(write_worker(folder,
                          "echo 'sinew-import sandbox: on' >&2; head -c 1000000 /dev/zero | tr '\\0' '\\n' >&2; "
                          "echo last >&2; exit 1"));
  EXPECT_EQ(log, "sandbox: on\nlast\n");
}

TEST(WorkerLog, SaysWhatTheSystemLacks) {
  const Folder folder;
  EXPECT_EQ(sinew_after([] { return let_call_fail(kLandlock, ENOSYS); }, {"info", kCharacter, "--verbose"}, folder), 0);
  EXPECT_THAT(read(folder.path("err")),
              MatchesRegex("Import worker: sandbox: no Landlock \\(Function not implemented\\)"
                           "[^\n]*; seccomp: [^\n]*\n"));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(WorkerLog, SaysThatNothingHolds) {
  const Folder folder;
  const auto forbid_both = [] { return let_call_fail(kLandlock, EPERM) && let_call_fail(317, ENOSYS); };
#ifdef __x86_64__
  EXPECT_EQ(sinew_after(forbid_both, {"info", kCharacter, "--verbose"}, folder), 0);
  EXPECT_THAT(read(folder.path("err")), HasSubstr("no Landlock (Operation not permitted)"));
  EXPECT_THAT(read(folder.path("err")), HasSubstr("no seccomp (Function not implemented)"));
#else
  (void)forbid_both;
  GTEST_SKIP() << "THE NUMBER OF seccomp() IS NOT KNOWN HERE: NOT TESTED";
#endif
}
#endif

/// A glTF file whose mesh has this name, and whose skin lacks a joint that a vertex names.
std::string file_with_mesh(const Folder& folder, const std::string& name) {
  GltfFile file = two_joints();
  file.json["meshes"][0]["name"] = name;
  file.json["skins"][0]["joints"] = Json::array({1});
  return file.write(folder);
}

TEST(ErrorLines, AreOneLineOfUtf8WhateverNamesAreIn) {
  const Folder folder;
  for (const char* isolate : {"on", "off"}) {
    const std::string controls = file_with_mesh(folder,
                                                "a\xe2\x80\xa8"
                                                "b\xc2\x85"
                                                "c\xe2\x80\xae"
                                                "d\xe2\x81\xa6"
                                                "e");
    const Outcome refused = sinew({"info", controls, "--isolate", isolate});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr("a?b?c?d?e"));
    for (size_t size = 600; size < 602; ++size) {  // one of them would be cut inside of a character
      std::string name(size % 2, 'x');
      while (name.size() < size) name += "\xc3\xa9";
      const Outcome cut = sinew({"info", file_with_mesh(folder, name), "--isolate", isolate});
      EXPECT_THAT(cut.err, HasSubstr(" ..."));
      EXPECT_EQ(cut.err.back(), '\n');
      EXPECT_EQ(internal::one_line(cut.err.substr(0, cut.err.size() - 1)) + "\n", cut.err);
      EXPECT_THAT(cut.err, Not(HasSubstr("?")));
    }
  }
}

}  // namespace
}  // namespace sinew::test
