#include "record/movie.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "system/output.h"
#include "system/text.h"

namespace sinew::app {
namespace {

namespace fs = std::filesystem;

// Videos by the program ffmpeg, where it is installed: frames go to its standard input.

/// Both sides even, as 4:2:0 needs.
std::vector<std::string> command_of(const MovieInfo& info) {
  std::istringstream line("ffmpeg -loglevel error -f rawvideo -pixel_format rgba -video_size " +
                          text("%ux%u -framerate %g", info.width, info.height, info.frames_per_second) +
                          " -i pipe:0 -vf pad=ceil(iw/2)*2:ceil(ih/2)*2 -pix_fmt yuv420p " +
                          (info.path.ends_with(".webm") ? "-c:v libvpx-vp9 -crf 32 -b:v 0" : "-c:v libx264 -crf 20"));
  std::vector<std::string> words{std::istream_iterator<std::string>(line), {}};
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

  Status start() override {
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

/// Whether ffmpeg is in one of the folders of PATH.
bool has_ffmpeg() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((fs::path(folder) / "ffmpeg").c_str(), X_OK) == 0) return true;
  }
  return false;
}

// An animated WebP: lossy, plays for ever. Browsers show it as a picture. Source: libwebp's mux library.

constexpr float kQuality = 68;
constexpr int kEffort = 4;  // 0 to 6
constexpr uint32_t kMaxWebpSide = 16383;

class WebpMovie final : public Movie {
 public:
  explicit WebpMovie(const MovieInfo& info) : info_(info) {}

  Status start() override {
    if (std::max(info_.width, info_.height) > kMaxWebpSide)
      return Error{ErrorCode::kInvalidArgument, info_.path + ": a WebP has at most 16383 pixels on a side"};
    WebPAnimEncoderOptions options;
    if (WebPAnimEncoderOptionsInit(&options)) {
      options.anim_params.loop_count = 0;  // for ever
      encoder_.reset(WebPAnimEncoderNew(int(info_.width), int(info_.height), &options));
    }
    if (encoder_) return {};
    return Error{ErrorCode::kOutOfMemory, info_.path + ": libwebp has no memory for it"};
  }

  Status add(std::vector<uint8_t> rgba) override {
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigPreset(&config, WEBP_PRESET_PICTURE, kQuality) || !WebPPictureInit(&picture)) return failure();
    config.method = kEffort;
    picture.width = int(info_.width), picture.height = int(info_.height);
    picture.use_argb = 1;
    const bool added = WebPPictureImportRGBX(&picture, rgba.data(), int(info_.width) * 4) &&
                       WebPAnimEncoderAdd(encoder_.get(), &picture, time_of(count_), &config);
    WebPPictureFree(&picture);
    if (!added) return failure();
    ++count_;
    return {};
  }

  Status finish() override {
    WebPData data;
    WebPDataInit(&data);
    if (!WebPAnimEncoderAdd(encoder_.get(), nullptr, time_of(count_), nullptr) ||
        !WebPAnimEncoderAssemble(encoder_.get(), &data))
      return failure();
    Status written = write_file(info_.path, std::string_view(reinterpret_cast<const char*>(data.bytes), data.size));
    WebPDataClear(&data);
    return written;
  }

 private:
  struct Delete {
    void operator()(WebPAnimEncoder* encoder) const { WebPAnimEncoderDelete(encoder); }
  };

  int time_of(size_t frame) const { return int(std::lround(double(frame) * 1000 / info_.frames_per_second)); }

  Error failure() const {
    const char* why = WebPAnimEncoderGetError(encoder_.get());
    return {ErrorCode::kOutOfMemory, info_.path + ": libwebp cannot encode it: " + (why ? why : "")};
  }

  MovieInfo info_;
  std::unique_ptr<WebPAnimEncoder, Delete> encoder_;
  size_t count_ = 0;
};

// Numbered PNG files in a folder.

constexpr size_t kMinDigits = 4;

class PngFolder final : public Movie {
 public:
  explicit PngFolder(const MovieInfo& info)
      : info_(info), digits_(std::max(kMinDigits, std::to_string(info.frame_count).size())) {}
  PngFolder(const PngFolder&) = delete;
  PngFolder& operator=(const PngFolder&) = delete;
  ~PngFolder() override {
    if (finished_) return;
    std::error_code failed;
    for (const fs::path& path : written_) fs::remove(path, failed);
    if (is_new_) fs::remove(info_.path, failed);  // not if it has other files by now
  }

  Status start() override {
    std::error_code failed;
    is_new_ = !fs::is_directory(info_.path, failed);
    if (!is_new_ || (fs::create_directory(info_.path, failed) && !failed)) return {};
    is_new_ = false;
    return Error{ErrorCode::kUnreadable, "cannot create the folder " + info_.path + ": " + failed.message()};
  }

  Status add(std::vector<uint8_t> rgba) override {
    const fs::path path = fs::path(info_.path) / text("%0*zu.png", int(digits_), written_.size() + 1);
    Status saved = write_png(path.string(), info_.width, info_.height, rgba);
    if (saved) written_.push_back(path);
    return saved;
  }

  Status finish() override {
    finished_ = true;
    return {};
  }

 private:
  MovieInfo info_;
  size_t digits_;
  std::vector<fs::path> written_;
  bool is_new_ = false, finished_ = false;
};

enum class Kind : uint8_t { kNone, kFolder, kWebp, kFfmpeg };

Kind kind_of(const std::string& path) {
  if (names_folder(path)) return Kind::kFolder;
  std::string end = fs::path(path).extension().string();
  std::transform(end.begin(), end.end(), end.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  if (end == ".webp") return Kind::kWebp;
  return end == ".mp4" || end == ".webm" ? Kind::kFfmpeg : Kind::kNone;
}

}  // namespace

Status check_movie(const std::string& option, const std::string& path) {
  const Kind kind = kind_of(path);
  if (kind == Kind::kNone)
    return Error{ErrorCode::kInvalidArgument, option + " " + printable(path) + " is none of " + kMovieKinds};
  if (kind != Kind::kFfmpeg || has_ffmpeg()) return {};
  return Error{ErrorCode::kUnsupported,
               option + " " + printable(path) + " needs the program ffmpeg, which is not installed; F.webp does not"};
}

Status check_movie_writable(const std::string& path) {
  if (path.empty()) return {};
  return kind_of(path) == Kind::kFolder ? check_folder_writable(path) : check_writable(path);
}

Result<std::unique_ptr<Movie>> create_movie(const MovieInfo& info) {
  const Kind kind = kind_of(info.path);
  std::unique_ptr<Movie> movie = std::make_unique<PngFolder>(info);
  if (kind == Kind::kFfmpeg) movie = std::make_unique<FfmpegMovie>(info);
  if (kind == Kind::kWebp) movie = std::make_unique<WebpMovie>(info);
  if (Status started = movie->start(); !started) return started.error();
  return movie;
}

bool names_folder(const std::string& path) {
  std::error_code failed;
  return path.ends_with('/') || fs::is_directory(path, failed);
}

Status check_folder_writable(const std::string& folder) {
  std::error_code failed;
  if (fs::is_directory(folder, failed)) return check_writable((fs::path(folder) / "0001.png").string());
  const std::string path = folder.substr(0, folder.find_last_not_of('/') + 1);
  if (fs::exists(path, failed)) return Error{ErrorCode::kUnreadable, "cannot write " + folder + ": it is not a folder"};
  return check_writable(path);
}

}  // namespace sinew::app
