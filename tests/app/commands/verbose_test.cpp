// What an isolated import says of itself: its sandbox, and what the libraries in it print.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <functional>

#include "asset/one_line.h"
#include "child.h"
#include "failing_call.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

constexpr long kLandlock = 444;

/// Writes a file that Assimp reads.
std::string ogre_file(const Folder& folder) {
  write(folder.path("a.mesh.xml"), R"(<mesh><submeshes><submesh material="m" usesharedvertices="false"
 use32bitindexes="false" operationtype="triangle_list"><faces count="1"><face v1="0" v2="1" v3="2"/></faces>
<geometry vertexcount="3"><vertexbuffer positions="true" normals="false">
<vertex><position x="0" y="0" z="0"/></vertex><vertex><position x="1" y="0" z="0"/></vertex>
<vertex><position x="0" y="1" z="0"/></vertex></vertexbuffer></geometry></submesh></submeshes></mesh>)");
  return folder.path("a.mesh.xml");
}

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
    std::string all = "exec " SINEW_PROGRAM;
    for (const std::string& argument : arguments) all += " '" + argument + "'";
    all += " >" + folder.path("out") + " 2>" + folder.path("err");
    execl("/bin/sh", "sh", "-c", all.c_str(), nullptr);
    _exit(98);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(ImportLog, LibrariesThatPrintDoNotDisturbTheResult) {
  const Folder folder;
  const std::string file = ogre_file(folder);
  const Outcome silent = sinew({"info", file});
  EXPECT_EQ(silent.exit_code, 0) << silent.err;
  const char* asan = getenv("ASAN_OPTIONS");
  const Environment printing = {
      {"LD_PRELOAD", SINEW_PRINTING_LIBRARY},
      {"ASAN_OPTIONS", std::string(asan != nullptr ? asan : "") + ":verify_asan_link_order=0"}};
  const Outcome quiet = sinew({"info", file}, printing);
  EXPECT_EQ(quiet.exit_code, 0) << quiet.err;
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(quiet.out, silent.out);
  const Outcome verbose = sinew({"info", file, "--verbose"}, printing);
  EXPECT_EQ(verbose.exit_code, 0) << verbose.err;
  EXPECT_EQ(verbose.out, silent.out);
  EXPECT_THAT(verbose.err, MatchesRegex("Import worker: sandbox: [^\n]+\n"
                                        "Import worker: a library printed this to standard output\n"
                                        "Import worker: a library printed this to standard error\n"));
}

TEST(ImportLog, EveryCommandThatLoadsAFileTakesVerbose) {
  const Folder folder;
  const Outcome pose =
      sinew({"pose", kCharacter, "--verbose", "--skinning", "cpu", "--time", "0", "--output", folder.path("a.ply")});
  EXPECT_EQ(pose.exit_code, 0) << pose.err;
  EXPECT_THAT(pose.err, StartsWith("Import worker: sandbox: "));
  const Outcome none = sinew({"info", kCharacter, "--verbose", "--isolate", "off"});
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_EQ(none.err, "");
}

TEST(ImportLog, HasWhatAWorkerPrintedWithoutItsMessages) {
  const Folder folder;
  const std::string printed =
      "echo 'sinew-import sandbox: none at all' >&2; echo 'said out'; printf 'bones\\342\\200\\250\\033[2J' "
      ">&2; echo; echo 'sinew-import: refused' >&2; exit 1";
  EXPECT_EQ(log_of(write_worker(folder, "exec 1>&2; " + printed)), "sandbox: none at all\nsaid out\nbones??[2J\n");
  EXPECT_EQ(log_of("/no/such/worker"), "");
}

TEST(ImportLog, KeepsTheSandboxBeforeManyLines) {
  const Folder folder;
  const std::string log =
      log_of(write_worker(folder,
                          "echo 'sinew-import sandbox: on' >&2; head -c 1000000 /dev/zero | tr '\\0' '\\n' >&2; "
                          "echo last >&2; exit 1"));
  EXPECT_EQ(log, "sandbox: on\nlast\n");
}

TEST(ImportLog, SaysWhatTheSystemLacks) {
  const Folder folder;
  EXPECT_EQ(sinew_after([] { return let_call_fail(kLandlock, ENOSYS); }, {"info", kCharacter, "--verbose"}, folder), 0);
  EXPECT_THAT(read(folder.path("err")),
              MatchesRegex("Import worker: sandbox: no Landlock \\(Function not implemented\\)"
                           "[^\n]*; seccomp: [^\n]*\n"));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(ImportLog, SaysThatNothingHolds) {
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

TEST(SizeLimit, OutputAboveItIsOneLineAndLeavesNothing) {
  const Folder folder, outputs;
  const auto limit = [] {
    signal(SIGXFSZ, SIG_DFL);
    const rlimit small{4096, 4096};
    return setrlimit(RLIMIT_FSIZE, &small) == 0;
  };
  const std::string json = outputs.path("a.json");
  EXPECT_EQ(sinew_after(limit, {"info", kCharacter, "--isolate", "off", "--json", json}, folder), 1);
  EXPECT_EQ(read(folder.path("err")), "sinew: cannot write " + json + ": File too large\n");
  EXPECT_TRUE(outputs.files().empty());
  EXPECT_EQ(sinew_after(limit, {"info", kCharacter}, folder), 1);
  EXPECT_THAT(read(folder.path("err")), MatchesRegex("sinew: [^\n]*: File too large\n"));
  EXPECT_EQ(sinew_after(limit, {"crowd", "--help-all"}, folder), 1) << "standard output";
  EXPECT_EQ(read(folder.path("err")), "sinew: cannot write to standard output: File too large\n");
}

/// A glTF file whose mesh has this name, and whose skin lacks a joint that a vertex names.
std::string file_with_mesh(const Folder& folder, const std::string& name) {
  const std::string path = folder.path("a.gltf");
  write(path,
        R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0,1]}],"scene":0,"nodes":[{"name":"j"},{"mesh":0,"skin":0}],
"skins":[{"joints":[0]}],"meshes":[{"name":")" +
            name + R"(","primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,
"WEIGHTS_0":2}}]}],"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],
"max":[0,0,0]},
{"bufferView":1,"componentType":5121,"type":"VEC4","count":3},{"bufferView":2,"componentType":5126,"type":"VEC4",
"count":3}],"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":12},{"buffer":0,
"byteOffset":48,"byteLength":48}],"buffers":[{"byteLength":96,"uri":"a.bin"}]})");
  std::string bytes(96, '\0');
  for (size_t vertex = 0; vertex < 3; ++vertex) {
    bytes[36 + 4 * vertex] = 5;                                          // the joint
    bytes.replace(48 + 16 * vertex, 4, {0, 0, char(0x80), char(0x3f)});  // 1
  }
  write(folder.path("a.bin"), bytes);
  return path;
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
