#include "commands/crowd_window.h"

#include "system/clock.h"
#include "system/text.h"
#include "window/window_frames.h"

namespace sinew::app {
namespace {

constexpr double kTitleMs = 500;

/// State that the loop keeps from one frame to the next.
struct LoopState {
  WindowLoop& loop;
  WindowFrames window_frames;
  Orbit camera;
  double seconds;  // scene time
  bool paused = false, turned = false;
  uint32_t frames = 0;
  Stopwatch since_frame, since_title;
  uint32_t frames_at_title = 0;

  explicit LoopState(WindowLoop& window_loop)
      : loop(window_loop),
        window_frames(loop.graphics.device, loop.graphics.surface.handle, *loop.graphics.window),
        camera(frame_crowd(loop.scene)),
        seconds(loop.options.start_seconds) {}
};

void update_title(LoopState& state) {
  const double elapsed = state.since_title.elapsed_ms();
  if (elapsed < kTitleMs) return;
  const uint32_t frames = state.frames - state.frames_at_title;
  state.loop.graphics.window->set_title(
      text("sinew crowd: %s characters, %s ms a frame%s", grouped(state.loop.options.characters).c_str(),
           frames ? rounded(elapsed / frames).c_str() : "-", state.paused ? ", paused" : ""));
  state.since_title = Stopwatch();
  state.frames_at_title = state.frames;
}

void handle_input(LoopState& state, double elapsed_seconds) {
  Window& window = *state.loop.graphics.window;
  const Input input = window.poll(false, false);
  for (const KeyPress& press : input.pressed) {
    if (press.key == Key::kSpace) state.paused = !state.paused;
    if (press.key == Key::kEscape) window.close();
  }
  move_camera(input, window.height(), state.camera);
  fly_camera(input, elapsed_seconds, state.camera);
  state.turned |= input.drag_x != 0 || input.drag_y != 0;
}

void advance(LoopState& state, double elapsed_seconds) {
  if (state.paused) return;
  state.seconds += elapsed_seconds;
  if (state.loop.options.orbiting && !state.turned) state.camera.yaw += kOrbitSpeed * float(elapsed_seconds);
}

bool is_over(const LoopState& state) {
  const CrowdOptions& options = state.loop.options;
  return state.loop.graphics.window->closed() || (options.frames && state.frames >= options.warmup + *options.frames);
}

}  // namespace

Status show_crowd(WindowLoop& loop) {
  LoopState state(loop);
  while (!is_over(state)) {
    const double elapsed_seconds = state.since_frame.elapsed_ms() / 1e3;
    state.since_frame = Stopwatch();
    handle_input(state, elapsed_seconds);
    state.window_frames.reload_shaders(loop.renderer);
    update_title(state);
    auto fits = state.window_frames.fit(loop.renderer);
    if (!fits) return fits.error();
    if (!*fits) {
      loop.graphics.window->wait();
      state.since_frame = Stopwatch();
      continue;
    }
    advance(state, elapsed_seconds);
    const FrameRequest request{.seconds = state.seconds, .camera = state.camera};
    auto drawn = state.window_frames.draw(loop.renderer, request);
    if (!drawn) return drawn.error();
    if (!*drawn) continue;
    loop.last = request;
    ++state.frames;
  }
  vkDeviceWaitIdle(loop.graphics.device.handle);
  return {};
}

}  // namespace sinew::app
