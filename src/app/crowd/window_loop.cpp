#include "crowd/window_loop.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "crowd/describe_run.h"
#include "crowd/panel.h"
#include "crowd/picked.h"
#include "gpu/frame_slots.h"
#include "scene/footing.h"
#include "scene/moving.h"
#include "system/clock.h"
#include "system/output.h"
#include "system/text.h"
#include "window/actions.h"
#include "window/message.h"
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

/// What the times of frames depend on, besides scene, camera and what a change makes again.
struct Setting {
  uint32_t width = 0, height = 0;
  bool bones = false, frozen = false, shown = false;

  friend bool operator==(const Setting&, const Setting&) = default;
};

/// State that the loop keeps from one frame to the next.
struct LoopState {
  WindowLoop& loop;
  WindowFrames window_frames;
  CrowdDrawing drawing;
  CrowdBones bones;
  CrowdSwitches switches;
  std::optional<Setting> setting;  // of the frames that the times are of; none: something was made again since
  TimeHistory times;
  uint64_t number_before = 0;  // of the last frame before them
  uint32_t frames = 0;         // drawn since then
  uint32_t max_influences;
  KeyCapture capture;
  Message message;
  Orbit camera;
  std::optional<crowd::PickHit> picked;  // the person that was clicked on
  std::optional<Orbit> frozen;           // the camera when the visible set was frozen
  double seconds;                        // scene time
  bool shown = false;                    // the panel
  Stopwatch since_frame, since_title;

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
  /// The camera that draws. `camera` may be below the ground, where the mouse has dragged it.
  Orbit eye() const { return above_ground(loop.scene, camera); }
};

void update_title(LoopState& state) {
  if (state.since_title.elapsed_ms() < kTitleMs) return;
  const auto ms = state.times.frames.percentile(0.5);
  state.loop.graphics.window->set_title(text("sinew crowd: %s characters, %s ms a frame%s",
                                             grouped(state.loop.options.characters).c_str(),
                                             ms ? rounded(*ms).c_str() : "-", state.switches.paused ? ", paused" : ""));
  state.since_title = Stopwatch();
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

/// Shows a line in the window, and prints it. Printing may fail: the window goes on.
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

void escape(LoopState& state) {
  if (std::exchange(state.switches.help, false)) return;
  if (!state.picked) state.message = kHowToQuit;
  let_go(state);
}

/// The panel may be hidden.
void toggle_help(LoopState& state) {
  state.switches.help = !state.shown || !state.switches.help;
  show_panel(state, true);
}

std::span<const Action<LoopState>> crowd_actions() {
  using S = LoopState;
  static const std::vector<Action<S>> actions = {
      {"Space", "pause", {Key::kSpace}, [](S& s, PressedKey) { s.switches.paused = !s.switches.paused; }},
      {"W A S D Q E", "fly", {}},
      {"Drag", "turn the camera", {}},
      {"Right or Shift, drag", "pan", {}},
      {"Wheel", "zoom", {}},
      {"Click", "choose a person", {}},
      {"F", "follow the person", keys_of("F"),
       [](S& s, PressedKey) { s.switches.follow = s.picked && !s.switches.follow; }},
      {"F1, ?", "this list", {Key::kF1, Key::kQuestionMark}, [](S& s, PressedKey) { toggle_help(s); }},
      {"H", "hide the panels", keys_of("H"), [](S& s, PressedKey) { show_panel(s, !s.shown); }},
      {"R",
       "capture a frame with RenderDoc",
       {Key(KeyCapture::kKey)},
       [](S& s, PressedKey) { tell(s, s.capture.press()); }},
      {"Esc", "close this list, let go of the person", {Key::kEscape}, [](S& s, PressedKey) { escape(s); }},
      {"Ctrl+Q", "close the window", {}},
  };
  return actions;
}

void handle_input(LoopState& state, double elapsed_seconds) {
  Window& window = *state.loop.graphics.window;
  const Interface* interface = state.shown ? state.loop.interface.get() : nullptr;
  const Input input = window.poll(interface && interface->takes_mouse(), interface && interface->takes_keys());
  for (const KeyPress& press : input.pressed) press_key(crowd_actions(), state, press);
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
  if (state.switches.frozen && !state.frozen) state.frozen = state.eye();
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
    const View view = view_of(state.eye(), target.width, target.height);
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
  for (FrameTimes& times : state.loop.renderer->take_times()) {
    state.times.add_stages(times, clocks);
    times.number -= state.number_before;
    state.loop.times.push_back(times);
  }
}

/// Times are of frames that were drawn in one setting: they begin anew where the next frame has another one.
Status follow_setting(LoopState& state, const Setting& setting) {
  if (std::exchange(state.setting, setting) == setting) return {};
  Renderer& renderer = *state.loop.renderer;
  if (Status finished = renderer.finish(); !finished) return finished;
  for (const FrameTimes& before : renderer.take_times()) state.number_before = before.number;
  state.loop.times.clear();
  state.times.begin_sample();
  state.frames = 0;
  return {};
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
                       state.message.text(),
                       state.window_frames.shader_problem(),
                       {}};
  if (state.picked) figures.picked = describe_picked(state.loop.inputs.models, crowd, *state.picked);
  draw_crowd_panels(figures, interface.scale(), state.switches);
  add_key_list(crowd_actions(), state.switches.help, interface.scale());
  return &interface.end();
}

