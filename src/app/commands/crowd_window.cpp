#include "commands/crowd_window.h"

#include <cstdio>

#include "gpu/shaders.h"
#include "system/clock.h"
#include "system/text.h"
#include "window/swapchain.h"

namespace sinew::app {
namespace {

constexpr double kTitleMs = 500, kReloadMs = 250;

/// State that the loop keeps from one frame to the next.
struct LoopState {
  WindowLoop& loop;
  Swapchain swapchain;
  ShaderWatch shaders;
  Orbit camera;
  double seconds;  // scene time
  uint32_t frames = 0;
  Stopwatch since_frame, since_title, since_reload;
  uint32_t frames_at_title = 0;

  explicit LoopState(WindowLoop& window_loop)
      : loop(window_loop),
        swapchain(loop.graphics.device, loop.graphics.surface.handle),
        camera(frame_crowd(loop.scene)),
        seconds(loop.options.start_seconds) {}
};

void reload_shaders(LoopState& state) {
  if (state.since_reload.elapsed_ms() < kReloadMs) return;
  state.since_reload = Stopwatch();
  const std::vector<Shader> changed = state.shaders.changed();
  if (changed.empty()) return;
  const Status reloaded = state.loop.renderer.reload(changed);
  std::string names;
  for (Shader shader : changed) names += std::string(names.empty() ? "" : ", ") + source_name(shader);
  if (reloaded) {
    std::fprintf(stderr, "reloaded %s\n", names.c_str());
  } else {
    std::fprintf(stderr, "not reloaded, the old shaders stay in use: %s\n", reloaded.error().message.c_str());
  }
}

void update_title(LoopState& state) {
  const double elapsed = state.since_title.elapsed_ms();
  if (elapsed < kTitleMs) return;
  const uint32_t frames = state.frames - state.frames_at_title;
  state.loop.graphics.window->set_title(
      text("sinew crowd: %s characters, %s ms a frame%s", grouped(state.loop.options.characters).c_str(),
           frames ? rounded(elapsed / frames).c_str() : "-", state.loop.graphics.window->paused() ? ", paused" : ""));
  state.since_title = Stopwatch();
  state.frames_at_title = state.frames;
}

/// Recreates the swapchain and the render target where the window's size has changed. False while there is nothing to
/// draw to, as in a minimized window.
Result<bool> fit_window(LoopState& state) {
  const Window& window = *state.loop.graphics.window;
  const uint32_t width = window.width(), height = window.height();
  if (width == 0 || height == 0) return false;
  Swapchain& swapchain = state.swapchain;
  if (!swapchain.outdated() && width == swapchain.width() && height == swapchain.height()) return true;
  vkDeviceWaitIdle(state.loop.graphics.device.handle);
  if (Status created = swapchain.create(width, height); !created) return created.error();
  if (swapchain.outdated()) return false;
  const Target& target = state.loop.renderer.target();
  if (target.width == swapchain.width() && target.height == swapchain.height()) return true;
  if (Status sized = state.loop.renderer.resize(swapchain.width(), swapchain.height()); !sized) return sized.error();
  return true;
}

void advance(LoopState& state) {
  const double elapsed_ms = state.since_frame.elapsed_ms();
  state.since_frame = Stopwatch();
  if (state.loop.graphics.window->paused()) return;
  state.seconds += elapsed_ms / 1e3;
  if (state.loop.options.orbiting && !state.loop.graphics.window->turned())
    state.camera.yaw += kOrbitSpeed * float(elapsed_ms / 1e3);
}

/// Draws nothing where the swapchain is outdated: fit_window() recreates it before the next frame.
Status draw_and_present(LoopState& state) {
  Renderer& renderer = state.loop.renderer;
  auto acquired = renderer.begin_frame();
  if (!acquired) return acquired.error();
  auto image = state.swapchain.acquire(*acquired);
  if (!image) return image.error();
  if (!*image) return {};
  state.loop.last = {state.seconds, state.camera, &**image};
  if (Status drawn = renderer.draw_frame(state.loop.last); !drawn) return drawn;
  state.loop.last.presentation = nullptr;
  ++state.frames;
  return state.swapchain.present();
}

bool is_over(const LoopState& state) {
  const CrowdOptions& options = state.loop.options;
  return state.loop.graphics.window->closed() || (options.frames && state.frames >= options.warmup + *options.frames);
}

}  // namespace

Status show_crowd(WindowLoop& loop) {
  LoopState state(loop);
  Status status;
  while (status && !is_over(state)) {
    loop.graphics.window->poll(state.camera);
    reload_shaders(state);
    update_title(state);
    auto fits = fit_window(state);
    if (!fits) return fits.error();
    if (!*fits) {
      loop.graphics.window->wait();
      state.since_frame = Stopwatch();
      continue;
    }
    advance(state);
    status = draw_and_present(state);
  }
  vkDeviceWaitIdle(loop.graphics.device.handle);
  return status;
}

}  // namespace sinew::app
