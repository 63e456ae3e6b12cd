#include "commands/view_window.h"

#include <filesystem>
#include <utility>

#include "commands/view_drawing.h"
#include "commands/view_pictures.h"
#include "overlay/interface.h"
#include "overlay/view_panels.h"
#include "report/renderdoc.h"
#include "system/clock.h"
#include "system/print.h"
#include "system/text.h"
#include "system/write_file.h"
#include "window/camera_control.h"
#include "window/window_frames.h"

namespace sinew::app {
namespace {

constexpr double kMaxStepSeconds = 0.1;  // of time between two frames, so that a long one skips nothing
constexpr float kReachPixels = 14;       // of the mouse around a joint
constexpr float kSpeedStep = 0.25f;

/// The window, what it shows, and what keys have changed.
struct LoopState : ViewState {
  WindowFrames window_frames;
  Orbit camera = {};
  KeyCapture capture = {};
  Stopwatch since_frame = {};
  uint32_t frames = 0;
  // The last that could be drawn:
  uint32_t level = 0;
  bool crowd_evaluator = false;
};

/// The width that panels leave free / the height of the window.
float free_aspect(const LoopState& state) {
  const Window& window = *state.graphics.window;
  const float height = float(std::max(window.height(), 1u));
  if (state.controls.hidden) return float(window.width()) / height;
  return width_beside_panels(window.width(), window.height(), state.interface.scale()) / height;
}

View view_of(const LoopState& state) {
  const Target& target = state.drawing.renderer().target();
  return view_of(state.camera, target.width, target.height);
}

void toggle(bool& value) { value = !value; }

template <class Choice>
Choice next_of(Choice choice, int count) {
  return Choice((int(choice) + 1) % count);
}

void press_time_key(Viewer& viewer, const KeyPress& press) {
  TimeLine& line = viewer.playing().time_line();
  switch (int(press.key)) {
    case int(Key::kSpace):
      line.playing ? void(line.playing = false) : play(line);
      break;
    case int(Key::kLeft):
      step(line, -1);
      break;
    case int(Key::kRight):
      step(line, 1);
      break;
    case int(Key::kHome):
      seek(line, line.start_seconds);
      break;
    case int(Key::kEnd):
      seek(line, line.end_seconds), line.playing = false;
      break;
    case '-':
      line.speed = std::max(line.speed - kSpeedStep, -kMaxSpeed);
      break;
    case '=':
      line.speed = std::min(line.speed + kSpeedStep, kMaxSpeed);
      break;  // the key of +
    case 'P':
      set_looping(line, next_of(line.looping, 3));
      break;
    default:
      break;
  }
}

void drop_last_layer(Viewer& viewer) {
  const auto layers = viewer.playing().layers();
  for (size_t i = layers.size(); i-- > 0;) {
    if (layers[i].dropped) continue;
    return viewer.playing().drop_layer(i, double(viewer.fade_seconds));
  }
}

void press_show_key(Viewer& viewer, const KeyPress& press) {
  ShownOptions& shown = viewer.shown;
  switch (int(press.key)) {
    case 'B':
      toggle(shown.bones);
      break;
    case 'N':
      toggle(shown.names);
      break;
    case 'X':
      toggle(shown.axes);
      break;
    case 'V':
      toggle(shown.wireframe);
      break;
    case 'I':
      shown.colors = next_of(shown.colors, 5);
      break;
    case 'J':
      shown.level = (viewer.level_of(viewer.selected()) + 1) % viewer.model().level_count();
      break;
    default:
      break;
  }
}

void press_digit(LoopState& state, uint32_t digit, bool control) {
  if (control) {
    if (digit >= 1 && digit <= 6) state.controls.preset = CameraPreset(digit - 1);
    return;
  }
  if (state.viewer.playing().clip_count() > 0) state.controls.number.type(digit, state.viewer.playing().clip_count());
}

void press_key(LoopState& state, const KeyPress& press) {
  Viewer& viewer = state.viewer;
  ViewControls& controls = state.controls;
  const int code = int(press.key);
  if (code >= '0' && code <= '9') return press_digit(state, uint32_t(code - '0'), press.control);
  switch (int(press.key)) {
    case int(Key::kEscape):
      return state.graphics.window->close();
    case int(Key::kTab):
      return choose_next_clip(viewer, controls, press.shift ? -1 : 1);
    case int(Key::kEnter):
      return controls.number.finish();
    case 'L':
      controls.number_is_layer = !controls.number_is_layer && viewer.playing().clip_count() > 0;
      return;
    case 'K':
      return drop_last_layer(viewer);
    case 'M':
      return set_root_motion(viewer, controls, next_of(viewer.playing().root_motion(), 3));
    case 'C':
      return toggle(controls.crowd_evaluator);
    case 'H':
      return toggle(controls.hidden);
    case 'F':
      controls.frame = true;
      return;
    case 'O':
      controls.save_picture = true;
      return;
    case KeyCapture::kKey:
      controls.capture = true;
      return;
    default:
      break;
  }
  press_time_key(viewer, press);
  press_show_key(viewer, press);
}

/// A clip or a layer whose number is complete.
void take_number(LoopState& state, double elapsed_seconds) {
  ViewControls& controls = state.controls;
  controls.number.wait(elapsed_seconds);
  const auto number = controls.number.take();
  if (!number) return;
  if (std::exchange(controls.number_is_layer, false)) {
    add_layer(state.viewer, controls, *number);
  } else {
    choose_clip(state.viewer, controls, *number);
  }
}

void handle_input(LoopState& state, double elapsed_seconds) {
  Window& window = *state.graphics.window;
  const bool has_panels = !state.controls.hidden;
  const Input input =
      window.poll(has_panels && state.interface.takes_mouse(), has_panels && state.interface.takes_keys());
  for (const KeyPress& press : input.pressed) press_key(state, press);
  move_camera(input, window.height(), state.camera);
  fly_camera(input, elapsed_seconds, state.camera);
  ShownOptions& shown = state.viewer.shown;
  shown.hovered_joint = kNoJoint;  // panels and the picture set it in each frame
  if (!shown.bones && !shown.names) return;
  const bool on_panel = has_panels && state.interface.takes_mouse();
  if (!on_panel)
    shown.hovered_joint = state.viewer.joint_at(view_of(state), input.mouse_x, input.mouse_y, kReachPixels);
  if (input.clicked && shown.hovered_joint != kNoJoint) shown.selected_joint = shown.hovered_joint;
}

/// A file name that no file has yet.
std::string next_picture_name() {
  for (int i = 1;; ++i) {
    const std::string name = text("sinew-view-%03d.png", i);
    std::error_code error;
    if (!std::filesystem::exists(name, error)) return name;
  }
}

/// Draws again, with panels only if --overlay asks for them, and writes the picture.
Status save_picture(LoopState& state, const std::string& path) {
  const bool hidden = std::exchange(state.controls.hidden, !state.options.overlay);
  auto picture = draw_picture(state, state.camera);
  state.controls.hidden = hidden;
  if (!picture) return picture.error();
  const Target& target = state.drawing.renderer().target();
  if (Status written = write_png(path, target.width, target.height, *picture); !written) return written;
  return print(text("%s: %ux%u\n", path.c_str(), target.width, target.height));
}

void answer_requests(LoopState& state) {
  ViewControls& controls = state.controls;
  if (const auto preset = std::exchange(controls.preset, {})) turn_to(*preset, state.camera);
  if (std::exchange(controls.frame, false)) {
    const Orbit framed =
        frame_instance(state.viewer.models(), state.viewer.scene(), state.viewer.selected(), free_aspect(state));
    state.camera.target = framed.target, state.camera.distance = framed.distance;
  }
  state.drawing.use_crowd_evaluator(controls.crowd_evaluator);
}

/// Call it after a frame, when everything is fit to be drawn.
void answer_save_picture(LoopState& state) {
  if (!std::exchange(state.controls.save_picture, false)) return;
  const std::string name = next_picture_name();
  Status saved = save_picture(state, name);
  state.controls.message = saved ? "saved " + name : saved.error().message;
}

/// Shows a line in the window, and prints it. Printing may fail: the window goes on.
void tell(LoopState& state, const std::string& message) {
  if (message.empty()) return;
  state.controls.message = message;
  (void)print(message + "\n");
}

/// Call it before a frame.
void answer_capture(LoopState& state) {
  if (std::exchange(state.controls.capture, false)) tell(state, state.capture.press());
  if (!state.capture.pending()) return;
  const std::string& name = state.viewer.model().name;
  const Device& device = state.graphics.device;
  tell(state, state.capture.update({"sinew view: " + name, capture_comments(device, "character: " + name + "\n")}));
}

/// Where a level of detail or an evaluator cannot be had, says so and goes back to those before.
Status fit_or_undo(LoopState& state) {
  const Status fits = state.drawing.fit();
  if (fits) {
    state.level = state.viewer.shown.level, state.crowd_evaluator = state.drawing.uses_crowd_evaluator();
    return {};
  }
  state.controls.message = fits.error().message;
  state.viewer.shown.level = state.level;
  state.controls.crowd_evaluator = state.crowd_evaluator;
  state.drawing.use_crowd_evaluator(state.crowd_evaluator);
  state.viewer.update();
  return state.drawing.fit();
}

Status draw_frame(LoopState& state) {
  state.graphics.window->begin_interface();
  const View view = view_of(state);
  const Overlay& overlay = draw_view_overlay(view, state.viewer, state.controls, state.interface);
  if (Status fits = fit_or_undo(state); !fits) return fits;
  state.controls.difference_meters = state.drawing.difference() * world_scale(state.viewer.model());
  const FrameRequest request{.camera = state.camera, .lines = &state.drawing.lines(), .overlay = &overlay};
  auto drawn = state.window_frames.draw(state.drawing.renderer(), request);
  if (!drawn) return drawn.error();
  state.frames += *drawn;
  answer_save_picture(state);
  return {};
}

bool is_over(const LoopState& state) {
  return state.graphics.window->closed() || (state.options.frames && state.frames >= *state.options.frames);
}

Status run_loop(LoopState& state) {
  while (!is_over(state)) {
    const double elapsed_seconds = std::min(state.since_frame.elapsed_ms() / 1e3, kMaxStepSeconds);
    state.since_frame = Stopwatch();
    handle_input(state, elapsed_seconds);
    take_number(state, elapsed_seconds);
    answer_requests(state);
    state.window_frames.reload_shaders(state.drawing.renderer());
    auto fits = state.window_frames.fit(state.drawing.renderer());
    if (!fits) return fits.error();
    if (!*fits) {
      state.graphics.window->wait();
      state.since_frame = Stopwatch();
      continue;
    }
    answer_capture(state);
    state.viewer.advance(state.frames > 0 ? elapsed_seconds : 0);  // the first frame took long to prepare
    if (Status drawn = draw_frame(state); !drawn) return drawn;
  }
  return {};
}

}  // namespace

Status show_viewer(const ViewOptions& options, GraphicsContext& graphics, Viewer& viewer) {
  Window& window = *graphics.window;
  const uint32_t samples = options.samples.value_or(graphics.device.info.is_cpu() ? 1 : 4);
  auto drawing =
      ViewDrawing::create(graphics, viewer, {window.width(), window.height(), samples, options.crowd_evaluator});
  if (!drawing) return drawing.error();
  Interface interface(options.scale.value_or(window.scale()));
  window.connect_interface();
  LoopState state{{options, graphics, viewer, **drawing, interface, make_controls(options, **drawing)},
                  WindowFrames(graphics.device, graphics.surface.handle, window)};
  state.camera = camera_for(options, viewer, free_aspect(state));
  viewer.thickness = interface.scale();
  Status shown = run_loop(state);
  vkDeviceWaitIdle(graphics.device.handle);
  window.disconnect_interface();
  if (!shown || options.screenshot.empty()) return shown;
  return save_picture(state, options.screenshot);
}

}  // namespace sinew::app
