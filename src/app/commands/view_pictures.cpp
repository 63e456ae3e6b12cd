#include "commands/view_pictures.h"

#include <cmath>
#include <numbers>

#include "overlay/labels.h"
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
constexpr int kGridCells = 4;

/// The device, the viewer and what draws it, for the pictures of one run.
struct Studio {
  const ViewOptions& options;
  GraphicsContext& graphics;
  Viewer& viewer;
  ViewDrawing& drawing;
  Interface& interface;
  ViewControls controls = {};
};

Result<std::vector<uint8_t>> draw(Studio& studio, const Orbit& camera) {
  return draw_picture(studio.graphics, studio.viewer, studio.drawing, studio.interface, camera,
                      studio.options.overlay ? &studio.controls : nullptr);
}

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

Status write_sheet(Studio& studio, const Orbit& camera) {
  std::vector<std::vector<uint8_t>> pictures;
  for (double time : studio.options.times) {
    seek_all(studio.viewer, time);
    auto picture = draw(studio, camera);
    if (!picture) return picture.error();
    pictures.push_back(std::move(*picture));
  }
  auto sheet = make_contact_sheet(pictures, studio.options.width, studio.options.height);
  if (!sheet) return sheet.error();
  if (Status written = write_png(studio.options.screenshot, sheet->width, sheet->height, sheet->rgba); !written)
    return written;
  return print(text("%s: %zu pictures\n", studio.options.screenshot.c_str(), pictures.size()));
}

Status write_screenshot(Studio& studio, const Orbit& camera) {
  if (!studio.options.times.empty()) return write_sheet(studio, camera);
  auto picture = draw(studio, camera);
  if (!picture) return picture.error();
  const ViewOptions& options = studio.options;
  if (Status written = write_png(options.screenshot, options.width, options.height, *picture); !written) return written;
  return print(text("%s: %ux%u\n", options.screenshot.c_str(), options.width, options.height));
}

/// One pass through the range of the clip at its speed; forward and back where it plays ping-pong.
double recorded_seconds(const Studio& studio) {
  if (studio.options.seconds) return *studio.options.seconds;
  const TimeLine& line = studio.viewer.playing().time_line();
  const double speed = std::abs(limited_speed(line)), clip = duration_seconds(line);
  if (studio.options.turntable || clip <= 0 || speed == 0) return kTurnSeconds;
  return clip / speed * (line.looping == Looping::kPingPong ? 2 : 1);
}

Status write_recording(Studio& studio, Orbit camera) {
  const ViewOptions& options = studio.options;
  const double seconds = recorded_seconds(studio), rate = options.frames_per_second.value_or(kFramesPerSecond);
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
    auto picture = draw(studio, camera);
    if (!picture) return picture.error();
    pictures.push_back(std::move(*picture));
    studio.viewer.advance(step);
    if (options.turntable) camera.yaw += 2 * std::numbers::pi_v<float> / float(count);
  }
  const AnimatedPngInfo info{options.width, options.height, 100, uint16_t(std::lround(rate * 100))};
  Status written = names_folder(options.record)
                       ? write_png_folder(options.record, pictures, options.width, options.height)
                       : write_animated_png(options.record, pictures, info);
  if (!written) return written;
  return print(text("%s: %zu pictures, %g s\n", options.record.c_str(), count, double(count) * step));
}

/// Panels find their places in a first frame, and are complete in the second.
const Overlay& draw_interface(Viewer& viewer, const ViewDrawing& drawing, Interface& interface, const View& view,
                              ViewControls* panels) {
  const Overlay* overlay = nullptr;
  for (int frame = 0; frame < (panels ? 2 : 1); ++frame) {
    interface.begin(view.width, view.height);
    label_grid(view, grid_for(viewer.models().front()), kGridCells);
    label_joints(view, viewer);
    if (panels) {
      panels->difference_meters = drawing.difference() * world_scale(viewer.model());
      draw_view_panels(viewer, *panels, interface.scale());
    }
    overlay = &interface.end();
  }
  return *overlay;
}

}  // namespace

Orbit camera_for(const ViewOptions& options, const Viewer& viewer, float aspect) {
  Orbit camera = frame_stage(viewer.scene(), aspect);
  turn_to(options.camera, camera);
  camera.yaw += options.turn_degrees * std::numbers::pi_v<float> / 180;
  camera.distance /= options.zoom;
  return camera;
}

Result<std::vector<uint8_t>> draw_picture(const GraphicsContext& graphics, Viewer& viewer, ViewDrawing& drawing,
                                          Interface& interface, const Orbit& camera, ViewControls* panels) {
  viewer.thickness = interface.scale();
  if (Status fits = drawing.fit(); !fits) return fits.error();
  const Target& target = drawing.renderer().target();
  const View view = view_of(camera, target.width, target.height);
  const Overlay& overlay = draw_interface(viewer, drawing, interface, view, panels);
  const FrameRequest request{.camera = camera, .lines = &drawing.lines(), .overlay = &overlay};
  if (auto begun = drawing.renderer().begin_frame(); !begun) return begun.error();
  if (Status drawn = drawing.renderer().draw_frame(request); !drawn) return drawn.error();
  if (Status finished = drawing.renderer().finish(); !finished) return finished.error();
  return read_picture(graphics.device, target);
}

Status write_pictures(const ViewOptions& options, GraphicsContext& graphics, Viewer& viewer) {
  const ViewDrawing::Info info{options.width, options.height, options.samples.value_or(4), options.crowd_evaluator};
  auto drawing = ViewDrawing::create(graphics, viewer, info);
  if (!drawing) return drawing.error();
  Interface interface(options.scale.value_or(1));
  const FreeRoom room = options.overlay ? room_beside_panels(options.width, options.height, interface.scale())
                                        : FreeRoom{float(options.width), float(options.height)};
  const Orbit camera = camera_for(options, viewer, room.width / float(options.height));
  Studio studio{options, graphics, viewer, **drawing, interface};
  studio.controls.crowd_evaluator = options.crowd_evaluator;
  if (!options.screenshot.empty()) {
    if (Status written = write_screenshot(studio, camera); !written) return written;
  }
  if (options.record.empty()) return {};
  return write_recording(studio, camera);
}

}  // namespace sinew::app
