// Imports in a process of its own: whatever becomes of it, the caller gets a character or one line.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>

#include "child.h"
#include "sinew/asset/character_file.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kCharacter = SINEW_SOURCE_DIR "/assets/character.glb";

IsolationOptions by(const std::string& program, double seconds = 0) {
  IsolationOptions isolation;
  isolation.program = program;
  isolation.seconds = seconds;
  return isolation;
}

/// A program that does this to whoever imports with it.
std::string script(const Folder& folder, const std::string& text) {
  const std::string path = folder.path("program");
  write(path, "#!/bin/sh\n" + text + "\n");
  chmod(path.c_str(), 0755);
  return path;
}

std::string message_of(const IsolationOptions& isolation) {
  const auto character = import_isolated(kCharacter, {}, isolation);
  if (character) return "imported";
  EXPECT_THAT(character.error().message, HasSubstr(kCharacter));
  EXPECT_THAT(character.error().message, ::testing::Not(HasSubstr("\n")));
  return character.error().message;
}

std::vector<std::byte> bytes_of(const Character& character, const ImportReport& report) {
  const auto bytes = encode_character({character, {}, report});
  EXPECT_TRUE(bytes);
  return bytes ? *bytes : std::vector<std::byte>();
}

TEST(ImportIsolated, GivesTheSameAsImportingHere) {
  ImportReport a, b;
  const ImportOptions options{{kCharacter}, 2, true};
  const auto here = load_character(kCharacter, options, &a);
  const auto there = import_isolated(kCharacter, options, by(SINEW_PROGRAM), &b);
  ASSERT_TRUE(here) << here.error().message;
  ASSERT_TRUE(there) << there.error().message;
  EXPECT_GT(a.limited_vertices, 0u);
  EXPECT_EQ(there->clips.size(), 12u);
  EXPECT_EQ(there->mesh.tangents.size(), there->mesh.positions.size());
  EXPECT_TRUE(bytes_of(*here, a) == bytes_of(*there, b));
}

TEST(ImportIsolated, StoredFilesNeedNoProgram) {
  const Folder folder;
  const auto character = load_character(kCharacter);
  ASSERT_TRUE(character);
  ASSERT_TRUE(write_character_file(folder.path("a.sinew"), {*character, {}, {}}));
  EXPECT_TRUE(import_isolated(folder.path("a.sinew"), {}, by("/no/such/program")));
}

TEST(ImportIsolated, WhatCannotBeReadIsToldWithoutAProcess) {
  const Folder folder;
  mkfifo(folder.path("pipe.fbx").c_str(), 0600);
  write(folder.path("notes.txt"), "hello");
  write(folder.path("empty.glb"), "");
  const auto code_of = [&](const std::string& path) {
    const auto character = import_isolated(path, {}, by("/no/such/program"));
    EXPECT_THAT(character.error().message, HasSubstr("'" + path + "'"));
    return character.error().code;
  };
  EXPECT_EQ(code_of(folder.path("nobody.glb")), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(folder.path("pipe.fbx")), ErrorCode::kUnreadable);
  EXPECT_EQ(code_of(folder.path("notes.txt")), ErrorCode::kUnsupported);
  EXPECT_EQ(code_of(folder.path("empty.glb")), ErrorCode::kInvalidData);
}

TEST(ImportIsolated, EveryEndOfTheProgramIsToldInWords) {
  const Folder folder;
  EXPECT_THAT(message_of(by("/no/such/program")), HasSubstr("cannot run /no/such/program"));
  EXPECT_THAT(message_of(by(script(folder, "kill -SEGV $$"))), HasSubstr("crashed"));
  EXPECT_THAT(message_of(by(script(folder, "kill -XCPU $$"), 3)), HasSubstr("more than 3 s"));
  EXPECT_THAT(message_of(by(script(folder, "exit 7"))), HasSubstr("exit code 7"));
  EXPECT_THAT(message_of(by(script(folder, "exit 0"))), HasSubstr("exit code 0"));
  EXPECT_THAT(message_of(by(script(folder, "echo junk"))), HasSubstr("result: it is no .sinew"));
  EXPECT_THAT(message_of(by(script(folder, "echo noise >&2; echo \"sinew: bad " + kCharacter + "\" >&2; exit 1"))),
              ::testing::StartsWith("bad"));
  EXPECT_THAT(message_of(by(script(folder, "echo 'sinew: x: out of memory' >&2; exit 1"))), HasSubstr("960 MiB"));
  EXPECT_THAT(message_of(by(script(folder, "head -c 10000000 /dev/zero >&2; kill -9 $$"))), HasSubstr("crashed"));
}

