#include "viewer/opened_files.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "asset/one_line.h"
#include "scene/names.h"
#include "scene/scene.h"
#include "sinew/runtime/thread_pool.h"
#include "system/paths.h"
#include "system/text.h"
#include "viewer/panels.h"

namespace sinew::app {
namespace {

struct ReadFile {
  std::string path;
  CharacterFile file;

  bool has_mesh() const { return !file.character.mesh.indices.empty(); }
};

/// Levels of detail take some time to make: in a window they can be chosen at any moment.
bool needs_levels(const ViewOptions& options) {
  return options.opens_window() || options.shown.level > 0 || options.shown.colors == DataColors::kLevel;
}

Result<std::vector<ReadFile>> read_files(const std::vector<std::string>& paths, const LoadOptions& load,
                                         ProgressLine& line) {
  std::vector<ReadFile> read;
  for (const std::string& path : paths) {
    line.rename("reading " + printable(path));
    auto file = load_file(path, load);
    if (!file) return file.error();
    read.push_back({path, std::move(*file)});
  }
  return read;
}

/// The same, also of files without a mesh. A single one is shown by itself if it can be, as a motion's joints are.
Result<std::vector<ReadFile>> read_all_kinds(const std::vector<std::string>& paths, LoadOptions load,
                                             ProgressLine& line) {
  if (paths.size() > 1) return load.import.allow_no_mesh = true, read_files(paths, load, line);
  auto alone = read_files(paths, load, line);
  if (alone) return alone;
  load.import.allow_no_mesh = true;
  auto clips = read_files(paths, load, line);
  return clips ? std::move(clips) : std::move(alone);
}

/// Moves files without a mesh from `options.files` to the animation files. Returns what was read of the others, or
/// nothing where they have to be read again: with these clips, or because none has a mesh.
Result<std::vector<ReadFile>> sort_files(ViewOptions& options, const ViewOptions* present, ProgressLine& line) {
  if (options.files.size() == 1 && !present) return std::vector<ReadFile>();
  auto read = read_all_kinds(options.files, options.load, line);
  if (!read) return read;
  std::vector<std::string> clips, characters;
  for (const ReadFile& each : *read) (each.has_mesh() ? characters : clips).push_back(each.path);
  if (clips.empty()) return read;
  read->clear();
  if (characters.empty() && !present) return read;
  if (characters.empty()) options = options_for(*present, present->files), options.load = present->load;
  if (!characters.empty()) options.files = std::move(characters);
  std::vector<std::string>& animations = options.load.import.animation_files;
  animations.insert(animations.end(), clips.begin(), clips.end());
  return read;
}

Result<Model> make_view_model(const ViewOptions& options, ReadFile read) {
  ModelOptions model_options;
  model_options.changes_clips = model_options.tinted = false;
  model_options.order = VertexOrder::kOfFile;
  auto model = make_model(read.path, std::move(read.file), model_options);
  if (!model) return model;
  if (Status distinct = check_distinct(options.outputs(), image_files(model->character, read.path)); !distinct)
    return distinct.error();
  return model;
}

constexpr size_t kTitleBytes = 80;  // of the names in a title

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

/// What is asked for and cannot be shown.
void note_missing(const ViewOptions& options, const DeviceInfo& device, std::span<const Model> models) {
  if (options.shown.wireframe && !device.wireframe)
    note("--show wireframe: " + device.name + " draws no lines in place of triangles; surfaces are shown");
  for (const Model& model : models) {
    if (options.shown.tangents && model.character.mesh.tangents.empty())
      note(model.name + ": has no tangents; --tangents computes them");
  }
}

void set_camera(const ViewOptions& options, Viewer& viewer) {
  viewer.camera = frame_scene(viewer.scene(), viewer.free_aspect);
  if (viewer.shown.own_size) viewer.set_own_size(true);
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
  if (!window) return {options.width, options.height, options.samples.value_or(4)};
  const uint32_t samples = options.samples.value_or(graphics.device.info.is_cpu() ? 1 : 4);
  return {std::max(window->width(), 1u), std::max(window->height(), 1u), samples};
}

}  // namespace

FileLoading::FileLoading(ViewOptions options, const ViewOptions* present)
    : options_(std::move(options)),
      present_(present ? std::make_unique<const ViewOptions>(*present) : nullptr),
      line_("starting"),
      work_(std::async(std::launch::async, [this] { return load(); })) {}

Status FileLoading::load() {
  auto read = sort_files(options_, present_.get(), line_);
  if (read && read->empty()) read = read_files(options_.files, options_.load, line_);
  if (!read) return read.error();
  sinew::ThreadPool pool;
  for (ReadFile& each : *read) {
    auto model = make_view_model(options_, std::move(each));
    if (!model) return model.error();
    if (needs_levels(options_)) {
      line_.rename("making levels of detail of " + printable(model->name));
      if (Status added = add_levels(*model, pool.parallel_for()); !added) return added;
    }
    models_.push_back(std::move(*model));
  }
  line_.rename("preparing to draw");
  return {};
}

Result<std::vector<Model>> FileLoading::take() {
  if (Status loaded = work_.get(); !loaded) return loaded.error();
  return std::move(models_);
}

ViewOptions options_for(ViewOptions options, std::vector<std::string> files) {
  options.files = std::move(files);
  options.load.import.animation_files.clear();
  options.clip.reset(), options.time_seconds.reset(), options.joint.reset();
  options.layers.clear();
  options.moved_camera = {};
  options.zoom = 1;
  return options;
}

Result<std::unique_ptr<OpenedFiles>> take_files(FileLoading& loading) {
  auto models = loading.take();
  if (!models) return models.error();
  loading.line().hide();  // notes are printed
  auto opened = std::make_unique<OpenedFiles>(loading.options(), std::move(*models));
  if (Status set = set_viewer(opened->options, opened->viewer); !set) return set.error();
  for (const std::string& file : opened->options.files) {
    if (!is_builtin_character(file)) opened->viewer.files.push_back(file);
  }
  return opened;
}

std::unique_ptr<OpenedFiles> no_files(const ViewOptions& options) {
  std::vector<Model> models;
  models.push_back(make_stand_in());
  auto opened = std::make_unique<OpenedFiles>(options_for(options, {}), std::move(models));
  opened->options.moved_camera = options.moved_camera, opened->options.zoom = options.zoom;
  opened->options.shown = {};
  return opened;
}

Status prepare_drawing(GraphicsContext& graphics, Interface& interface, OpenedFiles& opened) {
  const ViewDrawing::Info info = drawing_info(opened.options, graphics);
  note_missing(opened.options, graphics.device.info, opened.viewer.models());
  set_free_aspect(info.width, info.height, interface.scale(), opened.viewer);
  set_camera(opened.options, opened.viewer);
  return put(ViewDrawing::create(graphics, interface, opened.viewer, info), opened.drawing);
}

float interface_scale(const ViewOptions& options, const GraphicsContext& graphics) {
  return options.scale.value_or(graphics.window ? graphics.window->scale() : 1);
}

std::string window_title(std::span<const std::string> files) {
  std::string names =
      joined(files, ", ", [](const std::string& file) { return printable(utf8_of(path_of(file).filename())); });
  if (names.size() > kTitleBytes) names = std::string(internal::whole_characters(names, kTitleBytes)) + "...";
  return names + " - Sinew";
}

void note(const std::string& line) { std::fprintf(stderr, "sinew: %s\n", printable(line).c_str()); }

}  // namespace sinew::app
