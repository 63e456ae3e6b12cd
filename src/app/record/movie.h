// Moving pictures: frames go in one after another, a file or a folder comes out.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
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

// Pictures as numbered PNG files in a folder, for programs that make videos of them.

/// Whether a path names a folder: it ends in "/", or a folder is there.
bool names_folder(const std::string& path);

/// Fails where write_png_folder() would fail because of the folder or the one that it is in. Creates nothing.
Status check_folder_writable(const std::string& folder);

/// Writes each frame to `folder` as 0001.png, 0002.png and so on, with as many digits as the last number needs. Creates
/// the folder if it is not there, but not the folder that it is in. A file of the same name is replaced; other files
/// stay. Each frame is RGBA, 4 bytes per pixel, rows from the top. On failure removes what it wrote, the folder too if
/// it created it.
Status write_png_folder(const std::string& folder, std::span<const std::vector<uint8_t>> rgba_frames, uint32_t width,
                        uint32_t height);

}  // namespace sinew::app
