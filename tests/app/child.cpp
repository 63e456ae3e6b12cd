#include "child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

extern char** environ;

namespace sinew::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::vector<std::string> environment_with(const Environment& changes) {
  std::vector<std::string> lines;
  for (char** entry = environ; *entry; ++entry) {
    const std::string line = *entry;
    if (!changes.contains(line.substr(0, line.find('=')))) lines.push_back(line);
  }
  for (const auto& [name, value] : changes) {
    if (!value.empty()) lines.push_back(name + "=" + value);
  }
  return lines;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

// Starts the program in its own process group, so that its children can be killed with it. Returns -1 on failure.
pid_t spawn(std::vector<std::string> command, const Environment& changes, const std::string& out,
            const std::string& err) {
  std::vector<std::string> environment = environment_with(changes);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t pid = -1;
  if (posix_spawnp(&pid, command[0].c_str(), &actions, &attributes, pointers(command).data(),
                   pointers(environment).data()) != 0) {
    pid = -1;
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return pid;
}

int wait_for(pid_t pid, int timeout_seconds) {
  const auto deadline = Clock::now() + std::chrono::seconds(timeout_seconds);
  int status = 0;
  while (waitpid(pid, &status, WNOHANG) == 0) {
    if (timeout_seconds > 0 && Clock::now() > deadline) {
      kill(-pid, SIGKILL);
      waitpid(pid, &status, 0);
      return -2;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

Outcome run(const std::vector<std::string>& command, const Environment& environment, int timeout_seconds) {
  const Folder folder;
  const pid_t pid = spawn(command, environment, folder.path("out"), folder.path("err"));
  if (pid < 0) return {127, "", "did not start: " + command[0] + "\n"};
  const int exit_code = wait_for(pid, timeout_seconds);
  return {exit_code, read(folder.path("out")), read(folder.path("err"))};
}

std::string program() {
  const char* other = std::getenv("SINEW_TESTED_PROGRAM");
  return other != nullptr ? other : SINEW_PROGRAM;
}

Outcome sinew(const std::vector<std::string>& arguments, const Environment& environment) {
  std::vector<std::string> command{program()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command, environment);
}

Background::Background(const std::vector<std::string>& command, const Environment& environment, const std::string& out,
                       const std::string& err)
    : pid_(spawn(command, environment, out, err)) {}

Background::~Background() {
  if (pid_ < 0) return;
  kill(-pid_, SIGTERM);
  wait_for(pid_, 5);
}

bool Background::running() {
  int status = 0;
  if (pid_ > 0 && waitpid(pid_, &status, WNOHANG) != 0) {
    pid_ = -1;
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  return pid_ > 0;
}

std::string without_warnings(const std::string& lines) {
  std::string left;
  std::istringstream all(lines);
  for (std::string line; std::getline(all, line);) left += line.starts_with("WARNING: ") ? "" : line + "\n";
  return left;
}

void write(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

std::string write_worker(const Folder& folder, const std::string& script) {
  const std::string path = folder.path("worker");
  write(path, "#!/bin/sh\n" + script + "\n");
  chmod(path.c_str(), 0755);
  return path;
}

std::string shared(const std::string& path) {
  const std::string full = std::string(SINEW_SHARED_DIR) + "/" + path;
  return fs::exists(full) ? full : "";
}

bool has_device() {
  static const bool found = sinew({"devices"}).exit_code == 0;
  return found;
}

bool draws_wireframe() {
  static const bool draws = [] {
    const Folder folder;
    const Outcome outcome = sinew({"view", SINEW_SOURCE_DIR "/assets/character.glb", "--show", "wireframe", "--size",
                                   "64x36", "--screenshot", folder.path("wireframe.png")});
    return outcome.exit_code == 0 && outcome.err.find("draws no lines in place of triangles") == std::string::npos;
  }();
  return draws;
}

}  // namespace sinew::test
