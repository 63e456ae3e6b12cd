#include "crowd/recording.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "crowd/window_loop.h"

namespace sinew::app {
namespace {

constexpr double kFlightSeconds = 16;                    // there and back, where nothing is recorded
constexpr float kFlightFar = 2.2f, kFlightNear = 0.45f;  // distances, as shares of the scene's own
constexpr float kFlightLow = 0.55f;                      // of the pitch, when the camera is near
constexpr float kFlightTurn = 0.5f;                      // radians to each side
constexpr float kSwing = 0.10f;                          // radians to each side, in a recording with an orbiting camera
constexpr double kBlendSeconds = 0.4;                    // at the end of a recording

/// `phase` from 0 to 1: far, near, and far again.
Orbit flown(Orbit orbit, double phase) {
  const float turn = float(2 * std::numbers::pi * phase), near = 0.5f - 0.5f * std::cos(turn);
  orbit.yaw += kFlightTurn * std::sin(turn);
  orbit.distance *= kFlightFar * std::pow(kFlightNear / kFlightFar, near);
  orbit.pitch *= 1 + (kFlightLow - 1) * near;
  return orbit;
}

Orbit still_camera_at(const CrowdOptions& options, const Scene& scene, double seconds) {
  Orbit camera = frame_crowd(scene, seconds);
  if (options.eye) camera = orbit_between(*options.eye, options.look_at.value_or(camera.target));
  return changed(camera, options.camera);
}

using Picture = std::vector<uint8_t>;

Picture mixed(Picture a, const Picture& b, double share_b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] = uint8_t(std::lround(a[i] + (b[i] - a[i]) * share_b));
  return a;
}

}  // namespace

Orbit camera_at(const CrowdOptions& options, const Scene& scene, double seconds) {
  Orbit camera = still_camera_at(options, scene, seconds);
  if (options.motion == CameraMotion::kOrbit) camera.yaw += kOrbitSpeed * float(seconds);
  if (options.motion == CameraMotion::kFly) camera = flown(camera, std::fmod(seconds / kFlightSeconds, 1.0));
  return above_ground(scene, camera);
}

Orbit recorded_camera_at(const CrowdOptions& options, const Scene& scene, double seconds) {
  Orbit camera = still_camera_at(options, scene, seconds);
  const double phase = (seconds - options.start_seconds) / options.record_seconds;
  if (options.motion == CameraMotion::kOrbit) camera.yaw += kSwing * float(std::sin(2 * std::numbers::pi * phase));
  return above_ground(scene, options.motion == CameraMotion::kFly ? flown(camera, phase) : camera);
}

Status record(const MovieInfo& info, double seconds, double start, const std::function<Result<Picture>(double)>& draw) {
  MovieInfo complete = info;
  const double rate = info.frames_per_second;
  const size_t count = complete.frame_count = size_t(std::max(1.0, std::round(seconds * rate)));
  const size_t blended = std::min(size_t(std::round(kBlendSeconds * rate)), count / 2);
  return write_movie(complete, [&](size_t i) -> Result<Picture> {
    const double at = start + double(i) / rate;
    auto picture = draw(at);
    const size_t left = count - i;
    if (!picture || left > blended) return picture;
    auto before = draw(at - seconds);  // the frame that would come before the first one
    if (!before) return before;
    return mixed(std::move(*picture), *before, double(blended + 1 - left) / double(blended + 1));
  });
}

}  // namespace sinew::app
