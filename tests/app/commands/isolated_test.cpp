// Import in a separate process: the caller gets a character or an error of one line, however the process ends.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>

#include "asset/one_line.h"
#include "child.h"
#include "import/gltf_file.h"
#include "import/isolated/worker_command.h"
#include "sinew/animation/bake.h"
#include "sinew/asset/character_file.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

IsolationOptions options_for(const std::string& program, double seconds = 0) {
  IsolationOptions isolation;
  isolation.program = program;
  isolation.seconds = seconds;
  return isolation;
}

/// Why the built-in character is not imported.
std::string message_of(const IsolationOptions& isolation) {
  const auto character = import_isolated(kCharacter, {}, isolation);
  if (character) return "imported";
  EXPECT_THAT(character.error().message, HasSubstr(kCharacter));
  EXPECT_THAT(character.error().message, Not(HasSubstr("\n")));
  return character.error().message;
}

TEST(ImportIsolated, GivesTheSameResultAndBakeAsInProcess) {
  ImportReport report;
  const ImportOptions options{{kCharacter}, 2, true};
  IsolationOptions isolation = options_for(SINEW_IMPORT_WORKER);
  isolation.bake = BakeOptions{.max_error = 1.1e-3f, .min_frames_per_second = 10};
  const auto in_process = must(load_character(kCharacter, options, &report));
  const auto baked = must(bake(in_process, *isolation.bake));
  const auto isolated = must(import_isolated(kCharacter, options, isolation));
  EXPECT_GT(report.limited_vertices, 0u);
  EXPECT_EQ(isolated.character.clips.size(), 12u);
  EXPECT_EQ(isolated.character.mesh.tangents.size(), isolated.character.mesh.positions.size());
  EXPECT_TRUE(must(encode_character({in_process, baked, report})) == must(encode_character(isolated)));
}

TEST(ImportIsolated, BakeReportsItsProgress) {
  std::vector<double> shares;
  IsolationOptions isolation = options_for(SINEW_IMPORT_WORKER);
  isolation.bake.emplace();
  isolation.progress = {&shares,
                        [](void* list, double share) { static_cast<std::vector<double>*>(list)->push_back(share); }};
  ASSERT_TRUE(import_isolated(kCharacter, {}, isolation));
  ASSERT_FALSE(shares.empty());
  EXPECT_EQ(shares.front(), 0);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
}

TEST(ImportIsolated, ProgressOutOfRangeIsNotReported) {
  const Folder folder;
  uint32_t reports = 0;
  IsolationOptions isolation = options_for(write_worker(
      folder, "for share in nan 2 -1 x; do echo \"sinew-import bakes $share\" >&2; sleep 0.1; done; exit 1"));
  isolation.bake.emplace();
  isolation.progress = {&reports, [](void* count, double) { ++*static_cast<uint32_t*>(count); }};
  EXPECT_FALSE(import_isolated(kCharacter, {}, isolation));
  EXPECT_EQ(reports, 0u);
}

TEST(ImportIsolated, SinewFilesNeedNoWorkerUnlessTheyAreBaked) {
  const Folder folder;
  const std::string path = folder.path("a.sinew");
  const auto character = must(load_character(kCharacter));
  ASSERT_TRUE(write_character_file(path, {character, {}, {}}));
  EXPECT_TRUE(import_isolated(path, {}, options_for("/no/such/worker")));
  IsolationOptions isolation = options_for(SINEW_IMPORT_WORKER);
  isolation.bake = BakeOptions{.max_error = 1e-2f};
  const auto baked = must(import_isolated(path, {}, isolation));
  EXPECT_TRUE(baked.baked);
}

TEST(ImportIsolated, BakeThatTheWorkerLeavesOutIsAnError) {
  const Folder folder;
  const auto character = must(load_character(kCharacter));
  ASSERT_TRUE(write_character_file(folder.path("plain.sinew"), {character, {}, {}}));
  IsolationOptions isolation = options_for(write_worker(folder, "cat " + folder.path("plain.sinew")));
  EXPECT_EQ(message_of(isolation), "imported");
  isolation.bake.emplace();
  EXPECT_THAT(message_of(isolation), HasSubstr("no such bake"));
}

TEST(ImportWorker, ReadsTheArgumentsThatTheLibraryWrites) {
  internal::WorkerCommand command{
      "--", {{"--bakes=0", "a=b\nc"}, 3, false, false, false, true, 29.97}, true, {}, {4, 960}, {604, 5056}};
  command.bake = {.max_error = 0.1f, .error_radius = 1e-30f, .max_frames_per_second = 59.94f};
  const std::vector<std::string> arguments = internal::arguments_of(command);
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  const auto parsed = must(internal::parse_arguments(pointers));
  const auto fields = [](const internal::WorkerCommand& c) {
    const ImportOptions& i = c.import;
    return std::tie(c.path, i.animation_files, i.max_influences, i.tangents, i.images, i.allow_no_mesh,
                    i.ticks_per_second, c.bakes, c.import_limits.seconds, c.import_limits.mebibytes,
                    c.total_limits.seconds, c.total_limits.mebibytes);
  };
  EXPECT_EQ(fields(parsed), fields(command));
  EXPECT_TRUE(parsed.bake == command.bake);
}

