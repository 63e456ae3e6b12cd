// Moving pictures: frames go in one after another, a file or a folder comes out.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sinew/asset/result.h"

namespace sinew::app {

struct MovieInfo {
  std::string path;                // its end says what it is, see kMovieKinds
  uint32_t width = 0, height = 0;  // pixels
  double frames_per_second = 30;
  size_t frame_count = 0;
};

/// For help texts.
inline constexpr const char* kMovieKinds = "F.webp|F.png|F.mp4|F.webm|FOLDER/";

/// An animated PNG or WebP, a folder of PNG files, or what ffmpeg makes of an MP4 or WebM.
class Movie {
 public:
  virtual ~Movie() = default;  // what was not finished is removed

  /// A frame: RGBA, 4 bytes a pixel, rows from the top.
  virtual Status add(std::vector<uint8_t> rgba) = 0;

  /// Writes what is left. The movie is complete only then.
  virtual Status finish() = 0;
};

/// Checks what a path names, and where it needs ffmpeg that this is installed. `option` names it in messages. Errors:
/// kInvalidArgument, kUnsupported.
Status check_movie(const std::string& option, const std::string& path);
/// Fails where the movie could not be written because of a folder. Creates nothing.
Status check_movie_writable(const std::string& path);

/// Errors: as check_movie(); kInvalidArgument for more frames than 4 GiB where they are kept in memory.
Result<std::unique_ptr<Movie>> create_movie(const MovieInfo& info);

}  // namespace sinew::app
