#include "window/camera_control.h"

#include <cmath>
#include <glm/geometric.hpp>

namespace sinew::app {
namespace {

constexpr float kRadiansPerPixel = 0.006f, kZoomPerStep = 0.88f;
constexpr float kFlightPerSecond = 0.6f;  // of the camera's distance

}  // namespace

void move_camera(const Input& input, uint32_t height, Orbit& orbit) {
  orbit.yaw -= input.drag_x * kRadiansPerPixel;
  orbit.pitch += input.drag_y * kRadiansPerPixel;
  orbit.distance *= std::pow(kZoomPerStep, input.scrolled);
  clamp_orbit(orbit);
  const float per_pixel = meters_per_pixel(orbit, height);
  const Axes axes = axes_of(orbit);
  orbit.target += (-input.pan_x * axes.right + input.pan_y * axes.up) * per_pixel;
}

void fly_camera(const Input& input, double seconds, Orbit& orbit) {
  const Axes axes = axes_of(orbit);
  const glm::vec3 ahead = glm::normalize(glm::vec3(axes.forward.x, 0, axes.forward.z));
  const float length = kFlightPerSecond * orbit.distance * float(seconds);
  orbit.target += length * (input.fly_x * axes.right + input.fly_z * ahead + glm::vec3(0, input.fly_y, 0));
}

}  // namespace sinew::app
