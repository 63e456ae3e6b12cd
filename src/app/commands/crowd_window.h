// The crowd in a window, until it is closed.
#pragma once

#include "commands/crowd_options.h"
#include "commands/graphics_context.h"
#include "render/renderer.h"

namespace sinew::app {

inline constexpr float kOrbitSpeed = 0.05f;  // radians a second

struct WindowLoop {
  const CrowdOptions& options;
  const Scene& scene;
  GraphicsContext& stage;
  Renderer& renderer;

  FrameRequest last;  // what was drawn last
};

/// Draws until the window is closed or the frames asked for are drawn. Shaders whose source changes are reloaded.
Status show_crowd(WindowLoop& run);

}  // namespace sinew::app
