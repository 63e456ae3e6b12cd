// The frame loop of `sinew crowd --window`.
#pragma once

#include "commands/crowd_options.h"
#include "commands/graphics_context.h"
#include "render/renderer.h"

namespace sinew::app {

inline constexpr float kOrbitSpeed = 0.05f;  // radians per second of scene time, around the vertical axis

/// What the frame loop draws with, and the last frame that it drew. All references must outlive it.
struct WindowLoop {
  const CrowdOptions& options;
  const Scene& scene;
  GraphicsContext& graphics;
  Renderer& renderer;

  FrameRequest last;  // written by show_crowd(): the last frame drawn, without its swapchain image
};

/// Draws until the window is closed, or until the frames that `options` request are drawn, the warm-up included.
/// Reloads shaders when their source files change. Main thread only. Waits for the device before it returns.
Status show_crowd(WindowLoop& loop);

}  // namespace sinew::app
