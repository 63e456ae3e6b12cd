// The import worker's sandbox, in processes of their own: what it forbids fails there, and succeeds outside.
#include "import_worker/sandbox.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <functional>
#include <thread>

#include "failing_call.h"
#include "files.h"
#include "import_worker/process_limits.h"

namespace sinew::internal {
namespace {

namespace fs = std::filesystem;
using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr long kLandlock = 444;

/// What an attempt gives: 0 where it succeeded, else the value of `errno`.
using Attempt = std::function<int()>;

int error_of(long result) { return result < 0 ? errno : 0; }

int run_true() {
  char name[] = "/bin/true";
  char* const words[] = {name, nullptr};
  return error_of(execv(name, words));
}

/// The exit code of a process that makes an attempt; the negative signal where a signal ends it.
int outcome_of(const Attempt& attempt) {
  const pid_t child = fork();
  if (child == 0) _exit(attempt());
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// A folder with a model, beside a folder that the sandbox may not read.
class Sandbox : public ::testing::Test {
 protected:
  Sandbox() {
    for (const char* folder : {"models/textures", "other"}) fs::create_directories(path(folder));
    for (const char* file : {"models/a.fbx", "models/textures/skin.png", "other/secret", "other/b.fbx"})
      root_.write(file, file);
    fs::create_symlink("../other/b.fbx", path("models/link.fbx"));
  }
  std::string path(const char* name) const { return root_.path(name); }
  std::string enter() const {
    const std::string files[] = {path("models/a.fbx"), path("models/link.fbx")};
    return enter_sandbox(files);
  }
  int inside(const Attempt& attempt) const {
    return outcome_of([&] {
      enter();
      return attempt();
    });
  }
  Attempt opens(const char* name, int flags = O_RDONLY) const {
    return [=, file = path(name)] { return error_of(open(file.c_str(), flags | O_CLOEXEC, 0600)); };
  }

  /// The attempt is refused inside of the sandbox, and succeeds outside.
  void expect_forbidden(const char* what, const Attempt& attempt) const {
    EXPECT_THAT(inside(attempt), AnyOf(EPERM, EACCES)) << what << ": inside";
    EXPECT_EQ(outcome_of(attempt), 0) << what << ": outside";
  }
  void expect_allowed(const char* what, const Attempt& attempt) const { EXPECT_EQ(inside(attempt), 0) << what; }

  static bool has_landlock() { return syscall(kLandlock, nullptr, 0, 1) > 0; }

 private:
  test::TemporaryFolder root_;
};

TEST_F(Sandbox, ReadsTheFoldersOfItsFilesAlone) {
  expect_allowed("the model", opens("models/a.fbx"));
  expect_allowed("a file below its folder", opens("models/textures/skin.png"));
  expect_allowed("a model that is a link to another folder", opens("models/link.fbx"));
  if (!has_landlock() || kSanitized) GTEST_SKIP() << "NO LANDLOCK HERE: WHAT MAY NOT BE READ WAS NOT TESTED";
  expect_forbidden("a file of the system", [] { return error_of(open("/etc/passwd", O_RDONLY)); });
  expect_forbidden("a file beside the model's folder", opens("other/secret"));
  expect_forbidden("a path that leaves the folder", opens("models/../other/secret"));
}

TEST_F(Sandbox, WritesNothing) {
  expect_forbidden("a new file", opens("models/new", O_WRONLY | O_CREAT));
  expect_forbidden("an old file", opens("models/a.fbx", O_WRONLY));
  expect_forbidden("an old file, also read", opens("models/a.fbx", O_RDWR));
  expect_forbidden("a file without a name", opens("models", O_TMPFILE | O_RDWR));
  const std::string file = path("models/textures/skin.png"), renamed = path("models/textures/b");
  expect_forbidden("a mode", [&] { return error_of(chmod(file.c_str(), 0644)); });
  expect_forbidden("a mode of an open file", [&] { return error_of(fchmod(open(file.c_str(), O_RDONLY), 0600)); });
  expect_forbidden("a size", [&] { return error_of(truncate(file.c_str(), 1)); });
  expect_forbidden("a link", [&] { return error_of(symlink("a", path("models/shortcut").c_str())); });
  expect_forbidden("a folder", [&] { return error_of(mkdir(path("models/folder").c_str(), 0700)); });
  expect_forbidden("a name", [&] {
    return error_of(rename(file.c_str(), renamed.c_str())) != 0 ? errno
                                                                : error_of(rename(renamed.c_str(), file.c_str()));
  });
  const std::string passing = path("other/b.fbx");
  EXPECT_THAT(inside([&] { return error_of(unlink(passing.c_str())); }), AnyOf(EPERM, EACCES));
  EXPECT_EQ(outcome_of([&] { return error_of(unlink(passing.c_str())); }), 0);
}

TEST_F(Sandbox, HasNoNetwork) {
  for (const int family : {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK})
    expect_forbidden("a socket", [=] { return error_of(socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0)); });
  expect_forbidden("a connection", [] {
    int ends[2];
    return error_of(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
  });
  const int left_open = socket(AF_UNIX, SOCK_DGRAM, 0);
  EXPECT_EQ(inside([&] {
              const sockaddr_un address{AF_UNIX, "/run/none"};
              return error_of(connect(left_open, reinterpret_cast<const sockaddr*>(&address), sizeof address));
            }),
            EPERM);
  close(left_open);
  constexpr long kIoUringSetup = 425;
  EXPECT_EQ(inside([] { return error_of(syscall(kIoUringSetup, 1, nullptr)); }), EPERM);
}

TEST_F(Sandbox, StartsNoProgram) {
  expect_forbidden("a program", run_true);
  EXPECT_THAT(inside([&] {
                const int file = open("/bin/true", O_PATH);
                char* const words[] = {nullptr};
                return error_of(syscall(SYS_execveat, file, "", words, words, AT_EMPTY_PATH));
              }),
              AnyOf(EPERM, EACCES));
}

TEST_F(Sandbox, SignalsNoOtherProcess) {
  expect_forbidden("a signal", [] { return error_of(kill(getppid(), 0)); });
  expect_forbidden("a limit of another process", [] {
    rlimit limit{};
    return error_of(syscall(SYS_prlimit64, getppid(), RLIMIT_CPU, nullptr, &limit));
  });
  expect_allowed("a signal to itself", [] { return error_of(kill(getpid(), 0)); });
}

TEST_F(Sandbox, StartsAndTracesNoProcess) {
  if (kSanitized) GTEST_SKIP() << "A SANITIZER'S REPORTS NEED PROCESSES: NOT TESTED";
  expect_forbidden("a process", [] {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    return error_of(child);
  });
  expect_forbidden("tracing", [] { return error_of(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr)); });
  expect_forbidden("memory of a process", [] {
    char from = 'x', to = 0;
    const iovec out{&to, 1}, in{&from, 1};
    return error_of(process_vm_readv(getpid(), &out, 1, &in, 1, 0));
  });
}

TEST_F(Sandbox, LeavesWhatImportNeeds) {
  expect_allowed("threads", [] {
    int sum = 0;
    std::thread([&] { sum = 1; }).join();
    return sum - 1;
  });
  expect_allowed("limits of its own", [] {
    limit_process({10, 512}, {10, 1024});
    limit_process({10, 1024}, {10, 1024});
    rlimit limit{};
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur == rlim_t(512) << 20 ? 0 : 1;
  });
  EXPECT_EQ(inside([]() -> int { std::abort(); }), -SIGABRT);
}

TEST_F(Sandbox, IsForThreadsThatStartLaterToo) {
  if (!has_landlock() || kSanitized) GTEST_SKIP() << "NO LANDLOCK HERE: NOT TESTED";
  EXPECT_EQ(inside([&] {
              int read = 0, connected = 0;
              std::thread([&] {
                read = opens("other/secret")();
                connected = error_of(socket(AF_INET, SOCK_STREAM, 0));
              }).join();
              return read == EACCES && connected == EPERM ? 0 : 1;
            }),
            0);
}

TEST_F(Sandbox, WithoutLandlockStillWritesNothingAndSaysSo) {
  EXPECT_EQ(outcome_of([&] {
              if (!test::let_call_fail(kLandlock, ENOSYS)) return 1;
              const std::string line = enter();
              if (line.find("no Landlock (Function not implemented)") == line.npos) return 2;
              if (line.find("; seccomp: ") == line.npos) return 3;
              if (opens("other/secret")() != 0) return 4;
              if (opens("models/new", O_WRONLY | O_CREAT)() != EACCES) return 5;
              return socket(AF_INET, SOCK_STREAM, 0) < 0 && errno == EPERM ? 0 : 6;
            }),
            0);
}

TEST_F(Sandbox, WithoutLandlockStillStartsNoProgram) {
  EXPECT_EQ(outcome_of([&] {
              if (!test::let_call_fail(kLandlock, ENOSYS)) return 1;
              enter();
              return run_true();
            }),
            EPERM);
}

TEST_F(Sandbox, WithoutSeccompStillReadsItsFoldersAloneAndSaysSo) {
  if (!has_landlock() || kSanitized) GTEST_SKIP() << "NO LANDLOCK HERE: NOT TESTED";
  EXPECT_EQ(outcome_of([&] {
              if (!test::let_call_fail(SYS_seccomp, EINVAL)) return 1;
              const std::string line = enter();
              if (line.find("no seccomp (Invalid argument)") == line.npos) return 2;
              if (opens("models/a.fbx")() != 0) return 3;
              if (opens("other/secret")() != EACCES) return 4;
              return opens("models/new", O_WRONLY | O_CREAT)() == EACCES ? 0 : 5;
            }),
            0);
}

}  // namespace
}  // namespace sinew::internal