TEST(ImportIsolated, UnreadableFilesAreRefusedWithoutAProcess) {
  const Folder folder;
  mkfifo(folder.path("pipe.fbx").c_str(), 0600);
  write(folder.path("notes.txt"), "hello");
  write(folder.path("empty.glb"), "");
  const auto code_of = [&](const std::string& path) {
    const Error error = must_fail(import_isolated(path, {}, options_for("/no/such/worker")));
    EXPECT_THAT(error.message, HasSubstr("'" + path + "'"));
    return error.code;
  };
  EXPECT_EQ(code_of(folder.path("missing.glb")), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(folder.path("pipe.fbx")), ErrorCode::kUnreadable);
  EXPECT_EQ(code_of(folder.path("notes.txt")), ErrorCode::kUnsupported);
  EXPECT_EQ(code_of(folder.path("empty.glb")), ErrorCode::kInvalidData);
}

TEST(ImportIsolated, EveryExitOfTheWorkerBecomesAnErrorMessage) {
  const Folder folder;
  const std::string bakes = "echo 'sinew-import bakes 0' >&2; ",
                    no_memory = "echo 'sinew-import: x: out of memory' >&2; ";
  const std::string refused = "echo noise >&2; echo \"sinew-import: bad " + kCharacter + "\" >&2; exit 1";
  const std::pair<std::string, const char*> cases[] = {{"kill -SEGV $$", "crashed"},
                                                       {"kill -XCPU $$", "more than 3 s"},
                                                       {"exit 7", "exit code 7"},
                                                       {"exit 0", "exit code 0"},
                                                       {"echo junk", "result: it is no .sinew"},
                                                       {refused, "bad"},
                                                       {no_memory + "exit 1", "2048 MiB"},
                                                       {"head -c 10000000 /dev/zero >&2; kill -9 $$", "crashed"},
                                                       {bakes + "kill -XCPU $$", "baking it takes more than"},
                                                       {bakes + no_memory + "exit 1", "baking it takes more than"}};
  for (const auto& [script, words] : cases)
    EXPECT_THAT(message_of(options_for(write_worker(folder, script), 3)), HasSubstr(words)) << script;
  EXPECT_THAT(message_of(options_for(write_worker(folder, refused))), ::testing::StartsWith("bad"));
  EXPECT_THAT(message_of(options_for("/no/such/worker")), HasSubstr("cannot run /no/such/worker"));
}

/// The worker ends with the limit as its exit code.
TEST(ImportIsolated, DefaultLimitGrowsWithTheFiles) {
  const Folder folder;
  const std::string worker =
      write_worker(folder, "for word; do case $word in --import-seconds=*) exit ${word#*=};; esac; done");
  const auto seconds_for = [&](size_t bytes) {
    write(folder.path("a.fbx"), std::string(bytes, ' '));
    const auto character = import_isolated(folder.path("a.fbx"), {}, options_for(worker));
    const std::string& message = character.error().message;
    const size_t at = message.find("exit code ");
    return at == message.npos ? 0 : std::atoi(message.c_str() + at + 10);
  };
  const int small = seconds_for(1), large = seconds_for(size_t(6) << 20);
  EXPECT_GE(small, 4);
  EXPECT_GT(large, 2.5 * small - 1) << "(4 + 6) / 4, both rounded down";
  EXPECT_LE(large, 2.5 * small + 2.5);
}

TEST(ImportIsolated, WorkerThatHangsIsKilled) {
  const Folder folder;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(message_of(options_for(write_worker(folder, "exec sleep 100"), 0.1)), HasSubstr("more than 1 s"));
  EXPECT_THAT(message_of(options_for(write_worker(folder, "exec 2>&-; exec sleep 100"), 0.1)),
              HasSubstr("more than 1 s"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child was left";
}

TEST(ImportIsolated, WorksInAHostThatIgnoresSigchld) {
  const auto before = signal(SIGCHLD, SIG_IGN);
  const auto character = import_isolated(kCharacter, {}, options_for(SINEW_IMPORT_WORKER));
  signal(SIGCHLD, before);
  EXPECT_TRUE(character) << character.error().message;
}

TEST(ImportIsolated, WorkerInheritsNoOpenFiles) {
  const Folder folder;
  const int own_file = fcntl(1, F_DUPFD, 200);  // would stay open across exec
  message_of(options_for(write_worker(folder, "ls /proc/self/fd > " + folder.path("files"))));
  close(own_file);
  EXPECT_THAT(read(folder.path("files")), Not(HasSubstr(std::to_string(own_file))));
}

// --- what the program says of it ---

std::string log_of(const std::string& program) {
  std::string log = "of before";
  IsolationOptions isolation;
  isolation.program = program;
  isolation.log = &log;
  (void)import_isolated(kCharacter, {}, isolation).operator bool();
  return log;
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
    const std::string controls = file_with_mesh(folder, "a\u2028b\u0085c\u202ed\u2066e");
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
