#include "crowd/window_loop.h"

#include <algorithm>
#include <optional>

#include "crowd/describe_run.h"
#include "crowd/panel.h"
#include "crowd/picked.h"
#include "gpu/frame_slots.h"
#include "scene/footing.h"
#include "scene/moving.h"
#include "system/clock.h"
#include "system/output.h"
#include "system/text.h"
#include "window/window_frames.h"

namespace sinew::app {
namespace {

constexpr double kTitleMs = 500;
constexpr float kFollowing = 5;         // of the tallest person: the camera that follows is no further away
constexpr float kPyramidLength = 1.5f;  // of the camera's distance

void take_options(const CrowdOptions& options, CrowdSwitches& switches) {
  switches.characters = options.characters;
  switches.skinning = options.skinning.front();
  switches.optimizations = options.optimizations;
  switches.draw = options.draw;
  switches.orbiting = options.motion == CameraMotion::kOrbit;
}

CrowdOptions with_switches(CrowdOptions options, const CrowdSwitches& switches) {
  options.characters = switches.characters;
  options.skinning = {switches.skinning};
  options.optimizations = switches.optimizations;
  options.draw = switches.draw;
  if (options.motion != CameraMotion::kFly)
    options.motion = switches.orbiting ? CameraMotion::kOrbit : CameraMotion::kFixed;
  return options;
}

uint32_t max_influences_of(std::span<const Model> models) {
  uint32_t most = 0;
  for (const Model& model : models) most = std::max(most, max_influences(model.character.mesh));
  return most;
}

/// State that the loop keeps from one frame to the next.
struct LoopState {
  WindowLoop& loop;
  WindowFrames window_frames;
  CrowdDrawing drawing;
  CrowdBones bones;
  CrowdSwitches switches;
  TimeHistory times;
  uint32_t max_influences;
  std::string problem;  // why the last change failed
  KeyCapture capture;
  std::string message;  // about the last capture
  Orbit camera;
  std::optional<crowd::PickHit> picked;  // the person that was clicked on
  std::optional<Orbit> frozen;           // the camera when the visible set was frozen
  double seconds;                        // scene time
  bool shown = false;                    // the panel
  bool follows = false;                  // the last frame was drawn right before
  Stopwatch since_frame, since_title;
  uint32_t frames_at_title = 0;

  explicit LoopState(WindowLoop& window_loop)
      : loop(window_loop),
        window_frames(loop.graphics.device, loop.graphics.surface.handle, *loop.graphics.window),
        drawing(loop.inputs, loop.options, loop.scene, loop.renderer),
        bones(loop.inputs.models),
        max_influences(max_influences_of(loop.inputs.models)),
        camera(frame_crowd(loop.scene, loop.options.start_seconds)),
        seconds(loop.options.start_seconds) {
    take_options(loop.options, switches);
  }

