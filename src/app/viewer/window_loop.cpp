// `sinew view` in a window.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "system/clock.h"
#include "system/output.h"
#include "system/paths.h"
#include "system/text.h"
#include "viewer/file_list.h"
#include "viewer/opened_files.h"
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
  Interface& interface;
  WindowFrames window_frames;
  std::unique_ptr<OpenedFiles> opened;   // at first: no_files()
  std::unique_ptr<FileLoading> loading;  // what comes in its place; null: nothing
  std::vector<KeyPress> early = {};      // keys for the first characters, while there are none
  KeyCapture key_capture = {};
  Stopwatch since_frame = {};
  uint32_t frames = 0;
  bool dragging = false;                 // in the frame before
  bool listed = false;                   // the list of files was there in the frame before
  std::optional<uint32_t> grabbed = {};  // the chain whose handle the mouse drags

  Viewer& viewer() { return opened->viewer; }
  ViewDrawing& drawing() { return *opened->drawing; }
};

/// Whether the mouse drags a handle. It does from the press of the button near one until the button goes up.
bool drag_handle(Loop& loop, const Input& input) {
  const bool begins = input.dragging && !std::exchange(loop.dragging, input.dragging);
  const View view = loop.drawing().view();
  if (!input.dragging) loop.grabbed.reset();
  if (begins && loop.viewer().shown.handles)
    loop.grabbed =
        loop.viewer().handle_at(view, input.mouse_x - input.drag_x, input.mouse_y - input.drag_y, kReachPixels);
  if (loop.grabbed && (input.drag_x != 0 || input.drag_y != 0))
    loop.viewer().drag_handle(view, *loop.grabbed, input.drag_x, input.drag_y);
  return loop.grabbed.has_value();
}

/// Keys for characters that are not there yet are kept for them.
void press(Loop& loop, const KeyPress& press) {
  Viewer& viewer = loop.viewer();
  if (viewer.stand_in) return loop.early.push_back(press);
  viewer.file_list ? press_key_of_list(viewer, press) : press_key(view_actions(), viewer, press);
}

void handle_input(Loop& loop, double elapsed_seconds) {
  Viewer& viewer = loop.viewer();
  Window& window = *loop.graphics.window;
  const bool on_panel = !viewer.hidden && loop.interface.takes_mouse();
  // The field of the list seems to take keys for a frame more than it is there.
  const bool lists = viewer.file_list.has_value(), listed = std::exchange(loop.listed, lists);
  Input input = window.poll(on_panel, !viewer.hidden && loop.interface.takes_keys() && !lists && !listed);
  if (viewer.file_list) input.fly_x = input.fly_y = input.fly_z = 0;
  for (const KeyPress& each : input.pressed) press(loop, each);
  if (!input.dropped.empty()) viewer.open = std::move(input.dropped);
  if (viewer.stand_in) return;
  viewer.take_number(elapsed_seconds);
  if (drag_handle(loop, input)) input.drag_x = input.drag_y = 0;
  move_camera(input, window.height(), viewer.camera);
  fly_camera(input, elapsed_seconds, viewer.camera);
  Shown& shown = viewer.shown;
  shown.hovered_joint = kNoJoint;  // panels and the picture set it in each frame
  if (!shown.bones && !shown.names) return;
  if (!on_panel)
    shown.hovered_joint = viewer.joint_at(loop.drawing().view(), input.mouse_x, input.mouse_y, kReachPixels);
  if (input.clicked && shown.hovered_joint != kNoJoint) shown.selected_joint = shown.hovered_joint;
}

/// Draws again, with panels only if --overlay asks for them, and writes the picture.
Status save_picture(Loop& loop, const std::string& path) {
  const bool hidden = std::exchange(loop.viewer().hidden, !loop.options.overlay);
  Status saved = loop.drawing().write_picture(path);
  loop.viewer().hidden = hidden;
  return saved;
}

/// A file name that no file has yet.
std::string next_picture_name() {
  for (int i = 1;; ++i) {
    const std::string name = text("sinew-view-%03d.png", i);
    std::error_code error;
    if (!std::filesystem::exists(path_of(name), error)) return name;
  }
}

void save_numbered_picture(Loop& loop) {
  const std::string name = next_picture_name();
  const Status saved = save_picture(loop, name);
  loop.viewer().message = saved ? "saved " + name : saved.error().message;
}

/// Shows a line in the window, and prints it. Printing may fail: the window goes on.
void tell(Loop& loop, const std::string& message) {
  if (message.empty()) return;
  loop.viewer().message = message;
  (void)print(message + "\n");
}

/// Call it before a frame.
void update_capture(Loop& loop) {
  if (std::exchange(loop.viewer().capture, false)) tell(loop, loop.key_capture.press());
  if (!loop.key_capture.pending()) return;
  const std::string& name = loop.viewer().model().name;
  tell(loop, loop.key_capture.update(
                 {"sinew view: " + name, capture_comments(loop.graphics.device, "character: " + name + "\n")}));
}

/// Where a level of detail or an evaluator cannot be had, says so and goes back to those before.
Status fit_or_return(Loop& loop) {
  const Status fits = loop.drawing().fit();
  if (fits) return fits;
  loop.viewer().message = fits.error().message;
  loop.drawing().return_to_drawn();
  return loop.drawing().fit();
}

