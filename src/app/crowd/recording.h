// Where the camera of `sinew crowd` is, and moving pictures of a crowd.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "crowd/options.h"
#include "record/movie.h"
#include "scene/camera.h"
#include "scene/scene.h"

namespace sinew::app {

/// The camera that the options ask for, at a scene time.
Orbit camera_at(const CrowdOptions& options, const Scene& scene, double seconds);

/// The same in a recording: it is at the end where it was at the start, but for a crowd that walks.
Orbit recorded_camera_at(const CrowdOptions& options, const Scene& scene, double seconds);

/// Draws frames from scene time `start` on, and writes them as a movie. Its last frames blend into what is before the
/// first one, so that it can play for ever. `draw` gives the picture of a scene time: RGBA, rows from the top.
Status record(const MovieInfo& info, double seconds, double start,
              const std::function<Result<std::vector<uint8_t>>(double)>& draw);

}  // namespace sinew::app
