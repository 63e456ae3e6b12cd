// The limits of the import worker, in a process of its own.
#include "import_worker/process_limits.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <functional>

namespace sinew::internal {
namespace {

/// The exit code of a child process that runs `run`; -1 where a signal ends it.
int exit_code_of(const std::function<int()>& run) {
  const pid_t child = fork();
  if (child == 0) _exit(run());
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Writes to a temporary file until that fails. Returns the written mebibytes, or -1 where the error is another one
/// than that of a file too large.
int written_mebibytes(int max_mebibytes) {
  static std::array<char, 1 << 20> block;
  std::FILE* file = std::tmpfile();
  if (file == nullptr) return -1;
  int written = 0;
  while (written < max_mebibytes && write(fileno(file), block.data(), block.size()) == ssize_t(block.size())) ++written;
  const bool too_large = written == max_mebibytes || errno == EFBIG;
  std::fclose(file);
  return too_large ? written : -1;
}

constexpr WorkerLimits kLarge{10, 4096};

TEST(ProcessLimits, AFileMayHaveHalfOfTheMemory) {
  EXPECT_EQ(exit_code_of([] {
              limit_process({10, 6}, kLarge);
              return written_mebibytes(10);
            }),
            3);
}

TEST(ProcessLimits, MayBeRaised) {
  EXPECT_EQ(exit_code_of([] {
              limit_process({10, 6}, {10, 12});
              limit_process({10, 12}, {10, 12});
              return written_mebibytes(10);
            }),
            6);
}

TEST(ProcessLimits, EndAProcessThatNeverEnds) {
  const pid_t child = fork();
  if (child == 0) {
    limit_process({1, 4096}, {1, 4096});
    for (;;) getppid();
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGXCPU);
}

}  // namespace
}  // namespace sinew::internal