Status draw_frame(Loop& loop) {
  update_capture(loop);
  loop.graphics.window->begin_interface();
  const Overlay& overlay = loop.drawing().draw_overlay();
  if (Status fits = fit_or_return(loop); !fits) return fits;
  auto drawn = loop.window_frames.draw(loop.drawing().renderer(), loop.drawing().request(overlay));
  if (!drawn) return drawn.error();
  loop.frames += *drawn && !loop.viewer().stand_in;
  if (std::exchange(loop.viewer().save_picture, false)) save_numbered_picture(loop);
  return {};
}

/// Begins to load the files that the user opens. Those that are opened while others are loaded come after them.
void begin_loading(Loop& loop) {
  Viewer& viewer = loop.viewer();
  if (loop.loading || viewer.open.empty()) return;
  ViewOptions options = options_for(loop.options, std::exchange(viewer.open, {}));
  viewer.message.clear();
  loop.loading = std::make_unique<FileLoading>(std::move(options), &loop.opened->options);
}

Result<std::unique_ptr<OpenedFiles>> open_loaded(Loop& loop) {
  auto opened = take_files(*loop.loading);
  if (!opened) return opened;
  (*opened)->viewer.take_over(loop.viewer());
  if (Status ready = prepare_drawing(loop.graphics, loop.interface, **opened); !ready) return ready.error();
  return opened;
}

/// A message that is short enough for a window: whole paths of files hide the character.
std::string without_folders(std::string message, std::span<const std::string> files) {
  for (const std::string& file : files) {
    const size_t at = message.find(file);
    if (at != message.npos) message.replace(at, file.size(), utf8_of(path_of(file).filename()));
  }
  return message;
}

/// Shows what was loaded in place of what was there before. Where that fails, what was there stays.
Status show_loaded(Loop& loop) {
  auto opened = open_loaded(loop);
  std::vector<std::string> files = loop.loading->options().files;
  std::ranges::copy(loop.loading->options().load.import.animation_files, std::back_inserter(files));
  loop.loading.reset();  // its line on the terminal ends before something is printed
  Viewer& before = loop.viewer();
  before.loading.clear();
  if (!opened && before.stand_in) return opened.error();
  if (!opened) {
    before.message = without_folders(opened.error().message, files);
    note(opened.error().message);
    return {};
  }
  vkDeviceWaitIdle(loop.graphics.device.handle);
  const std::vector<std::string>& opened_files = (*opened)->viewer.files;
  std::for_each(opened_files.rbegin(), opened_files.rend(), add_recent_file);
  loop.opened = std::move(*opened);
  loop.grabbed.reset();
  loop.since_frame = Stopwatch();
  loop.graphics.window->set_title(window_title(loop.opened->options.files));
  loop.graphics.window->put_back(std::exchange(loop.early, {}));
  return {};
}

/// Whether files were loaded since the last frame. They are shown after the next one, which has the last stage.
bool follow_loading(Loop& loop) {
  begin_loading(loop);
  if (!loop.loading) return false;
  const bool is_first = loop.viewer().loading.empty();
  const bool done = loop.loading->wait(is_first ? std::chrono::milliseconds(0) : kBetweenLoadingFrames);
  loop.viewer().loading = loop.loading->line().text();
  return done;
}

Status run_frame(Loop& loop, double elapsed_seconds) {
  const bool loaded = follow_loading(loop);
  handle_input(loop, elapsed_seconds);
  loop.window_frames.reload_shaders(loop.drawing().renderer());
  loop.viewer().problem = loop.window_frames.shader_problem();
  auto fits = loop.window_frames.fit(loop.drawing().renderer());
  if (!fits) return fits.error();
  if (*fits) {
    loop.viewer().advance(loop.frames > 0 ? elapsed_seconds : 0);  // the first frame took long to prepare
    if (Status drawn = draw_frame(loop); !drawn) return drawn;
  } else {
    loop.graphics.window->wait();
    loop.since_frame = Stopwatch();
  }
  return loaded && !loop.graphics.window->closed() ? show_loaded(loop) : Status();
}

Status run_loop(Loop& loop) {
  const Window& window = *loop.graphics.window;
  while (!window.closed() && !(loop.options.frames && loop.frames >= *loop.options.frames)) {
    const double elapsed_seconds = loop.since_frame.elapsed_ms() / 1e3;
    loop.since_frame = Stopwatch();
    loop.viewer().message.advance(elapsed_seconds);
    if (Status drawn = run_frame(loop, std::min(elapsed_seconds, kMaxStepSeconds)); !drawn) return drawn;
  }
  return {};
}

/// Files are still loaded while the window is closed: it takes them some seconds to end.
Status end_loading(Loop& loop) {
  if (!loop.loading) return {};
  loop.graphics.window->hide();
  auto opened = take_files(*loop.loading);
  return !opened && loop.viewer().stand_in ? Status(opened.error()) : Status();
}

}  // namespace

Status show_window(const ViewOptions& options, GraphicsContext& graphics, std::unique_ptr<FileLoading> loading) {
  Window& window = *graphics.window;
  Interface interface(interface_scale(options, graphics));
  Loop loop{options,           graphics,
            interface,         WindowFrames(graphics.device, graphics.surface.handle, window),
            no_files(options), std::move(loading)};
  if (Status ready = prepare_drawing(graphics, interface, *loop.opened); !ready) return ready;
  loop.viewer().hidden = loop.viewer().stand_in = true;
  window.connect_interface();
  Status shown = run_loop(loop);
  vkDeviceWaitIdle(graphics.device.handle);
  window.disconnect_interface();
  if (Status ended = end_loading(loop); shown && !ended) shown = ended;
  if (!shown || options.screenshot.empty() || loop.viewer().stand_in) return shown;
  return save_picture(loop, options.screenshot);
}

}  // namespace sinew::app
