#include "commands/view_pictures.h"

#include <cmath>
#include <numbers>

#include "overlay/view_panels.h"
#include "report/animated_png.h"
#include "report/contact_sheet.h"
#include "report/png_folder.h"
#include "scene/camera.h"
#include "system/print.h"
#include "system/progress.h"
#include "system/text.h"
#include "system/write_file.h"

namespace sinew::app {
namespace {

constexpr double kFramesPerSecond = 24;
constexpr double kTurnSeconds = 4;                 // of a turntable
constexpr uint64_t kMaxBytes = uint64_t(4) << 30;  // of all pictures of one recording

/// Shows the base clips at a time of their own. Layers go on by as much as base clips do.
void seek_all(Viewer& viewer, double clip_time) {
  for (uint32_t i = 0; i < viewer.models().size(); ++i) {
    TimeLine& line = viewer.playing(i).time_line();
    const float before = clip_seconds(line);
    seek(line, float(clip_time));
    for (ViewLayer& layer : viewer.playing(i).layers()) layer.seconds += double(clip_seconds(line) - before);
  }
  viewer.update();
}

Status write_sheet(ViewState& state, const Orbit& camera) {
  const ViewOptions& options = state.options;
  if (Status fits = check_contact_sheet(options.times.size(), options.width, options.height); !fits) return fits;
  std::vector<std::vector<uint8_t>> pictures;
  for (double time : state.options.times) {
    seek_all(state.viewer, time);
    auto picture = draw_picture(state, camera);
    if (!picture) return picture.error();
    pictures.push_back(std::move(*picture));
  }
  auto sheet = make_contact_sheet(pictures, state.options.width, state.options.height);
  if (!sheet) return sheet.error();
  if (Status written = write_png(state.options.screenshot, sheet->width, sheet->height, sheet->rgba); !written)
    return written;
  return print(text("%s: %zu pictures\n", state.options.screenshot.c_str(), pictures.size()));
}

Status write_screenshot(ViewState& state, const Orbit& camera) {
  if (!state.options.times.empty()) return write_sheet(state, camera);
  auto picture = draw_picture(state, camera);
  if (!picture) return picture.error();
  const ViewOptions& options = state.options;
  if (Status written = write_png(options.screenshot, options.width, options.height, *picture); !written) return written;
  return print(text("%s: %ux%u\n", options.screenshot.c_str(), options.width, options.height));
}

/// One pass through the range of the clip at its speed; forward and back where it plays ping-pong.
double recorded_seconds(const ViewState& state) {
  if (state.options.seconds) return *state.options.seconds;
  const TimeLine& line = state.viewer.playing().time_line();
  const double speed = std::abs(limited_speed(line)), clip = duration_seconds(line);
  if (state.options.turntable || clip <= 0 || speed == 0) return kTurnSeconds;
  return clip / speed * (line.looping == Looping::kPingPong ? 2 : 1);
}

Status write_recording(ViewState& state, Orbit camera) {
  const ViewOptions& options = state.options;
  const double seconds = recorded_seconds(state), rate = options.frames_per_second.value_or(kFramesPerSecond);
  const double step = 1 / rate;
  const size_t count = size_t(std::max(1.0, std::round(seconds * rate)));
  if (count > kMaxBytes / (uint64_t(options.width) * options.height * 4)) {
    return Error{ErrorCode::kInvalidArgument,
                 text("--record: %zu pictures of %ux%u need more than 4 GiB; use fewer --seconds, fewer "
                      "--frames-per-second or a smaller --size",
                      count, options.width, options.height)};
  }
  std::vector<std::vector<uint8_t>> pictures;
  ProgressLine line("drawing");
  for (size_t i = 0; i < count; ++i) {
    line.show(double(i) / double(count));
    auto picture = draw_picture(state, camera);
    if (!picture) return picture.error();
    pictures.push_back(std::move(*picture));
    state.viewer.advance(step);
    if (options.turntable) camera.yaw += 2 * std::numbers::pi_v<float> / float(count);
  }
  const AnimatedPngInfo info{options.width, options.height, 100, uint16_t(std::lround(rate * 100))};
  Status written = names_folder(options.record)
                       ? write_png_folder(options.record, pictures, options.width, options.height)
                       : write_animated_png(options.record, pictures, info);
  if (!written) return written;
  return print(text("%s: %zu pictures, %g s\n", options.record.c_str(), count, double(count) * step));
}

}  // namespace

Orbit camera_for(const ViewOptions& options, const Viewer& viewer, float aspect) {
  Orbit camera = frame_scene(viewer.scene(), aspect);
  turn_to(options.camera, camera);
  camera.yaw += options.turn_degrees * std::numbers::pi_v<float> / 180;
  camera.distance /= options.zoom;
  return camera;
}

ViewControls make_controls(const ViewOptions& options, const ViewDrawing& drawing) {
  ViewControls controls;
  controls.crowd_evaluator = options.crowd_evaluator;
  controls.can_draw_wireframe = drawing.can_draw_wireframe();
  return controls;
}

Result<std::vector<uint8_t>> draw_picture(ViewState& state, const Orbit& camera) {
  state.viewer.thickness = state.interface.scale();
  if (Status fits = state.drawing.fit(); !fits) return fits.error();
  Renderer& renderer = state.drawing.renderer();
  const Target& target = renderer.target();
  const View view = view_of(camera, target.width, target.height);
  const Overlay* overlay = nullptr;
  for (int i = 0; i < (state.controls.hidden ? 1 : 2); ++i) {  // panels are complete in their second frame
    state.controls.difference_meters = state.drawing.difference() * world_scale(state.viewer.model());
    overlay = &draw_view_overlay(view, state.viewer, state.controls, state.interface);
  }
  const FrameRequest request{.camera = camera, .lines = &state.drawing.lines(), .overlay = overlay};
  if (auto begun = renderer.begin_frame(); !begun) return begun.error();
  if (Status drawn = renderer.draw_frame(request); !drawn) return drawn.error();
  if (Status finished = renderer.finish(); !finished) return finished.error();
  return read_picture(state.graphics.device, target);
}

Status write_pictures(const ViewOptions& options, GraphicsContext& graphics, Viewer& viewer) {
  const ViewDrawing::Info info{options.width, options.height, options.samples.value_or(4), options.crowd_evaluator};
  auto drawing = ViewDrawing::create(graphics, viewer, info);
  if (!drawing) return drawing.error();
  Interface interface(options.scale.value_or(1));
  const float free_width =
      options.overlay ? width_beside_panels(options.width, options.height, interface.scale()) : float(options.width);
  const Orbit camera = camera_for(options, viewer, free_width / float(options.height));
  ViewState state{options, graphics, viewer, **drawing, interface, make_controls(options, **drawing)};
  state.controls.hidden = !options.overlay;
  if (!options.screenshot.empty()) {
    if (Status written = write_screenshot(state, camera); !written) return written;
  }
  if (options.record.empty()) return {};
  return write_recording(state, camera);
}

}  // namespace sinew::app
