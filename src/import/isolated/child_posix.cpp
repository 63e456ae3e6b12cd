// On POSIX systems: posix_spawn(), never a bare fork, because hosts have threads.
#include "isolated/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __APPLE__
#include <crt_externs.h>
#endif

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#ifndef __APPLE__
extern char** environ;
#endif

namespace sinew::internal {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kKeptErrorBytes = 64 << 10;

#ifdef __APPLE__
constexpr short kCloseOtherFiles = POSIX_SPAWN_CLOEXEC_DEFAULT;
char** environment() { return *_NSGetEnviron(); }  // a shared library has no `environ` there
/// There is no pipe2(). A program that another thread starts between these calls inherits the pipe.
bool make_pipe(int (&ends)[2]) {
  if (::pipe(ends) != 0) return false;
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  return true;
}
#else
constexpr short kCloseOtherFiles = 0;
char** environment() { return environ; }
bool make_pipe(int (&ends)[2]) { return ::pipe2(ends, O_CLOEXEC) == 0; }
#endif

Error failure(const std::string& what, int error_number) {
  return {ErrorCode::kUnreadable, what + ": " + std::strerror(error_number)};
}

/// Moves a descriptor above the standard three. If the host has closed one of those, a new file gets its number, and
/// would collide with the child's. Returns -1, with `descriptor` closed, if no number is free.
int above_standard_files(int descriptor) {
  if (descriptor < 0 || descriptor > 2) return descriptor;
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  const int error_number = errno;
  ::close(descriptor);
  errno = error_number;
  return moved;
}

/// The files and signals of the child: /dev/null on 0, `output` on 1, `errors` on 2, no other file (on Linux before
/// glibc 2.34: except those without close-on-exec), and no signal blocked or ignored.
class SpawnPlan {
 public:
  SpawnPlan(int output, int errors) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_addopen(&files_, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files_, output, 1);
    posix_spawn_file_actions_adddup2(&files_, errors, 2);
#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 34)
    posix_spawn_file_actions_addclosefrom_np(&files_, 3);
#endif
#endif
    posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | kCloseOtherFiles);
  }
  ~SpawnPlan() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&files_);
  }
  SpawnPlan(const SpawnPlan&) = delete;

  /// Starts the program. Returns 0 or an errno value.
  int spawn(const std::vector<std::string>& command, pid_t& pid) const {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    return posix_spawn(&pid, words[0], &files_, &attributes_, words.data(), environment());
  }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

struct Pipe {
  int read = -1, write = -1;

  ~Pipe() {
    close_end(read);
    close_end(write);
  }
  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
};

/// Appends to `text` until the other end of the pipe is closed, which happens when the child ends. Returns false if the
/// deadline passes first.
bool read_until(Clock::time_point deadline, int descriptor, const ErrorsCallback& on_errors, std::string& text) {
  char buffer[4096];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd waiting{descriptor, POLLIN, 0};
    const int ready = left > 0 ? ::poll(&waiting, 1, int(std::min<int64_t>(left, 1 << 30))) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const ssize_t count = ::read(descriptor, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    text.append(buffer, size_t(count));
    if (text.size() > 2 * kKeptErrorBytes) text.erase(0, text.size() - kKeptErrorBytes);
    if (on_errors) on_errors(text);
  }
}

/// A child process. The destructor kills it where it still runs, and never leaves it behind: an exception may come
/// from the host's callback, or from memory that runs out.
class RunningChild {
 public:
  explicit RunningChild(pid_t pid) : pid_(pid) {}
  ~RunningChild() { kill(); }
  RunningChild(const RunningChild&) = delete;

  /// Waits for the end. False: it still runs at the deadline. Gives the status as waitpid() does; -1 where the host
  /// ignores SIGCHLD: the status is lost then.
  bool wait_until(Clock::time_point deadline, int& status) {
    while (pid_ >= 0) {
      const pid_t ended = ::waitpid(pid_, &status, WNOHANG);
      if (ended < 0 && errno == EINTR) continue;
      if (ended < 0) status = -1;
      if (ended != 0) pid_ = -1;
      if (ended != 0) break;
      if (Clock::now() > deadline) return false;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return true;
  }
  void kill() {
    int status = 0;
    if (pid_ >= 0) ::kill(pid_, SIGKILL);
    wait_until(Clock::time_point::max(), status);
  }

 private:
  pid_t pid_;  // -1: it has ended, and its number may be another process's
};

/// Waits for the child's end. Returns false if it still runs at the deadline.
bool reap(RunningChild& child, Clock::time_point deadline, ChildResult& end) {
  int status = 0;
  if (!child.wait_until(deadline, status)) return false;
  if (status == -1) return true;  // only the output remains
  if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
  if (!WIFSIGNALED(status)) return true;
  end.timed_out = WTERMSIG(status) == SIGXCPU;
  if (!end.timed_out) end.crash = strsignal(WTERMSIG(status));
  return true;
}

}  // namespace

Result<TemporaryFile> TemporaryFile::create() {
  std::error_code failed;
  std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  if (failed) folder = "/tmp";
  std::string name = (folder / "sinew-XXXXXX").string();
  const int descriptor = above_standard_files(::mkostemp(name.data(), O_CLOEXEC));
  if (descriptor < 0) return failure("cannot make a temporary file in " + folder.string(), errno);
  ::unlink(name.c_str());
  return TemporaryFile(descriptor);
}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<ChildResult> run_child(const std::vector<std::string>& command, const TemporaryFile& output, double seconds,
                              const ErrorsCallback& on_errors) {
  int ends[2];
  if (!make_pipe(ends)) return failure("cannot make a pipe", errno);
  Pipe errors{above_standard_files(ends[0]), above_standard_files(ends[1])};
  if (errors.read < 0 || errors.write < 0) return failure("cannot make a pipe", errno);
  pid_t pid = -1;
  if (const int failed = SpawnPlan(output.descriptor(), errors.write).spawn(command, pid); failed != 0) {
    return failure("cannot run " + command[0], failed);
  }
  RunningChild child(pid);
  Pipe::close_end(errors.write);

  ChildResult end;
  const auto deadline = Clock::now() + std::chrono::milliseconds(int64_t(seconds * 1000));
  if (!read_until(deadline, errors.read, on_errors, end.errors) || !reap(child, deadline, end)) {
    child.kill();
    end.timed_out = true;
  }
  return end;
}

}  // namespace sinew::internal
