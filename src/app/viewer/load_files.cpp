#include "viewer/load_files.h"

#include <algorithm>
#include <utility>

#include "sinew/runtime/thread_pool.h"
#include "system/text.h"

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

}  // namespace sinew::app
