// Writing files where the size of files is limited, and the order in which bytes and names reach the disk. POSIX only.
#include "asset/file.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "files.h"

namespace {

// The calls that write_file() makes, in order. The functions below stand before those of the C library.
std::vector<std::string>* noted_calls = nullptr;

void note(const char* call) {
  if (noted_calls != nullptr) noted_calls->push_back(call);
}

}  // namespace

extern "C" int fsync(int file) {
  struct stat status {};
  fstat(file, &status);
  note(S_ISDIR(status.st_mode) ? "fsync folder" : "fsync file");
  static const auto system = reinterpret_cast<int (*)(int)>(dlsym(RTLD_NEXT, "fsync"));
  return system(file);
}

extern "C" int rename(const char* from, const char* to) noexcept {
  note("rename");
  static const auto system = reinterpret_cast<int (*)(const char*, const char*)>(dlsym(RTLD_NEXT, "rename"));
  return system(from, to);
}

namespace sinew::internal {
namespace {

using ::testing::ElementsAre;

class FileLimit : public ::testing::Test {
 protected:
  std::string path() const { return folder_.path("a.sinew"); }
  bool is_empty() const { return folder_.file_count() == 0; }
  Status write(size_t size_bytes) const { return write_file(path(), std::vector<std::byte>(size_bytes)); }

  /// The exit code of a process that runs `run` under a limit of 1 KiB; the negative signal where a signal ends it.
  static int limited(const std::function<int()>& run) {
    const pid_t child = fork();
    if (child == 0) {
      signal(SIGXFSZ, SIG_DFL);
      const rlimit small{1024, 1024};
      setrlimit(RLIMIT_FSIZE, &small);
      _exit(run());
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  test::TemporaryFolder folder_;
};

bool is_pending() {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, SIGXFSZ) == 1;
}

bool is_blocked() {
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  return sigismember(&blocked, SIGXFSZ) == 1;
}

TEST_F(FileLimit, AFileAboveItIsAnErrorOfOneLineAndLeavesNothing) {
  EXPECT_EQ(limited([&] {
              const Status status = write(4096);
              if (status || status.error().code != ErrorCode::kUnreadable) return 1;
              if (status.error().message != "cannot write " + path() + ": File too large") return 2;
              return is_pending() || is_blocked() ? 3 : 0;
            }),
            0);
  EXPECT_TRUE(is_empty());
}

TEST_F(FileLimit, AFileBelowItIsWritten) {
  EXPECT_EQ(limited([&] { return write(1000) ? 0 : 1; }), 0);
  EXPECT_EQ(test::read_file_text(path()).size(), 1000u);
}

TEST_F(FileLimit, ASignalThatTheHostHadPendingStays) {
  EXPECT_EQ(limited([&] {
              sigset_t signals;
              sigemptyset(&signals);
              sigaddset(&signals, SIGXFSZ);
              pthread_sigmask(SIG_BLOCK, &signals, nullptr);
              raise(SIGXFSZ);
              if (write(4096)) return 1;
              return is_pending() && is_blocked() ? 0 : 2;
            }),
            0);
}

TEST_F(FileLimit, TheHostsOwnSignalsStillEndIt) {
  EXPECT_EQ(limited([&]() -> int {
              if (write(4096)) return 1;
              raise(SIGXFSZ);
              return 0;
            }),
            -SIGXFSZ);
}

TEST_F(FileLimit, BytesAreOnTheDiskBeforeTheirNameAndTheNameBeforeTheReturn) {
  std::vector<std::string> calls;
  noted_calls = &calls;
  const Status written = write(10);
  noted_calls = nullptr;
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_THAT(calls, ElementsAre("fsync file", "rename", "fsync folder"));
}

}  // namespace
}  // namespace sinew::internal
