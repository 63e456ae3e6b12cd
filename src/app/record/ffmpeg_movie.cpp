#include "record/ffmpeg_movie.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <utility>

#include "system/text.h"

namespace sinew::app {
namespace {

std::vector<std::string> command_of(const MovieInfo& info) {
  std::vector<std::string> words = {"ffmpeg",
                                    "-loglevel",
                                    "error",
                                    "-f",
                                    "rawvideo",
                                    "-pixel_format",
                                    "rgba",
                                    "-video_size",
                                    text("%ux%u", info.width, info.height),
                                    "-framerate",
                                    text("%g", info.frames_per_second),
                                    "-i",
                                    "pipe:0",
                                    "-vf",
                                    "pad=ceil(iw/2)*2:ceil(ih/2)*2",  // of 4:2:0: even sides
                                    "-pix_fmt",
                                    "yuv420p"};
  const std::vector<std::string> codec = info.path.ends_with(".webm")
                                             ? std::vector<std::string>{"-c:v", "libvpx-vp9", "-crf", "32", "-b:v", "0"}
                                             : std::vector<std::string>{"-c:v", "libx264", "-crf", "20"};
  words.insert(words.end(), codec.begin(), codec.end());
  words.insert(words.end(), {"-y", info.path});
  return words;
}

class FfmpegMovie final : public Movie {
 public:
  explicit FfmpegMovie(const MovieInfo& info) : info_(info) {}
  FfmpegMovie(const FfmpegMovie&) = delete;
  FfmpegMovie& operator=(const FfmpegMovie&) = delete;
  ~FfmpegMovie() override {
    if (child_ == 0) return;
    kill(child_, SIGKILL);
    wait();
    std::remove(info_.path.c_str());
  }

  Status start() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return failure("has no pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    std::vector<std::string> words = command_of(info_);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const int failed = posix_spawnp(&child_, "ffmpeg", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    input_ = ends[1];
    if (failed == 0) return {};
    child_ = 0;
    close(input_);
    return failure("does not start");
  }

  Status add(std::vector<uint8_t> rgba) override {
    const auto before = signal(SIGPIPE, SIG_IGN);  // ffmpeg may have ended: an error, not our end
    size_t done = 0;
    while (done < rgba.size()) {
      const ssize_t written = write(input_, rgba.data() + done, rgba.size() - done);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) break;
      done += size_t(written);
    }
    signal(SIGPIPE, before);
    return done == rgba.size() ? Status() : failure("has ended early");
  }

  Status finish() override {
    const int code = wait();
    if (code == 0) return {};
    std::remove(info_.path.c_str());
    return failure(text("has ended with exit code %d", code));
  }

 private:
  Error failure(const std::string& what) const { return {ErrorCode::kUnreadable, info_.path + ": ffmpeg " + what}; }

  int wait() {
    close(input_);
    int status = 0;
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) continue;
    child_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  }

  MovieInfo info_;
  pid_t child_ = 0;  // 0: none runs
  int input_ = -1;
};

}  // namespace

bool has_ffmpeg() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((std::filesystem::path(folder) / "ffmpeg").c_str(), X_OK) == 0) return true;
  }
  return false;
}

Result<std::unique_ptr<Movie>> create_ffmpeg_movie(const MovieInfo& info) {
  auto movie = std::make_unique<FfmpegMovie>(info);
  if (Status started = movie->start(); !started) return started.error();
  return std::unique_ptr<Movie>(std::move(movie));
}

}  // namespace sinew::app
