// Videos by the program ffmpeg, where it is installed: frames go to its standard input.
#pragma once

#include <memory>

#include "record/movie.h"

namespace sinew::app {

/// Whether ffmpeg is in one of the folders of PATH.
bool has_ffmpeg();

Result<std::unique_ptr<Movie>> create_ffmpeg_movie(const MovieInfo& info);

}  // namespace sinew::app
