#include "system/child_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "system/text.h"

namespace sinew::app {
namespace {

constexpr size_t kKeptBytes = 4096;  // of standard error

std::string read_last_bytes(int descriptor) {
  std::string all;
  char bytes[1024];
  while (true) {
    const ssize_t count = read(descriptor, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return all;
    all.append(bytes, size_t(count));
    if (all.size() > kKeptBytes) all.erase(0, all.size() - kKeptBytes);
  }
}

std::string last_line(std::string lines) {
  while (lines.ends_with('\n')) lines.pop_back();
  const size_t end = lines.rfind('\n');
  return end == lines.npos ? lines : lines.substr(end + 1);
}

Status spawn(const std::vector<std::string>& command, int error_pipe, pid_t& child) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, error_pipe, 2);
  const int error = posix_spawn(&child, command.front().c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return {};
  return Error{ErrorCode::kNotFound, "cannot run " + command.front() + ": " + std::strerror(error)};
}

}  // namespace

Status run_program(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Error{ErrorCode::kOutOfMemory, "cannot make a pipe"};
  pid_t child = 0;
  const Status spawned = spawn(command, ends[1], child);
  close(ends[1]);
  const std::string errors = spawned ? read_last_bytes(ends[0]) : "";
  close(ends[0]);
  if (!spawned) return spawned;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  const std::string end = WIFEXITED(status) ? text("exit code %d", WEXITSTATUS(status))
                                            : text("signal %d", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  const std::string said = last_line(errors);
  return Error{ErrorCode::kUnsupported,
               command.front() + " ended with " + end + (said.empty() ? "" : ": " + printable(said))};
}

}  // namespace sinew::app
