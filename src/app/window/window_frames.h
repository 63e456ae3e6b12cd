// A renderer's frames in the host's window, and what the window shows while characters are loaded.
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <set>
#include <span>
#include <string>

#include "gpu/host.h"
#include "gpu/shaders.h"
#include "render/draw_options.h"
#include "render/renderer.h"
#include "scene/camera.h"
#include "scene/scene.h"
#include "system/clock.h"
#include "system/progress.h"

namespace sinew::app {

/// Frames of a renderer in a window: swapchain, size, presentation, shaders that are reloaded when they change.
class WindowFrames {
 public:
  /// All must outlive it.
  WindowFrames(const Device& device, VkSurfaceKHR surface, const Window& window)
      : window_(window), swapchain_(device, surface) {}

  /// Makes swapchain and picture as large as the window. False while there is nothing to draw to, as in a minimized
  /// window.
  Result<bool> fit(Renderer& renderer);

  /// Compiles shaders again whose sources have changed, and says so on standard error. Looks a few times per second.
  /// Where one does not compile all stay as they were, until all compile. A renderer that was made since then gets them
  /// too. Returns whether the renderer has new ones.
  bool reload_shaders(Renderer& renderer);
  /// Why shaders that were saved do not compile; empty: they do.
  const std::string& shader_problem() const { return shader_problem_; }

  /// Draws and presents. Sets `request.presentation`. False: nothing was drawn, because the window has changed; fit()
  /// mends that before the next frame.
  Result<bool> draw(Renderer& renderer, FrameRequest request);

 private:
  bool hand_over(Renderer& renderer);
  void tell_problem(const std::string& message);

  const Window& window_;
  Swapchain swapchain_;
  ShaderWatch watch_;
  std::shared_ptr<const ShaderWords> shaders_;  // compiled last; null: those of the build
  std::set<Shader> changed_;                    // since then
  std::string shader_problem_;
  Stopwatch since_reload_;
};

/// Turns, pans and zooms the camera. `height` of the window in pixels.
void move_camera(const Input& input, uint32_t height, Orbit& orbit);

/// Moves the target of the camera: W and S along the view, A and D sideways, Q and E down and up.
void fly_camera(const Input& input, double seconds, Orbit& orbit);

// What a window shows while characters are loaded on another thread: ground and sky, and the stage of the work.

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

/// Draws the scene, and what `line` says, once and until `work` is done. False: the window was closed.
Result<bool> show_loading(GraphicsContext& graphics, const EmptyScene& empty, const ProgressLine& line,
                          const std::future<Status>& work);

}  // namespace sinew::app
