// Moving pictures: frames go in one after another, a file or a folder comes out.
#pragma once

#include <cstdint>
#include <functional>
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
inline constexpr const char* kMovieKinds = "F.webp|FOLDER/";

/// An animated WebP, or numbered PNG files in a folder: 0001.png, 0002.png and so on, with as many digits as the last
/// number needs. The folder is created if it is not there, but not the folder that it is in; a file of the same name is
/// replaced, other files stay.
class Movie {
 public:
  virtual ~Movie() = default;  // what was not finished is removed

  /// create_movie() has called it.
  virtual Status start() = 0;

  /// A frame: RGBA, 4 bytes a pixel, rows from the top.
  virtual Status add(std::vector<uint8_t> rgba) = 0;

  /// Writes what is left. The movie is complete only then; without it, it is removed, and a folder that was created.
  virtual Status finish() = 0;
};

/// Checks what the path of --record names; empty: nothing is recorded. Errors: kInvalidArgument.
Status check_movie(const std::string& path);
/// Fails where the movie could not be written because of a folder. Creates nothing.
Status check_movie_writable(const std::string& path);

/// Errors: as check_movie(); kUnreadable where a folder cannot be created.
Result<std::unique_ptr<Movie>> create_movie(const MovieInfo& info);

/// Writes a movie of MovieInfo::frame_count pictures, shows the progress, and prints what it wrote. `draw` gives the
/// picture of a frame, by its number from 0. Fails as create_movie() and as `draw`.
Status write_movie(const MovieInfo& info, const std::function<Result<std::vector<uint8_t>>(size_t)>& draw);

/// Whether a path names a folder: it ends in "/", or a folder is there.
bool names_folder(const std::string& path);

/// Fails where a folder of PNG files cannot be written or created. Creates nothing.
Status check_folder_writable(const std::string& folder);

}  // namespace sinew::app
