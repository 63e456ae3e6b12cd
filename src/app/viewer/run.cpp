#include "viewer/run.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "gpu/kept_pipelines.h"
#include "record/movie.h"
#include "system/output.h"
#include "system/progress.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr double kFramesPerSecond = 24;
constexpr double kTurnSeconds = 4;  // of a turntable

Status set_up_graphics(const ViewOptions& options, GraphicsContext& graphics) {
  GraphicsOptions wanted{options.device, options.validate};
  if (options.opens_window()) wanted.title = window_title(options.files);
  wanted.width = options.width, wanted.height = options.height;
  Status ready = set_up(wanted, graphics);
  if (ready || !options.opens_window() || ready.error().code != ErrorCode::kUnsupported) return ready;
  return Error{ready.error().code, ready.error().message + " (without a window: sinew view FILE --screenshot F.png)"};
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

Status write_sheet(const ViewOptions& options, Viewer& viewer, ViewDrawing& drawing) {
  if (Status fits = check_contact_sheet(options.times.size(), options.width, options.height); !fits) return fits;
  std::vector<std::vector<uint8_t>> pictures;
  ProgressLine line("drawing");
  for (const double time : options.times) {
    line.show(double(pictures.size()) / double(options.times.size()));
    seek_all(viewer, time);
    auto picture = drawing.picture();
    if (!picture) return picture.error();
    pictures.push_back(std::move(*picture));
  }
  auto sheet = make_contact_sheet(pictures, options.width, options.height);
  if (!sheet) return sheet.error();
  if (Status written = write_png(options.screenshot, sheet->width, sheet->height, sheet->rgba); !written)
    return written;
  return print(text("%s: %zu pictures\n", options.screenshot.c_str(), pictures.size()));
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
  const float turn = options.turntable ? 2 * std::numbers::pi_v<float> / float(count) : 0;
  return write_movie({options.record, options.width, options.height, rate, count}, [&](size_t i) {
    if (i > 0) viewer.advance(1 / rate), viewer.camera.yaw += turn;
    return drawing.picture();
  });
}

/// Writes --screenshot and --record.
Status write_pictures(GraphicsContext& graphics, std::unique_ptr<FileLoading> loading) {
  auto opened = take_files(*loading);
  if (!opened) return opened.error();
  const ViewOptions& options = (*opened)->options;
  Interface interface(interface_scale(options, graphics));
  (*opened)->viewer.hidden = !options.overlay;
  if (Status ready = prepare_drawing(graphics, interface, **opened); !ready) return ready;
  loading.reset();  // its line ends before something is printed
  Viewer& viewer = (*opened)->viewer;
  ViewDrawing& drawing = *(*opened)->drawing;
  if (!options.screenshot.empty()) {
    Status written =
        options.times.empty() ? drawing.write_picture(options.screenshot) : write_sheet(options, viewer, drawing);
    if (!written) return written;
  }
  return options.record.empty() ? Status() : write_recording(options, viewer, drawing);
}

constexpr uint32_t kMaxColumns = 8, kMaxSide = 16384;
constexpr uint32_t kPictureGap = 4;  // pixels between two pictures
constexpr uint8_t kGray = 0x77;      // about half as bright as white to the eye
constexpr double kShape = 16.0 / 9;
constexpr size_t kPixelBytes = 4;

/// The length of pictures in a row or column, with the gaps between them.
uint64_t length_of(uint64_t count, uint64_t side) { return count * side + (count - 1) * kPictureGap; }

size_t rows_for(size_t count, uint32_t columns) { return (count + columns - 1) / columns; }

/// Of two equally good numbers of columns, the smaller one.
uint32_t choose_columns(size_t count, uint32_t width, uint32_t height) {
  const auto distance = [&](uint32_t columns) {
    const double shape = double(length_of(columns, width)) / double(length_of(rows_for(count, columns), height));
    return std::abs(std::log(shape / kShape));
  };
  uint32_t best = 1;
  for (uint32_t columns = 2; columns <= std::min<size_t>(count, kMaxColumns); ++columns) {
    if (distance(columns) < distance(best)) best = columns;
  }
  return best;
}

Error refuse_sheet(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

/// Copies a picture to the cell with this number, counted row by row.
void place(const std::vector<uint8_t>& picture, size_t cell, uint32_t width, uint32_t height, ContactSheet& sheet) {
  const size_t left = cell % sheet.columns * (width + kPictureGap), top = cell / sheet.columns * (height + kPictureGap);
  const size_t row_bytes = width * kPixelBytes;
  for (size_t y = 0; y < height; ++y) {
    std::copy_n(picture.begin() + std::ptrdiff_t(y * row_bytes), row_bytes,
                sheet.rgba.begin() + std::ptrdiff_t(((top + y) * sheet.width + left) * kPixelBytes));
  }
}

}  // namespace

Status run_view(const ViewOptions& options) {
  if (Status writable = check_writable(options.outputs()); !writable) return writable;
  if (Status writable = check_movie_writable(options.record); !writable) return writable;
  if (options.validate) host::set_validation_environment();
  auto loading = std::make_unique<FileLoading>(options);
  GraphicsContext graphics;
  if (Status ready = set_up_graphics(options, graphics); !ready) {
    auto opened = take_files(*loading);  // what is wrong with the files counts more
    return opened ? ready : Status(opened.error());
  }
  const KeptPipelines pipelines(graphics.device);
  Status shown = options.opens_window() ? show_window(options, graphics, std::move(loading))
                                        : write_pictures(graphics, std::move(loading));
  if (!shown || !options.validate) return shown;
  if (Status checked = check_messages(graphics); !checked) return checked;
  return print("0 validation messages\n");
}

Status check_contact_sheet(size_t count, uint32_t width, uint32_t height) {
  if (count == 0 || width == 0 || height == 0) return refuse_sheet("a contact sheet needs a picture");
  const uint32_t columns = choose_columns(count, width, height);
  if (length_of(columns, width) <= kMaxSide && length_of(rows_for(count, columns), height) <= kMaxSide) return {};
  return refuse_sheet(text("a contact sheet of %zu pictures of %ux%u pixels has a side above %u pixels", count, width,
                           height, kMaxSide));
}

Result<ContactSheet> make_contact_sheet(std::span<const std::vector<uint8_t>> rgba_pictures, uint32_t width,
                                        uint32_t height) {
  if (Status fits = check_contact_sheet(rgba_pictures.size(), width, height); !fits) return fits.error();
  for (size_t i = 0; i < rgba_pictures.size(); ++i) {
    if (rgba_pictures[i].size() != size_t(width) * height * kPixelBytes)
      return refuse_sheet(
          text("picture %zu of %zu is not of %ux%u pixels", i + 1, rgba_pictures.size(), width, height));
  }
  ContactSheet sheet;
  sheet.columns = choose_columns(rgba_pictures.size(), width, height);
  sheet.rows = uint32_t(rows_for(rgba_pictures.size(), sheet.columns));
  sheet.width = uint32_t(length_of(sheet.columns, width)), sheet.height = uint32_t(length_of(sheet.rows, height));
  sheet.rgba.assign(size_t(sheet.width) * sheet.height * kPixelBytes, kGray);
  for (size_t alpha = 3; alpha < sheet.rgba.size(); alpha += kPixelBytes) sheet.rgba[alpha] = 255;
  for (size_t i = 0; i < rgba_pictures.size(); ++i) place(rgba_pictures[i], i, width, height, sheet);
  return sheet;
}

}  // namespace sinew::app
