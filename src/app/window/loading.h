// What a window shows while characters are loaded on another thread: ground and sky, and the stage of the work.
#pragma once

#include <chrono>
#include <future>
#include <span>
#include <string>

#include "gpu/host.h"
#include "render/draw_options.h"
#include "scene/camera.h"
#include "scene/scene.h"
#include "system/progress.h"

namespace sinew::app {

/// While files are loaded a CPU device draws with time that the work needs.
inline constexpr std::chrono::milliseconds kBetweenLoadingFrames{60};

/// A scene before its characters are loaded. `models` are stand-ins.
struct EmptyScene {
  std::span<const Model> models;
  const Scene& scene;
  Orbit camera;
  DrawOptions draw;
  uint32_t samples = 1;
  float scale = 1;   // of letters
  bool text = true;  // whether the stage is shown
};

/// A line with the stage of the work, in the middle of the upper edge; between Interface::begin() and end(). `scale` is
/// that of the interface.
void add_loading(const std::string& stage, float scale);

/// Draws the scene, and what `line` says, once and until `work` is done. False: the window was closed, or Escape was
/// pressed.
Result<bool> show_loading(GraphicsContext& graphics, const EmptyScene& empty, const ProgressLine& line,
                          const std::future<Status>& work);

}  // namespace sinew::app
