#include "commands/view_run.h"

#include <cmath>
#include <cstdio>

#include "commands/view_pictures.h"
#include "commands/view_window.h"
#include "gpu/host.h"
#include "report/png_folder.h"
#include "scene/load.h"
#include "system/print.h"
#include "system/text.h"
#include "view/find_names.h"
#include "view/viewer.h"

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

Error with_file(const Model& model, const Error& error) { return {error.code, model.name + ": " + error.message}; }

/// A line on standard error, for people.
void note(const std::string& line) { std::fprintf(stderr, "sinew: %s\n", printable(line).c_str()); }

Status set_clip(const ViewOptions& options, const Model& model, Playing& playing) {
  if (model.character.clips.empty() && !options.clip) {
    if (options.time_seconds) note(model.name + ": has no clips; it is shown in the rest pose");
    return {};
  }
  if (options.clip) {
    const std::span clips = std::span(model.character.clips).first(playing.clip_count());
    auto clip = find_clip_by_name(clips, *options.clip);
    if (!clip) return with_file(model, clip.error());
    if (Status chosen = playing.choose(*clip, 0); !chosen) return with_file(model, chosen.error());
  }
  return {};
}

Status set_layers(const ViewOptions& options, const Model& model, Playing& playing) {
  std::vector<ViewLayer> layers;  // all names are looked up before clips are derived
  for (const LayerWords& words : options.layers) {
    auto layer = resolve_layer(words, model.character);
    if (!layer) return with_file(model, layer.error());
    layers.push_back(*layer);
  }
  for (const ViewLayer& layer : layers) {
    if (Status added = playing.add_layer(layer); !added) return with_file(model, added.error());
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
  if (!options.time_seconds || !playing.clip()) return;
  seek(line, float(*options.time_seconds));
  const float shown = clip_seconds(line);
  if (std::abs(*options.time_seconds - shown) > 1e-6 * std::max(1.0, std::abs(*options.time_seconds))) {
    note(text("%s: --time %g is outside clip \"%s\", %g to %g s; %g s is shown", model.name.c_str(),
              *options.time_seconds, model.character.clips[*playing.clip()].name.c_str(), line.clip_start_seconds,
              line.clip_end_seconds, shown));
  }
}

Status set_playing(const ViewOptions& options, Viewer& viewer, uint32_t index) {
  const Model& model = viewer.models()[index];
  Playing& playing = viewer.playing(index);
  if (Status set = set_clip(options, model, playing); !set) return set;
  if (Status set = set_layers(options, model, playing); !set) return set;
  if (Status set = playing.set_root_motion(options.root_motion); !set) return with_file(model, set.error());
  set_time(options, model, playing);
  return {};
}

Status set_joint(const ViewOptions& options, Viewer& viewer) {
  if (!options.joint) return {};
  auto joint = find_joint_by_name(viewer.model().character.skeleton, *options.joint);
  if (!joint) return with_file(viewer.model(), joint.error());
  viewer.shown.selected_joint = int32_t(*joint);
  return {};
}

GraphicsOptions graphics_options(const ViewOptions& options) {
  GraphicsOptions graphics{options.device, options.validate};
  if (options.opens_window()) graphics.title = "sinew view";
  graphics.width = options.width, graphics.height = options.height;
  return graphics;
}

Error with_hint(const Error& error, const ViewOptions& options) {
  if (!options.opens_window() || error.code != ErrorCode::kUnsupported) return error;
  return {error.code, error.message + " (without a window: sinew view FILE --screenshot F.png)"};
}

/// What is asked for and cannot be shown.
void note_missing(const ViewOptions& options, const GraphicsContext& graphics, const Viewer& viewer) {
  if (options.shown.wireframe && !graphics.device.info.wireframe)
    note("--show wireframe: " + graphics.device.info.name +
         " draws no lines in place of triangles; surfaces are shown");
  for (const Model& model : viewer.models()) {
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
  viewer.shown = options.shown;
  for (uint32_t i = 0; i < viewer.models().size(); ++i) {
    if (Status set = set_playing(options, viewer, i); !set) return set;
  }
  if (Status set = set_joint(options, viewer); !set) return set;
  viewer.update();
  GraphicsContext graphics;
  if (Status ready = set_up(graphics_options(options), graphics); !ready) return with_hint(ready.error(), options);
  note_missing(options, graphics, viewer);
  Status shown =
      options.opens_window() ? show_viewer(options, graphics, viewer) : write_pictures(options, graphics, viewer);
  if (!shown || !options.validate) return shown;
  if (Status checked = check_messages(graphics); !checked) return checked;
  return print("0 validation messages\n");
}

}  // namespace sinew::app
