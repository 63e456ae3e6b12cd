#include "window/window_frames.h"

#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>

namespace sinew::app {
namespace {

constexpr double kReloadMs = 250;
constexpr float kRadiansPerPixel = 0.006f, kZoomPerStep = 0.88f;
constexpr float kFlightPerSecond = 0.6f;  // of the camera's distance

}  // namespace

Result<bool> WindowFrames::fit(Renderer& renderer) {
  const uint32_t width = window_.width(), height = window_.height();
  if (width == 0 || height == 0) return false;
  if (swapchain_.outdated() || width != swapchain_.width() || height != swapchain_.height()) {
    vkDeviceWaitIdle(device_.handle);
    if (Status created = swapchain_.create(width, height); !created) return created.error();
    if (swapchain_.outdated()) return false;
  }
  const Target& target = renderer.target();
  if (target.width == swapchain_.width() && target.height == swapchain_.height()) return true;
  if (Status sized = renderer.resize(swapchain_.width(), swapchain_.height()); !sized) return sized.error();
  return true;
}

void WindowFrames::reload_shaders(Renderer& renderer) {
  if (since_reload_.elapsed_ms() < kReloadMs) return;
  since_reload_ = Stopwatch();
  const std::vector<Shader> changed = shaders_.changed();
  if (changed.empty()) return;
  const Status reloaded = renderer.reload(changed);
  std::string names;
  for (Shader shader : changed) names += std::string(names.empty() ? "" : ", ") + source_name(shader);
  if (reloaded) {
    std::fprintf(stderr, "reloaded %s\n", names.c_str());
  } else {
    std::fprintf(stderr, "not reloaded, the old shaders stay in use: %s\n", reloaded.error().message.c_str());
  }
}

Result<bool> WindowFrames::draw(Renderer& renderer, FrameRequest request) {
  auto acquired = renderer.begin_frame();
  if (!acquired) return acquired.error();
  auto image = swapchain_.acquire(*acquired);
  if (!image) return image.error();
  if (!*image) return false;
  request.presentation = &**image;
  if (Status drawn = renderer.draw_frame(request); !drawn) return drawn.error();
  if (Status presented = swapchain_.present(); !presented) return presented.error();
  return true;
}

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