FrameRequest request_of(const LoopState& state) {
  FrameRequest request{.seconds = state.seconds, .camera = state.eye()};
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
  if (!problem->empty()) state.message = *problem;
  take_options(loop.options, state.switches);
  loop.last = trial;
  state.setting.reset();
  state.since_frame = Stopwatch();
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
  const Target& target = state.loop.renderer->target();
  const Setting setting{target.width, target.height, state.switches.bones, state.switches.frozen, state.shown};
  if (Status followed = follow_setting(state, setting); !followed) return followed;
  place_scene(inputs.models, state.camera, state.seconds, inputs.evaluation.pool().parallel_for(), state.loop.scene);
  follow(state);
  FrameRequest request = request_of(state);
  request.lines = make_lines(state);
  request.overlay = draw_panel(state);
  auto drawn = state.window_frames.draw(*state.loop.renderer, request);
  if (!drawn) return drawn.error();
  if (!*drawn) return state.setting.reset(), Status();
  state.loop.last = request;
  ++state.loop.frames, ++state.frames;
  return state.shown ? apply_switches(state) : Status();
}

bool is_over(const LoopState& state) {
  const CrowdOptions& options = state.loop.options;
  return state.loop.graphics.window->closed() || (options.frames && state.frames >= options.warmup + *options.frames);
}

Status run_loop(LoopState& state) {
  while (!is_over(state)) {
    const double elapsed_ms = state.since_frame.elapsed_ms();
    state.since_frame = Stopwatch();
    if (state.setting && state.frames > 1) state.times.frames.push(elapsed_ms);  // the first takes longer
    state.message.advance(elapsed_ms / 1e3);
    handle_input(state, elapsed_ms / 1e3);
    if (state.window_frames.reload_shaders(*state.loop.renderer)) state.setting.reset();
    update_title(state);
    auto fits = state.window_frames.fit(*state.loop.renderer);
    if (!fits) return fits.error();
    if (!*fits) {
      state.loop.graphics.window->wait();
      state.since_frame = Stopwatch();
      state.setting.reset();
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
  if (shown && !state.setting) shown = follow_setting(state, {});  // the last change came after the last frame
  if (shown) shown = loop.renderer->finish();
  if (shown) take_times(state);
  vkDeviceWaitIdle(loop.graphics.device.handle);
  loop.graphics.window->disconnect_interface();
  return shown;
}

}  // namespace sinew::app
