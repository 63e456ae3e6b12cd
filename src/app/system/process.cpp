#include "system/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>
#include <utility>

#include "system/output.h"
#include "system/paths.h"
#include "system/text.h"

namespace sinew::app {
namespace {

/// The characters that mean themselves in every shell.
constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,+=%@";

/// A word quoted for a shell, where it needs quotes.
std::string shell_quoted(const std::string& word) {
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return word;
  std::string text = "'";
  for (char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

}  // namespace

std::vector<std::string> command_words() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

std::string command_line() {
  std::string line = shell_quoted(program_path().string());
  const std::vector<std::string> words = command_words();
  for (size_t i = 1; i < words.size(); ++i) line += " " + shell_quoted(words[i]);
  return line;
}

namespace {

constexpr off_t kReadBytes = 4096;  // the end of standard error

std::string read_end(int file) {
  const off_t size = lseek(file, 0, SEEK_END), first = std::max<off_t>(0, size - kReadBytes);
  std::string bytes(size_t(std::max<off_t>(0, size - first)), '\0');
  const ssize_t count = pread(file, bytes.data(), bytes.size(), first);
  bytes.resize(size_t(std::max<ssize_t>(0, count)));
  return bytes;
}

std::string last_line(std::string lines) {
  while (lines.ends_with('\n')) lines.pop_back();
  const size_t end = lines.rfind('\n');
  return end == lines.npos ? lines : lines.substr(end + 1);
}

void close_all(std::initializer_list<int> descriptors) {
  for (const int descriptor : descriptors) {
    if (descriptor >= 0) close(descriptor);
  }
}

/// Removes the first line from `bytes`. False: there is no whole line.
bool take_line(std::string& bytes, std::string& line) {
  const size_t end = bytes.find('\n');
  if (end == bytes.npos) return false;
  line = bytes.substr(0, end);
  bytes.erase(0, end + 1);
  return true;
}

int exit_status_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

Status pass_turn() {
  if (Status printed = write_output(std::string(kTurnEnd) + "\n"); !printed) return printed;
  std::string line;
  if (std::getline(std::cin, line)) return {};
  return Error{ErrorCode::kUnsupported, "--wait-between-repeats waits for a line on standard input, but it ended"};
}

Result<ChildProgram> ChildProgram::start(const std::vector<std::string>& command) {
  ChildProgram program;
  program.name_ = command.front();
  int input[2], out[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input) != 0)
    return Error{ErrorCode::kOutOfMemory, std::string("cannot make a socket: ") + std::strerror(errno)};
  program.input_ = input[1];
  program.errors_ = memfd_create("errors", MFD_CLOEXEC);
  if (program.errors_ < 0 || pipe2(out, O_CLOEXEC) != 0) {
    close(input[0]);
    return Error{ErrorCode::kOutOfMemory, std::string("cannot make a pipe: ") + std::strerror(errno)};
  }
  program.out_ = out[0];
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, program.errors_, 2);
  const int error = posix_spawn(&program.child_, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close_all({input[0], out[1]});
  if (error == 0) return program;
  program.child_ = 0;
  return Error{ErrorCode::kNotFound, "cannot run " + program.name_ + ": " + std::strerror(error)};
}

ChildProgram::ChildProgram(ChildProgram&& other) noexcept
    : name_(std::move(other.name_)),
      child_(std::exchange(other.child_, 0)),
      input_(std::exchange(other.input_, -1)),
      out_(std::exchange(other.out_, -1)),
      errors_(std::exchange(other.errors_, -1)),
      unread_(std::move(other.unread_)) {}

ChildProgram::~ChildProgram() {
  if (child_ != 0) {
    kill(child_, SIGKILL);
    exit_status_of(child_);
  }
  close_all({input_, out_, errors_});
}

void ChildProgram::give_turn() {
  send(input_, "\n", 1, MSG_NOSIGNAL);  // a program that has ended is seen when its output ends
}

Result<bool> ChildProgram::wait_for_turn_end() {
  std::string line;
  while (true) {
    while (take_line(unread_, line)) {
      if (line == kTurnEnd) return true;
    }
    char bytes[1024];
    const ssize_t count = read(out_, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    unread_.append(bytes, size_t(count));
  }
  const int status = exit_status_of(std::exchange(child_, 0));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return false;
  const std::string end = WIFEXITED(status) ? text("exit code %d", WEXITSTATUS(status))
                                            : text("signal %d", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  const std::string said = last_line(read_end(errors_));
  return Error{ErrorCode::kUnsupported, name_ + " ended with " + end + (said.empty() ? "" : ": " + printable(said))};
}

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
