// Characters on the screen, or in a picture: files that are loaded, at the start and later, the viewer as the options
// have it, and what draws it.
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "options/common_options.h"
#include "record/movie.h"
#include "scene/load.h"
#include "system/output.h"
#include "system/progress.h"
#include "viewer/drawing.h"
#include "viewer/viewer.h"

namespace sinew::app {

/// The command line of `sinew view`.
struct ViewOptions {
  std::vector<std::string> files;
  LoadOptions load;

  std::optional<std::string> clip;     // none: the first
  std::optional<double> time_seconds;  // of the clip; none: its start
  std::vector<LayerOption> layers;
  float speed = 1;
  Looping looping = Looping::kLoop;
  RootMotion root_motion = RootMotion::kKept;

  Shown shown;
  std::optional<std::string> joint;  // to select
  CameraPreset camera = kCameraPresets[0];
  CameraOptions moved_camera;
  float zoom = 1;

  uint32_t width = 1280, height = 720;
  std::optional<uint32_t> samples;  // per pixel; none: 4, or 1 in a window on a CPU device
  std::optional<float> scale;       // of letters; none: that of the display
  std::string device;
  bool validate = false;
  bool window = false;             // also where a picture is asked for
  bool overlay = false;            // panels in pictures too
  std::optional<uint32_t> frames;  // the window closes after these

  std::string screenshot;
  std::vector<double> times;                // a contact sheet in place of one picture
  std::string record;                       // an animated picture, or a folder of pictures
  bool turntable = false;                   // the camera of `record` turns once around
  std::optional<double> seconds;            // duration of `record`; none: that of the clip, or of a turn
  std::optional<double> frames_per_second;  // of `record`; none: 24

  bool opens_window() const { return window || (screenshot.empty() && record.empty()); }
  std::vector<OutputFile> outputs() const {
    return {{"--screenshot", screenshot}, {"--record", names_folder(record) ? std::string() : record}};
  }
};

/// Loads files, of the command line or that a user opens later, on a thread of its own. Its stage appears on the
/// terminal: one at a time.
///
/// Of several files, those that have clips and no mesh are no characters: the others play their clips, as those of
/// --animation. Where files without a mesh are all that is opened, the characters of `present` are loaded again, with
/// these clips.
class FileLoading {
 public:
  /// Begins to load ViewOptions::files. `present`: what is shown until then; null: nothing.
  explicit FileLoading(ViewOptions options, const ViewOptions* present = nullptr);
  FileLoading(const FileLoading&) = delete;
  FileLoading& operator=(const FileLoading&) = delete;

  /// Whether it is done, after at most this time.
  bool wait(std::chrono::milliseconds time) const { return work_.wait_for(time) == std::future_status::ready; }

  /// The stage of the work.
  ProgressLine& line() { return line_; }

  /// Waits until it is done. Once. Errors: those of load_model() and add_levels(), with the file.
  Result<std::vector<Model>> take();

  /// After take(): with the files that are characters, and those whose clips they play.
  const ViewOptions& options() const { return options_; }

 private:
  Status load();

  ViewOptions options_;
  std::unique_ptr<const ViewOptions> present_;
  std::vector<Model> models_;
  ProgressLine line_;
  std::future<Status> work_;  // last: it ends before what it uses
};

/// The options for files that are opened later. What names a clip, a joint or a time, and where the camera was moved
/// to, is for the files of the command line.
ViewOptions options_for(ViewOptions options, std::vector<std::string> files);

struct OpenedFiles {
  OpenedFiles(const ViewOptions& of_files, std::vector<Model> models) : options(of_files), viewer(std::move(models)) {}

  ViewOptions options;
  Viewer viewer;
  std::unique_ptr<ViewDrawing> drawing;  // after viewer: it ends first
};

/// The viewer of files that are loaded, without a drawing. Waits until they are. Errors: those of loading; kNotFound
/// for a clip or joint that the options name.
Result<std::unique_ptr<OpenedFiles>> take_files(FileLoading& loading);

/// A viewer with ground and sky only, for the time until files are loaded.
std::unique_ptr<OpenedFiles> no_files(const ViewOptions& options);

/// Makes the drawing for the window or, without one, for pictures. May take seconds. `interface` must outlive it.
Status prepare_drawing(GraphicsContext& graphics, Interface& interface, OpenedFiles& opened);

/// The scale of letters that the options or else the window ask for.
float interface_scale(const ViewOptions& options, const GraphicsContext& graphics);

/// The names of files, as far as they have place in the title of a window: "knight.glb, horse.glb - Sinew".
std::string window_title(std::span<const std::string> files);

/// A line on standard error, for people.
void note(const std::string& line);

}  // namespace sinew::app
