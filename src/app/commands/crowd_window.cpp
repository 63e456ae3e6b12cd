#include "commands/crowd_window.h"

#include <cstdio>

#include "gpu/shaders.h"
#include "system/clock.h"
#include "system/text.h"
#include "window/swapchain.h"

namespace sinew::app {
namespace {

constexpr double kTitleMs = 500, kReloadMs = 250;

/// What the loop remembers from one turn to the next.
struct Show {
  WindowLoop& run;
  Swapchain swapchain;
  ShaderWatch shaders;
  Orbit camera;
  double seconds;  // of the scene
  uint32_t frames = 0;
  Stopwatch since_frame, since_title, since_reload;
  uint32_t frames_at_title = 0;

  explicit Show(WindowLoop& window_run)
      : run(window_run),
        swapchain(run.stage.device, run.stage.surface.handle),
        camera(frame_crowd(run.scene)),
        seconds(run.options.start_seconds) {}
};

void reload_shaders(Show& show) {
  if (show.since_reload.elapsed_ms() < kReloadMs) return;
  show.since_reload = Stopwatch();
  const std::vector<Shader> changed = show.shaders.changed();
  if (changed.empty()) return;
  const Status reloaded = show.run.renderer.reload(changed);
  std::string names;
  for (Shader shader : changed) names += std::string(names.empty() ? "" : ", ") + source_name(shader);
  if (reloaded)
    std::fprintf(stderr, "reloaded %s\n", names.c_str());
  else
    std::fprintf(stderr, "not reloaded, the old one stays: %s\n", reloaded.error().message.c_str());
}

void update_title(Show& show) {
  const double elapsed = show.since_title.elapsed_ms();
  if (elapsed < kTitleMs) return;
  const uint32_t frames = show.frames - show.frames_at_title;
  show.run.stage.window->set_title(
      text("sinew crowd: %s characters, %s ms a frame%s", grouped(show.run.options.characters).c_str(),
           frames ? rounded(elapsed / frames).c_str() : "-", show.run.stage.window->paused() ? ", paused" : ""));
  show.since_title = Stopwatch();
  show.frames_at_title = show.frames;
}

/// True where there is something to draw to.
Result<bool> fit_window(Show& show) {
  const Window& window = *show.run.stage.window;
  const uint32_t width = window.width(), height = window.height();
  if (width == 0 || height == 0) return false;
  Swapchain& swapchain = show.swapchain;
  if (!swapchain.outdated() && width == swapchain.width() && height == swapchain.height()) return true;
  vkDeviceWaitIdle(show.run.stage.device.handle);
  if (Status created = swapchain.create(width, height); !created) return created.error();
  if (swapchain.outdated()) return false;
  const Target& target = show.run.renderer.target();
  if (target.width == swapchain.width() && target.height == swapchain.height()) return true;
  if (Status sized = show.run.renderer.resize(swapchain.width(), swapchain.height()); !sized) return sized.error();
  return true;
}

void advance(Show& show) {
  const double elapsed_ms = show.since_frame.elapsed_ms();
  show.since_frame = Stopwatch();
  if (show.run.stage.window->paused()) return;
  show.seconds += elapsed_ms / 1e3;
  if (show.run.options.orbiting && !show.run.stage.window->turned())
    show.camera.yaw += kOrbitSpeed * float(elapsed_ms / 1e3);
}

Status draw_and_present(Show& show) {
  Renderer& renderer = show.run.renderer;
  auto acquired = renderer.begin_frame();
  if (!acquired) return acquired.error();
  auto image = show.swapchain.acquire(*acquired);
  if (!image) return image.error();
  if (!*image) return {};
  show.run.last = {show.seconds, show.camera, show.run.options.validate, &**image};
  if (Status drawn = renderer.draw_frame(show.run.last); !drawn) return drawn;
  show.run.last.presentation = nullptr;
  ++show.frames;
  return show.swapchain.present();
}

bool is_over(const Show& show) {
  const CrowdOptions& options = show.run.options;
  return show.run.stage.window->closed() || (options.frames && show.frames >= options.warmup + *options.frames);
}

}  // namespace

Status show_crowd(WindowLoop& run) {
  Show show(run);
  Status status;
  while (status && !is_over(show)) {
    run.stage.window->poll(show.camera);
    reload_shaders(show);
    update_title(show);
    auto fits = fit_window(show);
    if (!fits) return fits.error();
    if (!*fits) {
      run.stage.window->wait();
      show.since_frame = Stopwatch();
      continue;
    }
    advance(show);
    status = draw_and_present(show);
  }
  vkDeviceWaitIdle(run.stage.device.handle);
  return status;
}

}  // namespace sinew::app
