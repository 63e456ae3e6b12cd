#include "record/movie.h"

#include <webp/encode.h>
#include <webp/mux.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "system/output.h"
#include "system/paths.h"
#include "system/progress.h"
#include "system/text.h"

namespace sinew::app {
namespace {

namespace fs = std::filesystem;

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
    if (is_new_) fs::remove(path_of(info_.path), failed);  // not if it has other files by now
  }

  Status start() override {
    std::error_code failed;
    is_new_ = !fs::is_directory(path_of(info_.path), failed);
    if (!is_new_ || (fs::create_directory(path_of(info_.path), failed) && !failed)) return {};
    is_new_ = false;
    return Error{ErrorCode::kUnreadable, "cannot create the folder " + info_.path + ": " + failed.message()};
  }

  Status add(std::vector<uint8_t> rgba) override {
    const fs::path path = path_of(info_.path) / text("%0*zu.png", int(digits_), written_.size() + 1);
    Status saved = write_png(utf8_of(path), info_.width, info_.height, rgba);
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

enum class Kind : uint8_t { kNone, kFolder, kWebp };

Kind kind_of(const std::string& path) {
  if (names_folder(path)) return Kind::kFolder;
  std::string end = utf8_of(path_of(path).extension());
  std::transform(end.begin(), end.end(), end.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return end == ".webp" ? Kind::kWebp : Kind::kNone;
}

}  // namespace

Status check_movie(const std::string& path) {
  if (path.empty() || kind_of(path) != Kind::kNone) return {};
  return Error{ErrorCode::kInvalidArgument, "--record " + printable(path) + " is none of " + kMovieKinds};
}

Status check_movie_writable(const std::string& path) {
  if (path.empty()) return {};
  return kind_of(path) == Kind::kFolder ? check_folder_writable(path) : check_writable(path);
}

Result<std::unique_ptr<Movie>> create_movie(const MovieInfo& info) {
  std::unique_ptr<Movie> movie = std::make_unique<PngFolder>(info);
  if (kind_of(info.path) == Kind::kWebp) movie = std::make_unique<WebpMovie>(info);
  if (Status started = movie->start(); !started) return started.error();
  return movie;
}

Status write_movie(const MovieInfo& info, const std::function<Result<std::vector<uint8_t>>(size_t)>& draw) {
  auto movie = create_movie(info);
  if (!movie) return movie.error();
  const size_t count = info.frame_count;
  ProgressLine line("recording");
  for (size_t i = 0; i < count; ++i) {
    line.show(double(i) / double(count));
    auto picture = draw(i);
    if (!picture) return picture.error();
    if (Status added = (*movie)->add(std::move(*picture)); !added) return added;
  }
  if (Status finished = (*movie)->finish(); !finished) return finished;
  return print(text("%s: %zu pictures, %g s\n", info.path.c_str(), count, double(count) / info.frames_per_second));
}

bool names_folder(const std::string& path) {
  std::error_code failed;
  return (!path.empty() && !path_of(path).has_filename()) || fs::is_directory(path_of(path), failed);
}

Status check_folder_writable(const std::string& folder) {
  std::error_code failed;
  if (fs::is_directory(path_of(folder), failed)) return check_writable(utf8_of(path_of(folder) / "0001.png"));
  std::string path = folder;
  while (!path.empty() && !path_of(path).has_filename()) path.pop_back();  // "a/" is a
  if (fs::exists(path_of(path), failed))
    return Error{ErrorCode::kUnreadable, "cannot write " + folder + ": it is not a folder"};
  return check_writable(path);
}

}  // namespace sinew::app