TEST(ImportIsolated, AProgramThatHangsIsEnded) {
  const Folder folder;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(message_of(by(script(folder, "exec sleep 100"), 0.1)), HasSubstr("more than 1 s"));
  EXPECT_THAT(message_of(by(script(folder, "exec 2>&-; exec sleep 100"), 0.1)), HasSubstr("more than 1 s"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child was left";
}

TEST(ImportIsolated, AHostThatIgnoresItsChildrenIsServed) {
  const auto before = signal(SIGCHLD, SIG_IGN);
  const auto character = import_isolated(kCharacter, {}, by(SINEW_PROGRAM));
  signal(SIGCHLD, before);
  EXPECT_TRUE(character) << character.error().message;
}

TEST(ImportIsolated, TheProgramGetsNoneOfOurFiles) {
  const Folder folder;
  const int ours = fcntl(1, F_DUPFD, 200);  // stays open across exec, were it not closed
  message_of(by(script(folder, "ls /proc/self/fd > " + folder.path("files"))));
  close(ours);
  EXPECT_THAT(read(folder.path("files")), ::testing::Not(HasSubstr(std::to_string(ours))));
}

TEST(ImportIsolated, NothingIsLeftBehind) {
  const Folder folder;
  const Environment here{{"TMPDIR", folder.path("")}};
  write(folder.path("junk.fbx"), "no model");
  EXPECT_EQ(sinew({"info", kCharacter}, here).exit_code, 0);
  EXPECT_EQ(sinew({"info", folder.path("junk.fbx")}, here).exit_code, 1);
  EXPECT_THAT(folder.files(), ElementsAre("junk.fbx"));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// A black PNG of one bit a pixel, not compressed: an eighth of a byte becomes four.
std::string black_png(uint32_t side) {
  const auto number = [](uint32_t n) { return std::string{char(n >> 24), char(n >> 16), char(n >> 8), char(n)}; };
  const auto chunk = [&](const std::string& name, const std::string& data) {
    return number(uint32_t(data.size())) + name + data + number(0);  // whose checksum nobody looks at
  };
  std::string pixels(size_t(side) * (side / 8 + 1), '\0'), data = "\x78\x01";
  while (!pixels.empty()) {
    const uint32_t size = uint32_t(std::min<size_t>(pixels.size(), 65535));
    data += size == pixels.size() ? '\1' : '\0';  // the last block
    for (const uint32_t n : {size, ~size}) data += {char(n), char(n >> 8)};
    data += pixels.substr(0, size);
    pixels.erase(0, size);
  }
  const std::string head = number(side) + number(side) + std::string("\1\0\0\0\0", 5);
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", head) + chunk("IDAT", data + number(0)) + chunk("IEND", "");
}

TEST(ImportIsolated, AnImageTooLargeForTheMemoryIsLeftPlain) {
  const Folder folder;
  const std::string model = folder.path("model.obj");
  write(folder.path("large.png"), black_png(2048));
  write(folder.path("model.mtl"), "newmtl skin\nmap_Kd large.png\n");
  write(model, "mtllib model.mtl\nusemtl skin\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n");
  const Outcome tight = sinew({"info", model, "--import-memory", "48"});
  EXPECT_EQ(tight.exit_code, 0) << tight.err;
  EXPECT_THAT(tight.out, HasSubstr("images      0"));
  EXPECT_THAT(tight.out, HasSubstr("image 'large.png' of 2048 x 2048 pixels needs more memory than import may take "
                                   "(--import-memory allows more): plain color instead"));
  const Outcome roomy = sinew({"info", model, "--import-memory", "256"});
  EXPECT_EQ(roomy.exit_code, 0) << roomy.err;
  EXPECT_THAT(roomy.out, HasSubstr("2048 x 2048"));
}

TEST(ImportIsolated, MemoryIsLimited) {
  const std::string model = SINEW_SOURCE_DIR "/assets/character.fbx";
  const Outcome tight = sinew({"info", model, "--import-memory", "16"});
  EXPECT_EQ(tight.exit_code, 1);
  EXPECT_THAT(tight.err, HasSubstr("16 MiB (--import-memory allows more)"));
  EXPECT_EQ(sinew({"info", model, "--import-memory", "64"}).exit_code, 0);
}
#endif

TEST(ImportIsolated, CanBeSwitchedOff) {
  const Folder folder;
  const Environment nowhere{{"TMPDIR", folder.path("no/such/folder")}};
  EXPECT_EQ(sinew({"info", kCharacter, "--isolate", "off"}, nowhere).exit_code, 0);
  const Outcome odd = sinew({"info", kCharacter, "--isolate", "perhaps"});
  EXPECT_EQ(odd.exit_code, 2);
  EXPECT_THAT(odd.err, HasSubstr("perhaps"));
}

}  // namespace
}  // namespace sinew::test
