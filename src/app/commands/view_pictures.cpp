// The pictures of `sinew view` without a window: one, a contact sheet, or an animated one.
#include <cmath>
#include <numbers>

#include "commands/view_run.h"
#include "report/animated_png.h"
#include "report/contact_sheet.h"
#include "report/png_folder.h"
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

using Pictures = std::vector<std::vector<uint8_t>>;

/// Draws pictures one after another. `prepare` changes the viewer before each.
Result<Pictures> draw_all(size_t count, ViewDrawing& drawing, const auto& prepare) {
  Pictures pictures;
  ProgressLine line("drawing");
  for (size_t i = 0; i < count; ++i) {
    line.show(double(i) / double(count));
    prepare(i);
    auto picture = drawing.picture();
    if (!picture) return picture.error();
    pictures.push_back(std::move(*picture));
  }
  return pictures;
}

Status write_sheet(const ViewOptions& options, Viewer& viewer, ViewDrawing& drawing) {
  if (Status fits = check_contact_sheet(options.times.size(), options.width, options.height); !fits) return fits;
  const auto pictures =
      draw_all(options.times.size(), drawing, [&](size_t i) { seek_all(viewer, options.times[i]); });
  if (!pictures) return pictures.error();
  auto sheet = make_contact_sheet(*pictures, options.width, options.height);
  if (!sheet) return sheet.error();
  if (Status written = write_png(options.screenshot, sheet->width, sheet->height, sheet->rgba); !written)
    return written;
  return print(text("%s: %zu pictures\n", options.screenshot.c_str(), pictures->size()));
}

/// One pass through the range of the clip at its speed; forward and back where it plays ping-pong.
double recorded_seconds(const ViewOptions& options, const TimeLine& line) {
  if (options.seconds) return *options.seconds;
  const double speed = std::abs(double(line.speed)), clip = duration_seconds(line);
  if (options.turntable || clip <= 0 || speed == 0) return kTurnSeconds;
  return clip / speed * (line.looping == Looping::kPingPong ? 2 : 1);
}

Status write_recording(const ViewOptions& options, Viewer& viewer, ViewDrawing& drawing) {
  const double rate = options.frames_per_second.value_or(kFramesPerSecond);
  const double seconds = recorded_seconds(options, viewer.playing().time_line());
  const size_t count = size_t(std::max(1.0, std::round(seconds * rate)));
  if (count > kMaxBytes / (uint64_t(options.width) * options.height * 4)) {
    return Error{ErrorCode::kInvalidArgument,
                 text("--record: %zu pictures of %ux%u need more than 4 GiB; use fewer --seconds, fewer "
                      "--frames-per-second or a smaller --size",
                      count, options.width, options.height)};
  }
  const float turn = options.turntable ? 2 * std::numbers::pi_v<float> / float(count) : 0;
  const auto pictures = draw_all(count, drawing, [&](size_t i) {
    if (i == 0) return;
    viewer.advance(1 / rate);
    viewer.camera.yaw += turn;
  });
  if (!pictures) return pictures.error();
  const AnimatedPngInfo info{options.width, options.height, 100, uint16_t(std::lround(rate * 100))};
  Status written = names_folder(options.record)
                       ? write_png_folder(options.record, *pictures, options.width, options.height)
                       : write_animated_png(options.record, *pictures, info);
  if (!written) return written;
  return print(text("%s: %zu pictures, %g s\n", options.record.c_str(), count, double(count) / rate));
}

}  // namespace

Status write_pictures(const ViewOptions& options, Viewer& viewer, ViewDrawing& drawing) {
  if (!options.screenshot.empty()) {
    Status written =
        options.times.empty() ? drawing.write_picture(options.screenshot) : write_sheet(options, viewer, drawing);
    if (!written) return written;
  }
  return options.record.empty() ? Status() : write_recording(options, viewer, drawing);
}

}  // namespace sinew::app
