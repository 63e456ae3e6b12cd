// `sinew view` in a window.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "system/clock.h"
#include "system/print.h"
#include "system/text.h"
#include "viewer/panels.h"
#include "viewer/run.h"
#include "window/renderdoc.h"
#include "window/window_frames.h"

namespace sinew::app {
namespace {

constexpr double kMaxStepSeconds = 0.1;  // of time between two frames, so that a long one skips nothing
constexpr float kReachPixels = 14;       // of the mouse around a joint

struct Loop {
  const ViewOptions& options;
  GraphicsContext& graphics;
  Viewer& viewer;
  ViewDrawing& drawing;
  WindowFrames window_frames;
  KeyCapture key_capture = {};
  Stopwatch since_frame = {};
  uint32_t frames = 0;
  bool dragging = false;                 // in the frame before
  std::optional<uint32_t> grabbed = {};  // the chain whose handle the mouse drags
};

/// Whether the mouse drags a handle. It does from the press of the button near one until the button goes up.
bool drag_handle(Loop& loop, const Input& input) {
  const bool begins = input.dragging && !std::exchange(loop.dragging, input.dragging);
  const View view = loop.drawing.view();
  if (!input.dragging) loop.grabbed.reset();
  if (begins && loop.viewer.shown.handles)
    loop.grabbed =
        loop.viewer.handle_at(view, input.mouse_x - input.drag_x, input.mouse_y - input.drag_y, kReachPixels);
  if (loop.grabbed && (input.drag_x != 0 || input.drag_y != 0))
    loop.viewer.drag_handle(view, *loop.grabbed, input.drag_x, input.drag_y);
  return loop.grabbed.has_value();
}

void handle_input(Loop& loop, double elapsed_seconds) {
  Viewer& viewer = loop.viewer;
  Window& window = *loop.graphics.window;
  const Interface& interface = loop.drawing.interface();
  const bool on_panel = !viewer.hidden && interface.takes_mouse();
  Input input = window.poll(on_panel, !viewer.hidden && interface.takes_keys());
  for (const KeyPress& press : input.pressed) press_key(viewer, press);
  if (std::exchange(viewer.close, false)) window.close();
  viewer.take_number(elapsed_seconds);
  if (drag_handle(loop, input)) input.drag_x = input.drag_y = 0;
  move_camera(input, window.height(), viewer.camera);
  fly_camera(input, elapsed_seconds, viewer.camera);
  Shown& shown = viewer.shown;
  shown.hovered_joint = kNoJoint;  // panels and the picture set it in each frame
  if (!shown.bones && !shown.names) return;
  if (!on_panel) shown.hovered_joint = viewer.joint_at(loop.drawing.view(), input.mouse_x, input.mouse_y, kReachPixels);
  if (input.clicked && shown.hovered_joint != kNoJoint) shown.selected_joint = shown.hovered_joint;
}

/// Draws again, with panels only if --overlay asks for them, and writes the picture.
Status save_picture(const Loop& loop, const std::string& path) {
  const bool hidden = std::exchange(loop.viewer.hidden, !loop.options.overlay);
  Status saved = loop.drawing.write_picture(path);
  loop.viewer.hidden = hidden;
  return saved;
}

/// A file name that no file has yet.
std::string next_picture_name() {
  for (int i = 1;; ++i) {
    const std::string name = text("sinew-view-%03d.png", i);
    std::error_code error;
    if (!std::filesystem::exists(name, error)) return name;
  }
}

void save_numbered_picture(const Loop& loop) {
  const std::string name = next_picture_name();
  const Status saved = save_picture(loop, name);
  loop.viewer.message = saved ? "saved " + name : saved.error().message;
}

/// Shows a line in the window, and prints it. Printing may fail: the window goes on.
void tell(Loop& loop, const std::string& message) {
  if (message.empty()) return;
  loop.viewer.message = message;
  (void)print(message + "\n");
}

/// Call it before a frame.
void update_capture(Loop& loop) {
  if (std::exchange(loop.viewer.capture, false)) tell(loop, loop.key_capture.press());
  if (!loop.key_capture.pending()) return;
  const std::string& name = loop.viewer.model().name;
  tell(loop, loop.key_capture.update(
                 {"sinew view: " + name, capture_comments(loop.graphics.device, "character: " + name + "\n")}));
}

/// Where a level of detail or an evaluator cannot be had, says so and goes back to those before.
Status fit_or_return(Loop& loop) {
  const Status fits = loop.drawing.fit();
  if (fits) return fits;
  loop.viewer.message = fits.error().message;
  loop.drawing.return_to_drawn();
  return loop.drawing.fit();
}

Status draw_frame(Loop& loop) {
  update_capture(loop);
  loop.graphics.window->begin_interface();
  const Overlay& overlay = loop.drawing.draw_overlay();
  if (Status fits = fit_or_return(loop); !fits) return fits;
  auto drawn = loop.window_frames.draw(loop.drawing.renderer(), loop.drawing.request(overlay));
  if (!drawn) return drawn.error();
  loop.frames += *drawn;
  if (std::exchange(loop.viewer.save_picture, false)) save_numbered_picture(loop);
  return {};
}

Status run_loop(Loop& loop) {
  Window& window = *loop.graphics.window;
  while (!window.closed() && !(loop.options.frames && loop.frames >= *loop.options.frames)) {
    const double elapsed_seconds = std::min(loop.since_frame.elapsed_ms() / 1e3, kMaxStepSeconds);
    loop.since_frame = Stopwatch();
    handle_input(loop, elapsed_seconds);
    loop.window_frames.reload_shaders(loop.drawing.renderer());
    auto fits = loop.window_frames.fit(loop.drawing.renderer());
    if (!fits) return fits.error();
    if (!*fits) {
      window.wait();
      loop.since_frame = Stopwatch();
      continue;
    }
    loop.viewer.advance(loop.frames > 0 ? elapsed_seconds : 0);  // the first frame took long to prepare
    if (Status drawn = draw_frame(loop); !drawn) return drawn;
  }
  return {};
}

}  // namespace

Status show_viewer(const ViewOptions& options, GraphicsContext& graphics, Viewer& viewer, ViewDrawing& drawing) {
  Window& window = *graphics.window;
  window.connect_interface();
  Loop loop{options, graphics, viewer, drawing, WindowFrames(graphics.device, graphics.surface.handle, window)};
  Status shown = run_loop(loop);
  vkDeviceWaitIdle(graphics.device.handle);
  window.disconnect_interface();
  if (!shown || options.screenshot.empty()) return shown;
  return save_picture(loop, options.screenshot);
}

}  // namespace sinew::app
