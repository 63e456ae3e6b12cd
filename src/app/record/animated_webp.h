// An animated WebP: lossy, plays for ever. Browsers show it as a picture. Source: libwebp's mux library.
#pragma once

#include <memory>

#include "record/movie.h"

namespace sinew::app {

Result<std::unique_ptr<Movie>> create_webp_movie(const MovieInfo& info);

}  // namespace sinew::app
