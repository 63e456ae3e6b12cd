// The frame loop of `sinew crowd --window`, and its panel.
#pragma once

#include <memory>
#include <vector>

#include "crowd/drawing.h"
#include "gpu/host.h"
#include "scene/lines.h"
#include "window/interface.h"

namespace sinew::app {

inline constexpr float kOrbitSpeed = 0.05f;  // radians per second of scene time, around the vertical axis

/// What the frame loop draws with, and the last frame that it drew. All references must outlive it.
struct WindowLoop {
  CrowdOptions& options;  // the switches of the panel change them; scene and renderer are made for them
  CrowdInputs inputs;
  Scene& scene;
  GraphicsContext& graphics;
  std::unique_ptr<Renderer>& renderer;

  // Written by show_crowd():
  uint32_t frames = 0;                   // drawn
  FrameRequest last = {};                // the last of them, without its swapchain image
  Lines lines = {};                      // of `last`
  std::unique_ptr<Interface> interface;  // of `last`; null while the panel was never shown
  std::vector<FrameTimes> times = {};    // of the frames that were drawn as `last` was; the first has number 1
};

/// Draws until the window is closed, or until the frames that `options` request are drawn in one setting, the warm-up
/// included: where the size or a switch changes, they are counted anew. Reloads shaders when their source files change.
/// Main thread only. Waits for the device before it returns.
Status show_crowd(WindowLoop& loop);

}  // namespace sinew::app
