#include "commands/view_run.h"

#include <cmath>
#include <cstdio>

#include "report/png_folder.h"
#include "system/print.h"
#include "system/text.h"
#include "view/find_names.h"

namespace sinew::app {
namespace {

/// Levels of detail take some time to make: in a window they can be chosen at any moment.
bool needs_levels(const ViewOptions& options) {
  return options.opens_window() || options.shown.level > 0 || options.shown.colors == DataColors::kLevel;
}

Result<std::vector<Model>> load_models(const ViewOptions& options) {
  ModelOptions model_options;
  model_options.changes_clips = model_options.tinted = false;
  model_options.order = VertexOrder::kOfFile;
  std::vector<Model> models;
  for (const std::string& file : options.files) {
    auto model = load_model(file, options.load, model_options);
    if (!model) return model.error();
    if (Status distinct = check_distinct(options.outputs(), image_files(model->character, file)); !distinct)
      return distinct.error();
    if (needs_levels(options)) {
      if (Status added = add_levels(*model); !added) return added.error();
    }
    models.push_back(std::move(*model));
  }
  return models;
}

/// A line on standard error, for people.
void note(const std::string& line) { std::fprintf(stderr, "sinew: %s\n", printable(line).c_str()); }

Status set_clip(const ViewOptions& options, const Character& character, Playing& playing) {
  if (!options.clip) return {};
  auto clip = find_clip_by_name(std::span(character.clips).first(playing.clip_count()), *options.clip);
  if (!clip) return clip.error();
  return playing.choose(*clip, 0);
}

Status set_layers(const ViewOptions& options, const Character& character, Playing& playing) {
  std::vector<ViewLayer> layers;  // all names are looked up before clips are derived
  for (const LayerOption& option : options.layers) {
    auto layer = resolve_layer(option, character);
    if (!layer) return layer.error();
    layers.push_back(*layer);
  }
  for (const ViewLayer& layer : layers) {
    if (Status added = playing.add_layer(layer); !added) return added;
  }
  return {};
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

Status set_joint(const ViewOptions& options, const Skeleton& skeleton, Shown& shown) {
  if (!options.joint) return {};
  auto joint = find_joint_by_name(skeleton, *options.joint);
  if (!joint) return joint.error();
  shown.selected_joint = int32_t(*joint);
  return {};
}

Status set_playing(const ViewOptions& options, const Model& model, Playing& playing) {
  if (Status set = set_clip(options, model.character, playing); !set) return set;
  if (Status set = set_layers(options, model.character, playing); !set) return set;
  if (Status set = playing.set_root_motion(options.root_motion); !set) return set;
  set_time(options, model, playing);
  return {};
}

/// The viewer as the options have it.
Status set_viewer(const ViewOptions& options, Viewer& viewer) {
  const auto with_file = [](const Model& model, const Error& error) {
    return Error{error.code, model.name + ": " + error.message};
  };
  viewer.shown = options.shown;
  viewer.crowd_evaluator = options.crowd_evaluator;
  for (uint32_t i = 0; i < viewer.models().size(); ++i) {
    const Model& model = viewer.models()[i];
    if (Status set = set_playing(options, model, viewer.playing(i)); !set) return with_file(model, set.error());
  }
  const Model& first = viewer.model();
  if (Status set = set_joint(options, first.character.skeleton, viewer.shown); !set)
    return with_file(first, set.error());
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

Status check_outputs(const ViewOptions& options) {
  if (!names_folder(options.record)) return check_writable(options.outputs());
  const OutputFile screenshot{"--screenshot", options.screenshot};
  if (Status writable = check_writable({&screenshot, 1}); !writable) return writable;
  return check_folder_writable(options.record);
}

}  // namespace

Status run_view(const ViewOptions& options) {
  if (Status writable = check_outputs(options); !writable) return writable;
  auto models = load_models(options);
  if (!models) return models.error();
  Viewer viewer(std::move(*models));
  if (Status set = set_viewer(options, viewer); !set) return set;
  GraphicsContext graphics;
  if (Status ready = set_up_graphics(options, graphics); !ready) return ready;
  note_missing(options, graphics.device.info, viewer.models());
  Status shown =
      options.opens_window() ? show_viewer(options, graphics, viewer) : write_pictures(options, graphics, viewer);
  if (!shown || !options.validate) return shown;
  if (Status checked = check_messages(graphics); !checked) return checked;
  return print("0 validation messages\n");
}

}  // namespace sinew::app
