// Running another program with a deadline: this program itself, which does what its first argument says.
#include "isolated/child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "system.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace sinew::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int kChildMark = 77;  // exit code of a child that was asked for what it does not know

/// A pipe whose ends any child would inherit.
struct InheritablePipe {
#ifdef _WIN32
  HANDLE read_end = nullptr, write_end = nullptr;
  InheritablePipe() {
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, nullptr, TRUE};
    CreatePipe(&read_end, &write_end, &inherited, 0);
  }
  ~InheritablePipe() { CloseHandle(read_end), CloseHandle(write_end); }
  intptr_t number() const { return reinterpret_cast<intptr_t>(write_end); }
  bool holds_bytes() const {
    DWORD available = 0;
    return PeekNamedPipe(read_end, nullptr, 0, nullptr, &available, nullptr) && available > 0;
  }
  static void write_to(intptr_t number) {
    DWORD written = 0;
    WriteFile(reinterpret_cast<HANDLE>(number), "x", 1, &written, nullptr);
  }
#else
  int ends[2] = {-1, -1};
  InheritablePipe() {
    if (pipe(ends) == 0) fcntl(ends[0], F_SETFL, O_NONBLOCK);
  }
  ~InheritablePipe() { close(ends[0]), close(ends[1]); }
  intptr_t number() const { return ends[1]; }
  bool holds_bytes() const {
    char byte = 0;
    return read(ends[0], &byte, 1) == 1;
  }
  static void write_to(intptr_t number) { (void)!write(int(number), "x", 1); }
#endif
};

/// What the child does, by its first argument.
int act(int count, char** arguments) {
  const std::string what = count > 0 ? arguments[0] : "";
  if (what == "echo") {
    for (int i = 1; i < count; ++i) std::printf("[%s]", arguments[i]);
    std::fprintf(stderr, "said %d\n", count - 1);
    return 5;
  }
  if (what == "write" && count > 1) {
    InheritablePipe::write_to(intptr_t(std::atoll(arguments[1])));
    return 0;
  }
  if (what == "chatter") {  // more than a pipe holds
    for (int i = 0; i < 20000; ++i) std::fprintf(stderr, "line %d of many\n", i);
    return 0;
  }
  if (what == "crash") {
    volatile int* nothing = nullptr;
#ifdef _WIN32
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
#else
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would end it in its own way
#endif
    return *nothing;
  }
  if (what == "sleep") {
    std::fprintf(stderr, "sleeping\n");
    std::this_thread::sleep_for(std::chrono::seconds(30));
    return 0;
  }
  return kChildMark;
}

std::string own_path() { return utf8_of(program_path()); }

struct Ended {
  ChildResult end;
  std::string output;
};

Ended run(std::vector<std::string> arguments, double seconds = 20, const ErrorsCallback& on_errors = {}) {
  arguments.insert(arguments.begin(), {own_path(), "--child"});
  const Result<TemporaryFile> output = TemporaryFile::create();
  EXPECT_TRUE(output) << output.error().message;
  const Result<ChildResult> end = run_child(arguments, *output, seconds, on_errors);
  EXPECT_TRUE(end) << end.error().message;
  const Result<FileBytes> bytes = read_open_file(output->descriptor());
  Ended result{end ? *end : ChildResult(), ""};
  if (bytes) result.output.assign(reinterpret_cast<const char*>(bytes->bytes().data()), bytes->bytes().size());
  return result;
}

/// An emulator of another processor may run this program, but not let it start programs of that processor.
class Child : public ::testing::Test {
 protected:
  void SetUp() override {
    const Result<TemporaryFile> output = TemporaryFile::create();
    ASSERT_TRUE(output) << output.error().message;
    const Result<ChildResult> end = run_child({own_path(), "--child", "echo"}, *output, 20);
    constexpr int kNotStarted = 127;  // of a child whose program could not be loaded
    if (end && end->exit_code == kNotStarted) GTEST_SKIP() << "THIS SYSTEM CANNOT START THIS PROGRAM FROM ITSELF";
  }
};

TEST_F(Child, GetsItsArgumentsAndGivesItsOutputErrorsAndExitCode) {
  const Ended result = run({"echo", "plain", "two words", "quote \" in it", "back\\slash\\", "\\\"", ""});
  EXPECT_EQ(result.output, "[plain][two words][quote \" in it][back\\slash\\][\\\"][]");
  EXPECT_THAT(result.end.errors, StartsWith("said 6"));
  EXPECT_EQ(result.end.exit_code, 5);
  EXPECT_FALSE(result.end.timed_out);
  EXPECT_EQ(result.end.crash, "");
}

TEST_F(Child, MayWriteMoreErrorsThanAPipeHolds) {
  size_t calls = 0;
  const Ended result = run({"chatter"}, 60, [&](std::string_view) { ++calls; });
  EXPECT_EQ(result.end.exit_code, 0);
  EXPECT_THAT(result.end.errors, HasSubstr("line 19999 of many"));
  EXPECT_LE(result.end.errors.size(), size_t(128 << 10));
  EXPECT_GT(calls, 1u);
}

TEST_F(Child, ThatCrashesSaysHow) {
  const Ended result = run({"crash"});
  EXPECT_EQ(result.end.exit_code, -1);
  EXPECT_FALSE(result.end.timed_out);
#ifdef _WIN32
  EXPECT_EQ(result.end.crash, "exception 0xC0000005");
#else
  EXPECT_EQ(result.end.crash, "Segmentation fault");
#endif
}

TEST_F(Child, InheritsNoOtherFile) {
  const InheritablePipe pipe;
  EXPECT_EQ(run({"write", std::to_string(pipe.number())}).end.exit_code, 0);
  EXPECT_FALSE(pipe.holds_bytes());
  InheritablePipe::write_to(pipe.number());
  EXPECT_TRUE(pipe.holds_bytes()) << "the test itself sees nothing";
}

TEST_F(Child, IsKilledAtTheDeadline) {
  const auto begin = std::chrono::steady_clock::now();
  const Ended result = run({"sleep"}, 1);
  EXPECT_TRUE(result.end.timed_out);
  EXPECT_EQ(result.end.crash, "");
  EXPECT_THAT(result.end.errors, StartsWith("sleeping"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
}

#ifndef _WIN32
TEST_F(Child, IsNotLeftBehindByAnyException) {
  EXPECT_THROW(run({"sleep"}, 60, [](std::string_view) { throw std::length_error("of the host"); }), std::length_error);
  EXPECT_THROW(run({"sleep"}, 60, [](std::string_view) { throw 7; }), int);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child was left";
  EXPECT_EQ(errno, ECHILD);
}
#endif

TEST_F(Child, ThatCannotBeStartedIsAnError) {
  const Result<TemporaryFile> output = TemporaryFile::create();
  ASSERT_TRUE(output);
  const Result<ChildResult> end = run_child({own_path() + ".absent"}, *output, 5);
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code, ErrorCode::kUnreadable);
  EXPECT_THAT(end.error().message, HasSubstr("cannot run " + own_path() + ".absent: "));
}

TEST(OwnPaths, AreThoseOfThisProgram) {
  EXPECT_THAT(program_path().stem().string(), StartsWith("sinew_test_child"));
  EXPECT_FALSE(path_of_this_code().empty());
}

}  // namespace
}  // namespace sinew::internal

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--child") == 0) return sinew::internal::act(argc - 2, argv + 2);
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