  float scale() const { return loop.options.scale.value_or(loop.graphics.window->scale()); }
};

void update_title(LoopState& state) {
  const double elapsed = state.since_title.elapsed_ms();
  if (elapsed < kTitleMs) return;
  const uint32_t frames = state.loop.frames - state.frames_at_title;
  state.loop.graphics.window->set_title(
      text("sinew crowd: %s characters, %s ms a frame%s", grouped(state.loop.options.characters).c_str(),
           frames ? rounded(elapsed / frames).c_str() : "-", state.switches.paused ? ", paused" : ""));
  state.since_title = Stopwatch();
  state.frames_at_title = state.loop.frames;
}

/// Events go to the overlay only while the panel is shown: while it is hidden, a frame has no cost for it.
void show_panel(LoopState& state, bool shown) {
  if (shown == state.shown) return;
  state.shown = shown;
  Window& window = *state.loop.graphics.window;
  if (!shown) return window.disconnect_interface();
  if (!state.loop.interface) state.loop.interface = std::make_unique<Interface>(state.scale());
  window.connect_interface();
}

/// Shows a line in the panel, and prints it. Printing may fail: the window goes on.
void tell(LoopState& state, const std::string& message) {
  if (message.empty()) return;
  state.message = message;
  (void)print(message + "\n");
}

void let_go(LoopState& state) { state.picked.reset(), state.switches.follow = false; }

/// Picks in the last frame drawn: the scene is still as it was then.
void pick(LoopState& state, float x, float y) {
  const Renderer& renderer = *state.loop.renderer;
  if (state.loop.frames == 0) return;
  const auto hit =
      renderer.pick(ray_through(state.loop.last.camera, renderer.target().width, renderer.target().height, x, y));
  if (!hit) return tell(state, hit.error().message);
  if (!*hit) return let_go(state);
  state.picked = *hit;
}

/// Escape lets go of a person first, then it closes the window.
void escape(LoopState& state) {
  if (!state.picked) return state.loop.graphics.window->close();
  let_go(state);
}

void handle_input(LoopState& state, double elapsed_seconds) {
  Window& window = *state.loop.graphics.window;
  const Interface* interface = state.shown ? state.loop.interface.get() : nullptr;
  const Input input = window.poll(interface && interface->takes_mouse(), interface && interface->takes_keys());
  for (const KeyPress& press : input.pressed) {
    if (press.key == Key::kSpace) state.switches.paused = !state.switches.paused;
    if (press.key == Key('H')) show_panel(state, !state.shown);
    if (press.key == Key(KeyCapture::kKey)) tell(state, state.capture.press());
    if (press.key == Key('F') && state.picked) state.switches.follow = !state.switches.follow;
    if (press.key == Key::kEscape) escape(state);
  }
  move_camera(input, window.height(), state.camera);
  fly_camera(input, elapsed_seconds, state.camera);
  if (input.drag_x != 0 || input.drag_y != 0) state.switches.orbiting = false;
  if (input.clicked) pick(state, input.mouse_x, input.mouse_y);
}

void advance(LoopState& state, double elapsed_seconds) {
  if (state.switches.paused) return;
  const double before = state.seconds;
  state.seconds += elapsed_seconds;
  const Vec3 moved = displacement_at(state.loop.scene, state.seconds) - displacement_at(state.loop.scene, before);
  state.camera.target += glm::vec3(moved.x, moved.y, moved.z);
  if (state.switches.orbiting) state.camera.yaw += kOrbitSpeed * float(elapsed_seconds);
}

/// The visible set stays that of the camera at the moment when it is frozen.
void freeze(LoopState& state) {
  if (!state.switches.frozen) state.frozen.reset();
  if (state.switches.frozen && !state.frozen) state.frozen = state.camera;
}

void follow(LoopState& state) {
  if (!state.switches.follow || !state.picked) return;
  state.camera.target = chest_of(state.loop.inputs.models, state.loop.scene, state.picked->instance);
  state.camera.distance = std::min(state.camera.distance, kFollowing * state.loop.scene.tallest);
}

/// Bones, the ring around a person, and the view of the frozen camera. Null: there are none.
const Lines* make_lines(LoopState& state) {
  Lines& lines = state.loop.lines;
  lines.clear();
  const Renderer& renderer = *state.loop.renderer;
  const Target& target = renderer.target();
  if (state.switches.bones) {
    const View view = view_of(state.camera, target.width, target.height);
    state.bones.add({state.loop.scene, renderer.plan(), view, state.seconds}, state.scale(), lines);
  }
  if (state.picked) add_ring(state.loop.scene, state.picked->instance, state.scale(), lines);
  if (state.frozen) {
    const View view = view_of(*state.frozen, target.width, target.height);
    add_view_pyramid(view, kPyramidLength * state.frozen->distance, state.scale(), lines);
  }
  return lines.tested.empty() && lines.through.empty() ? nullptr : &lines;
}

/// Takes the times of the frames that were completed.
void take_times(LoopState& state) {
  const QueueClocks clocks = queue_clocks(state.loop.graphics.device, state.loop.renderer->skinning().async());
  for (const FrameTimes& times : state.loop.renderer->take_times()) {
    state.times.add_stages(times, clocks);
    state.loop.times.push_back(times);
  }
}

/// The panel of the frame. Null: it is hidden.
const Overlay* draw_panel(LoopState& state) {
  if (!state.shown) return nullptr;
  take_times(state);
  Interface& interface = *state.loop.interface;
  const Target& target = state.loop.renderer->target();
  state.loop.graphics.window->begin_interface();
  interface.begin(target.width, target.height);
  const auto& crowd = state.loop.renderer->skinning().crowd();
  CrowdFigures figures{*state.loop.renderer,
                       state.times,
                       state.loop.options.memory_budget,
                       state.max_influences,
                       state.loop.graphics.device.info.wireframe,
                       state.problem,
                       state.message,
                       {}};
  if (state.picked) figures.picked = describe_picked(state.loop.inputs.models, crowd, *state.picked);
  draw_crowd_panel(figures, interface.scale(), state.switches);
  return &interface.end();
}

FrameRequest request_of(const LoopState& state) {
  FrameRequest request{.seconds = state.seconds, .camera = state.camera};
  request.planned_for = state.frozen;
  return request;
}

/// Draws with what the switches ask for from the next frame on, or says why that is not possible.
Status apply_switches(LoopState& state) {
  WindowLoop& loop = state.loop;
  const CrowdOptions wanted = with_switches(loop.options, state.switches);
  if (draws_alike(wanted, loop.options)) {
    loop.options = wanted;
    return {};
  }
  const FrameRequest trial = request_of(state);
  if (wanted.characters != loop.options.characters) let_go(state);
  auto problem = state.drawing.change(wanted, trial);
  if (!problem) return problem.error();
  state.problem = *problem;
  take_options(loop.options, state.switches);
  loop.last = trial;
  loop.times.clear();
  state.times.begin_sample();
  state.since_frame = Stopwatch();
  state.follows = false;
  return {};
}

void update_capture(LoopState& state) {
  if (!state.capture.pending()) return;
  const WindowLoop& loop = state.loop;
  tell(state, state.capture.update(describe_capture(loop.options, loop.inputs, "window", state.seconds)));
}

Status draw_frame(LoopState& state) {
  update_capture(state);
  freeze(state);
  const CrowdInputs& inputs = state.loop.inputs;
  place_scene(inputs.models, state.camera, state.seconds, inputs.evaluation.pool().parallel_for(), state.loop.scene);
  follow(state);
  FrameRequest request = request_of(state);
  request.lines = make_lines(state);
  request.overlay = draw_panel(state);
  auto drawn = state.window_frames.draw(*state.loop.renderer, request);
  if (!drawn) return drawn.error();
  state.follows = *drawn;
  if (!*drawn) return {};
  state.loop.last = request;
  ++state.loop.frames;
  return state.shown ? apply_switches(state) : Status();
}

bool is_over(const LoopState& state) {
  const CrowdOptions& options = state.loop.options;
  return state.loop.graphics.window->closed() ||
         (options.frames && state.loop.frames >= options.warmup + *options.frames);
}

Status run_loop(LoopState& state) {
  while (!is_over(state)) {
    const double elapsed_ms = state.since_frame.elapsed_ms();
    state.since_frame = Stopwatch();
    if (state.follows) state.times.frames.push(elapsed_ms);
    handle_input(state, elapsed_ms / 1e3);
    state.window_frames.reload_shaders(*state.loop.renderer);
    update_title(state);
    auto fits = state.window_frames.fit(*state.loop.renderer);
    if (!fits) return fits.error();
    if (!*fits) {
      state.loop.graphics.window->wait();
      state.since_frame = Stopwatch();
      state.follows = false;
      continue;
    }
    advance(state, elapsed_ms / 1e3);
    if (Status drawn = draw_frame(state); !drawn) return drawn;
  }
  return {};
}

}  // namespace

Status show_crowd(WindowLoop& loop) {
  LoopState state(loop);
  show_panel(state, !loop.options.hide_overlay);
  Status shown = run_loop(state);
  vkDeviceWaitIdle(loop.graphics.device.handle);
  loop.graphics.window->disconnect_interface();
  return shown;
}

}  // namespace sinew::app
