// What Linux and macOS have in common.
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "system/platform.h"
#include "system/text.h"

extern char** environ;  // POSIX has it in no header

namespace sinew::app {

// This process.

std::vector<std::string> arguments_of(int argc, char** argv) { return {argv + std::min(argc, 1), argv + argc}; }

std::string quoted_for_shell(const std::string& word) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,+=%@";
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return word;
  std::string text = "'";
  for (char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

std::string environment_value(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::filesystem::path user_cache_folder() {
  const std::filesystem::path home = environment_value("HOME");
  return home.is_absolute() ? home / ".cache" : std::filesystem::path();
}

void* renderdoc_function(const char* name) {
  void* library = dlopen("librenderdoc.so", RTLD_NOW | RTLD_NOLOAD);
  return library != nullptr ? dlsym(library, name) : nullptr;
}

std::vector<std::filesystem::path> root_folders() { return {"/"}; }

// Standard streams.

void reserve_standard_streams() {
  std::signal(SIGXFSZ, SIG_IGN);
  for (int descriptor = 0; descriptor < 3; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    // open() takes the lowest free descriptor. The wrong direction makes each use fail, so that nothing seems to work.
    if (open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

bool takes_control_sequences(FILE* stream) {
  return isatty(fileno(stream)) != 0 && environment_value("TERM") != "dumb";
}

// Another process.

struct ChildProcess::Impl {
  pid_t child = 0;           // 0: it has ended
  int input = -1, out = -1;  // our ends of its standard input and output
  int errors = -1;           // a file that has its standard error

  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    if (child != 0) {
      kill(child, SIGKILL);
      exit_status();
    }
    for (const int descriptor : {input, out, errors}) {
      if (descriptor >= 0) close(descriptor);
    }
  }

  int exit_status() {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    child = 0;
    return status;
  }
};

namespace {

/// The child's end of a pipe, closed at the end of the scope.
struct ChildEnd {
  int descriptor = -1;
  ~ChildEnd() {
    if (descriptor >= 0) close(descriptor);
  }
};

#ifdef SOCK_CLOEXEC
constexpr int kCloseOnExec = SOCK_CLOEXEC;
#else
constexpr int kCloseOnExec = 0;  // FD_CLOEXEC, an instant later
#endif

/// Two ends that are connected in both directions, and that no other child inherits.
bool make_connection(int& own, ChildEnd& child_end) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | kCloseOnExec, 0, ends) != 0) return false;
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  own = ends[0], child_end.descriptor = ends[1];
#ifdef SO_NOSIGPIPE
  const int on = 1;
  setsockopt(own, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  return true;
}

#ifdef MSG_NOSIGNAL
constexpr int kNoSignal = MSG_NOSIGNAL;
#else
constexpr int kNoSignal = 0;     // SO_NOSIGPIPE
#endif

/// A file without a name, which no other child inherits. -1: it cannot be made.
int temporary_file() {
  std::error_code error;
  std::string name = std::filesystem::temp_directory_path(error) / "sinew-errors-XXXXXX";
  const int file = error ? -1 : mkstemp(name.data());
  if (file < 0) return -1;
  unlink(name.c_str());
  fcntl(file, F_SETFD, FD_CLOEXEC);
  return file;
}

Error out_of_memory(const char* what) {
  return {ErrorCode::kOutOfMemory, std::string("cannot make ") + what + ": " + std::strerror(errno)};
}

}  // namespace

ChildProcess::ChildProcess(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ChildProcess::ChildProcess(ChildProcess&& other) noexcept = default;
ChildProcess::~ChildProcess() = default;

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& command) {
  auto impl = std::make_unique<Impl>();
  ChildEnd input, out;
  if (!make_connection(impl->input, input) || !make_connection(impl->out, out)) return out_of_memory("a socket");
  impl->errors = temporary_file();
  if (impl->errors < 0) return out_of_memory("a temporary file");
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.descriptor, 0);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor, 1);
  posix_spawn_file_actions_adddup2(&actions, impl->errors, 2);
  const int error = posix_spawn(&impl->child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return ChildProcess(std::move(impl));
  impl->child = 0;
  return Error{ErrorCode::kNotFound, "cannot run " + command.front() + ": " + std::strerror(error)};
}

void ChildProcess::write(std::string_view bytes) { send(impl_->input, bytes.data(), bytes.size(), kNoSignal); }

size_t ChildProcess::read(std::span<char> bytes) {
  ssize_t count = -1;
  do count = ::read(impl_->out, bytes.data(), bytes.size());
  while (count < 0 && errno == EINTR);
  return size_t(std::max<ssize_t>(count, 0));
}

std::string ChildProcess::wait() {
  const int status = impl_->exit_status();
  if (!WIFEXITED(status)) return text("signal %d", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  return WEXITSTATUS(status) == 0 ? "" : text("exit code %d", WEXITSTATUS(status));
}

std::string ChildProcess::end_of_errors() const {
  constexpr off_t kMost = 4096;
  const int file = impl_->errors;
  const off_t size = lseek(file, 0, SEEK_END), first = std::max<off_t>(0, size - kMost);
  std::string bytes(size_t(std::max<off_t>(0, size - first)), '\0');
  const ssize_t count = pread(file, bytes.data(), bytes.size(), first);
  bytes.resize(size_t(std::max<ssize_t>(0, count)));
  return bytes;
}

// Ctrl-C.

namespace {

volatile std::sig_atomic_t interrupted = 0;
struct sigaction before;

void interrupt(int) { interrupted = 1; }

}  // namespace

InterruptFlag::InterruptFlag() {
  sigaction(SIGINT, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;  // as nohup ignores it: it stays so
  struct sigaction action = {};
  action.sa_handler = interrupt;
  action.sa_flags = int(SA_RESETHAND | SA_RESTART);  // the next one has its usual effect
  sigaction(SIGINT, &action, nullptr);
}

InterruptFlag::~InterruptFlag() { sigaction(SIGINT, &before, nullptr); }

bool InterruptFlag::is_set() { return interrupted != 0; }

}  // namespace sinew::app
