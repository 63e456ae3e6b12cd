// The crowd in a window, until it is closed.
#pragma once

#include "commands/crowd_options.h"
#include "commands/stage.h"
#include "render/renderer.h"

namespace sinew::app {

inline constexpr float kOrbitSpeed = 0.05f;  // radians a second

struct WindowRun {
  const CrowdOptions& options;
  const Scene& scene;
  Stage& stage;
  Renderer& renderer;

  FrameRequest last;  // what was drawn last
};

/// Draws until the window is closed or the frames asked for are drawn. Shaders whose source changes are reloaded.
Status show_crowd(WindowRun& run);

}  // namespace sinew::app
