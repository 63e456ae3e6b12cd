#include "record/animated_webp.h"

#include <webp/encode.h>
#include <webp/mux.h>

#include <cmath>
#include <string_view>
#include <utility>

#include "system/write_file.h"

namespace sinew::app {
namespace {

constexpr float kQuality = 68;
constexpr int kEffort = 4;  // 0 to 6

class WebpMovie final : public Movie {
 public:
  explicit WebpMovie(const MovieInfo& info) : info_(info) {
    WebPAnimEncoderOptions options;
    if (!WebPAnimEncoderOptionsInit(&options)) return;
    options.anim_params.loop_count = 0;  // for ever
    encoder_.reset(WebPAnimEncoderNew(int(info.width), int(info.height), &options));
  }

  bool is_ready() const { return encoder_ != nullptr; }

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
    const char* why = encoder_ ? WebPAnimEncoderGetError(encoder_.get()) : "";
    return {ErrorCode::kOutOfMemory, info_.path + ": libwebp cannot encode it: " + (why ? why : "")};
  }

  MovieInfo info_;
  std::unique_ptr<WebPAnimEncoder, Delete> encoder_;
  size_t count_ = 0;
};

}  // namespace

Result<std::unique_ptr<Movie>> create_webp_movie(const MovieInfo& info) {
  auto movie = std::make_unique<WebpMovie>(info);
  if (!movie->is_ready()) return Error{ErrorCode::kOutOfMemory, info.path + ": libwebp has no memory for it"};
  return std::unique_ptr<Movie>(std::move(movie));
}

}  // namespace sinew::app
