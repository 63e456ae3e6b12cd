#include "viewer/run.h"

#include <cmath>
#include <cstdio>
#include <future>
#include <numbers>
#include <utility>
#include <vector>

#include "gpu/kept_pipelines.h"
#include "record/movie.h"
#include "scene/find_names.h"
#include "scene/stand_in.h"
#include "sinew/runtime/thread_pool.h"
#include "system/print.h"
#include "system/progress.h"
#include "system/text.h"
#include "system/write_file.h"
#include "viewer/contact_sheet.h"
#include "viewer/panels.h"
#include "window/loading.h"

namespace sinew::app {
namespace {

constexpr double kFramesPerSecond = 24;
constexpr double kTurnSeconds = 4;  // of a turntable

/// Levels of detail take some time to make: in a window they can be chosen at any moment.
bool needs_levels(const ViewOptions& options) {
  return options.opens_window() || options.shown.level > 0 || options.shown.colors == DataColors::kLevel;
}

Result<std::vector<Model>> load_models(const ViewOptions& options, ProgressLine& line) {
  ModelOptions model_options;
  model_options.changes_clips = model_options.tinted = false;
  model_options.order = VertexOrder::kOfFile;
  std::vector<Model> models;
  sinew::ThreadPool pool;
  for (const std::string& file : options.files) {
    line.rename("reading " + printable(file));
    auto model = load_model(file, options.load, model_options);
    if (!model) return model.error();
    if (Status distinct = check_distinct(options.outputs(), image_files(model->character, file)); !distinct)
      return distinct.error();
    if (needs_levels(options)) {
      line.rename("making levels of detail of " + printable(model->name));
      if (Status added = add_levels(*model, pool.parallel_for()); !added) return added.error();
    }
    models.push_back(std::move(*model));
  }
  return models;
}

/// A line on standard error, for people.
void note(const std::string& line) { std::fprintf(stderr, "sinew: %s\n", printable(line).c_str()); }

/// All names are looked up before clips are derived.
Status set_clips(const ViewOptions& options, const Character& character, Playing& playing) {
  if (options.clip) {
    auto clip = find_clip_by_name(character.clips, *options.clip);
    if (!clip) return clip.error();
    if (Status chosen = playing.choose(*clip, 0); !chosen) return chosen;
  }
  std::vector<ViewLayer> layers;
  for (const LayerOption& option : options.layers) {
    auto layer = resolve_layer(option, character);
    if (!layer) return layer.error();
    layers.push_back(*layer);
  }
  for (const ViewLayer& layer : layers) {
    if (Status added = playing.add_layer(layer); !added) return added;
  }
  return playing.set_root_motion(options.root_motion);
}

/// Goes to the time of --time, or to where playback begins at this speed. A time outside the clip is limited, and
/// said.
void set_time(const ViewOptions& options, const Model& model, Playing& playing) {
  TimeLine& line = playing.time_line();
  line.speed = options.speed;
  set_looping(line, options.looping);
  restart(line);
  if (!options.time_seconds) return;
  if (!playing.clip()) return note(model.name + ": has no clips; it is shown in the rest pose");
  seek(line, float(*options.time_seconds));
  const float shown = clip_seconds(line);
  if (std::abs(*options.time_seconds - shown) > 1e-6 * std::max(1.0, std::abs(*options.time_seconds))) {
    note(text("%s: --time %g is outside clip \"%s\", %g to %g s; %g s is shown", model.name.c_str(),
              *options.time_seconds, model.character.clips[*playing.clip()].name.c_str(), line.clip_start_seconds,
              line.clip_end_seconds, shown));
  }
}

/// The viewer as the options have it.
Status set_viewer(const ViewOptions& options, Viewer& viewer) {
  const auto of_file = [](const Model& model, const Error& error) {
    return Error{error.code, model.name + ": " + error.message};
  };
  for (uint32_t i = 0; i < viewer.models().size(); ++i) {
    const Model& model = viewer.models()[i];
    if (Status set = set_clips(options, model.character, viewer.playing(i)); !set) return of_file(model, set.error());
    set_time(options, model, viewer.playing(i));
  }
  viewer.shown = options.shown;
  if (options.joint) {
    const auto joint = find_joint_by_name(viewer.model().character.skeleton, *options.joint);
    if (!joint) return of_file(viewer.model(), joint.error());
    viewer.shown.selected_joint = int32_t(*joint);
  }
  viewer.update();
  return {};
}

Status set_up_graphics(const ViewOptions& options, GraphicsContext& graphics) {
  GraphicsOptions wanted{options.device, options.validate};
  if (options.opens_window()) wanted.title = "sinew view";
  wanted.width = options.width, wanted.height = options.height;
  Status ready = set_up(wanted, graphics);
  if (ready || !options.opens_window() || ready.error().code != ErrorCode::kUnsupported) return ready;
  return Error{ready.error().code, ready.error().message + " (without a window: sinew view FILE --screenshot F.png)"};
}

/// What is asked for and cannot be shown.
void note_missing(const ViewOptions& options, const DeviceInfo& device, std::span<const Model> models) {
  if (options.shown.wireframe && !device.wireframe)
    note("--show wireframe: " + device.name + " draws no lines in place of triangles; surfaces are shown");
  for (const Model& model : models) {
    if (options.shown.tangents && model.character.mesh.tangents.empty())
      note(model.name + ": has no tangents; --tangents computes them");
  }
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
  auto movie = create_movie({options.record, options.width, options.height, rate, count});
  if (!movie) return movie.error();
  const float turn = options.turntable ? 2 * std::numbers::pi_v<float> / float(count) : 0;
  ProgressLine line("drawing");
  for (size_t i = 0; i < count; ++i) {
    line.show(double(i) / double(count));
    if (i > 0) viewer.advance(1 / rate), viewer.camera.yaw += turn;
    auto picture = drawing.picture();
    if (!picture) return picture.error();
    if (Status added = (*movie)->add(std::move(*picture)); !added) return added;
  }
  if (Status finished = (*movie)->finish(); !finished) return finished;
  return print(text("%s: %zu pictures, %g s\n", options.record.c_str(), count, double(count) / rate));
}

/// Writes --screenshot and --record.
Status write_pictures(const ViewOptions& options, Viewer& viewer, ViewDrawing& drawing) {
  if (!options.screenshot.empty()) {
    Status written =
        options.times.empty() ? drawing.write_picture(options.screenshot) : write_sheet(options, viewer, drawing);
    if (!written) return written;
  }
  return options.record.empty() ? Status() : write_recording(options, viewer, drawing);
}

void set_camera(const ViewOptions& options, Viewer& viewer) {
  viewer.camera = frame_scene(viewer.scene(), viewer.free_aspect);
  if (options.shown.own_size) viewer.set_own_size(true);
  turn_to(options.camera, viewer.camera);
  viewer.camera = changed(viewer.camera, options.moved_camera);
  if (options.moved_camera.at) {
    viewer.camera.distance /= options.zoom;
  } else {
    viewer.zoom(options.zoom);
  }
}

/// How the window, or else the picture, is drawn.
ViewDrawing::Info drawing_info(const ViewOptions& options, const GraphicsContext& graphics) {
  const Window* window = graphics.window.get();
  if (!window) return {options.width, options.height, options.samples.value_or(4), options.scale.value_or(1)};
  const uint32_t samples = options.samples.value_or(graphics.device.info.is_cpu() ? 1 : 4);
  return {window->width(), window->height(), samples, options.scale.value_or(window->scale())};
}

/// `line` ends before something is shown or printed.
Status show(const ViewOptions& options, GraphicsContext& graphics, Viewer& viewer, std::optional<ProgressLine>& line) {
  const ViewDrawing::Info info = drawing_info(options, graphics);
  viewer.hidden = !graphics.window && !options.overlay;
  set_free_aspect(info.width, info.height, info.scale, viewer);
  set_camera(options, viewer);
  auto drawing = ViewDrawing::create(graphics, viewer, info);
  line.reset();
  if (!drawing) return drawing.error();
  return graphics.window ? show_viewer(options, graphics, viewer, **drawing)
                         : write_pictures(options, viewer, **drawing);
}

Status load(const ViewOptions& options, ProgressLine& line, std::vector<Model>& models) {
  auto loaded = load_models(options, line);
  if (!loaded) return loaded.error();
  models = std::move(*loaded);
  line.rename("preparing to draw");
  return {};
}

/// Draws the scene without characters until `loading` is done. False: the window was closed.
Result<bool> show_empty_scene(const ViewOptions& options, const ProgressLine& line, const std::future<Status>& loading,
                              GraphicsContext& graphics) {
  if (!graphics.window) return true;
  const Model stand_in = make_stand_in();
  Viewer viewer({stand_in});
  const ViewDrawing::Info info = drawing_info(options, graphics);
  set_free_aspect(info.width, info.height, info.scale, viewer);
  set_camera(options, viewer);
  DrawOptions draw;
  draw.passes = ViewDrawing::kPasses;
  return show_loading(graphics, {viewer.models(), viewer.scene(), viewer.camera, draw, info.samples, info.scale}, line,
                      loading);
}

}  // namespace

Status run_view(const ViewOptions& options) {
  if (Status writable = check_writable(options.outputs()); !writable) return writable;
  if (Status writable = check_movie_writable(options.record); !writable) return writable;
  std::optional<ProgressLine> line("starting");
  std::vector<Model> models;
  auto loading = std::async(std::launch::async, [&] { return load(options, *line, models); });
  GraphicsContext graphics;
  Status ready = set_up_graphics(options, graphics);
  std::optional<KeptPipelines> pipelines;
  if (ready) pipelines.emplace(graphics.device);
  const auto goes_on = ready ? show_empty_scene(options, *line, loading, graphics) : ready.error();
  if (Status loaded = loading.get(); !loaded) return loaded;
  line->hide();
  Viewer viewer(std::move(models));
  if (Status set = set_viewer(options, viewer); !set) return set;
  if (!goes_on) return goes_on.error();
  if (!*goes_on) return {};
  note_missing(options, graphics.device.info, viewer.models());
  Status shown = show(options, graphics, viewer, line);
  if (!shown || !options.validate) return shown;
  if (Status checked = check_messages(graphics); !checked) return checked;
  return print("0 validation messages\n");
}

}  // namespace sinew::app
