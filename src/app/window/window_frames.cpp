#include "window/window_frames.h"

#include <cstdio>

namespace sinew::app {
namespace {

constexpr double kReloadMs = 250;

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

}  // namespace sinew::app
