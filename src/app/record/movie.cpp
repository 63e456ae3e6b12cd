#include "record/movie.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <utility>

#include "record/animated_png.h"
#include "record/animated_webp.h"
#include "record/ffmpeg_movie.h"
#include "record/png_folder.h"
#include "system/text.h"
#include "system/write_file.h"

namespace sinew::app {
namespace {

constexpr uint64_t kMaxBytes = uint64_t(4) << 30;
constexpr uint32_t kMaxWebpSide = 16383;

enum class Kind : uint8_t { kNone, kPng, kFolder, kWebp, kFfmpeg };

Kind kind_of(const std::string& path) {
  if (names_folder(path)) return Kind::kFolder;
  std::string end = std::filesystem::path(path).extension().string();
  std::transform(end.begin(), end.end(), end.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  if (end == ".png") return Kind::kPng;
  if (end == ".webp") return Kind::kWebp;
  return end == ".mp4" || end == ".webm" ? Kind::kFfmpeg : Kind::kNone;
}

/// Keeps all frames, and writes them at the end: PNG files need to know their number.
class PngMovie final : public Movie {
 public:
  PngMovie(const MovieInfo& info, bool folder) : info_(info), folder_(folder) {}

  Status add(std::vector<uint8_t> rgba) override {
    frames_.push_back(std::move(rgba));
    return {};
  }

  Status finish() override {
    if (folder_) return write_png_folder(info_.path, frames_, info_.width, info_.height);
    return write_animated_png(info_.path, frames_,
                              {info_.width, info_.height, 100, uint16_t(std::lround(info_.frames_per_second * 100))});
  }

 private:
  MovieInfo info_;
  bool folder_;
  std::vector<std::vector<uint8_t>> frames_;
};

}  // namespace

Status check_movie(const std::string& option, const std::string& path) {
  const Kind kind = kind_of(path);
  if (kind == Kind::kNone)
    return Error{ErrorCode::kInvalidArgument, option + " " + printable(path) + " is none of " + kMovieKinds};
  if (kind != Kind::kFfmpeg || has_ffmpeg()) return {};
  return Error{ErrorCode::kUnsupported, option + " " + printable(path) +
                                            " needs the program ffmpeg, which is not installed; F.webp and F.png do "
                                            "not"};
}

Status check_movie_writable(const std::string& path) {
  if (path.empty()) return {};
  return kind_of(path) == Kind::kFolder ? check_folder_writable(path) : check_writable(path);
}

Result<std::unique_ptr<Movie>> create_movie(const MovieInfo& info) {
  const Kind kind = kind_of(info.path);
  if (kind == Kind::kFfmpeg) return create_ffmpeg_movie(info);
  if (kind == Kind::kWebp && std::max(info.width, info.height) <= kMaxWebpSide) return create_webp_movie(info);
  if (kind == Kind::kWebp)
    return Error{ErrorCode::kInvalidArgument, info.path + ": a WebP has at most 16383 pixels on a side"};
  if (info.frame_count > kMaxBytes / (uint64_t(info.width) * info.height * 4)) {
    return Error{ErrorCode::kInvalidArgument,
                 text("--record: %zu pictures of %ux%u need more than 4 GiB; use fewer --seconds, fewer "
                      "--frames-per-second or a smaller --size",
                      info.frame_count, info.width, info.height)};
  }
  return std::unique_ptr<Movie>(std::make_unique<PngMovie>(info, kind == Kind::kFolder));
}

}  // namespace sinew::app
