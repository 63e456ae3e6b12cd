// Frames of a renderer in a window: swapchain, size, presentation, shaders that are reloaded when they change; and how
// mouse and keys control the camera.
#pragma once

#include "gpu/host.h"
#include "gpu/shaders.h"
#include "render/renderer.h"
#include "scene/camera.h"
#include "system/clock.h"

namespace sinew::app {

class WindowFrames {
 public:
  /// All must outlive it.
  WindowFrames(const Device& device, VkSurfaceKHR surface, const Window& window)
      : device_(device), window_(window), swapchain_(device, surface) {}

  /// Makes swapchain and picture as large as the window. False while there is nothing to draw to, as in a minimized
  /// window.
  Result<bool> fit(Renderer& renderer);

  /// Compiles shaders again whose sources have changed, and says so on standard error. Looks a few times per second.
  void reload_shaders(Renderer& renderer);

  /// Draws and presents. Sets `request.presentation`. False: nothing was drawn, because the window has changed; fit()
  /// mends that before the next frame.
  Result<bool> draw(Renderer& renderer, FrameRequest request);

 private:
  const Device& device_;
  const Window& window_;
  Swapchain swapchain_;
  ShaderWatch shaders_;
  Stopwatch since_reload_;
};

/// Turns, pans and zooms the camera. `height` of the window in pixels.
void move_camera(const Input& input, uint32_t height, Orbit& orbit);

/// Moves the target of the camera: W and S along the view, A and D sideways, Q and E down and up.
void fly_camera(const Input& input, double seconds, Orbit& orbit);

}  // namespace sinew::app
