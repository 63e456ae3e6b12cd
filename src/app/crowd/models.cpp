#include "crowd/models.h"

#include <algorithm>
#include <utility>

#include "host/put.h"
#include "scene/baking.h"
#include "scene/names.h"
#include "scene/prepared.h"
#include "scene/scenes/scenes.h"
#include "scene/wardrobe.h"
#include "sinew/runtime/thread_pool.h"
#include "system/output.h"
#include "system/paths.h"
#include "system/text.h"

namespace sinew::app {
namespace {

Result<ModelOptions> model_options(const CrowdOptions& options, const std::string& path, const SceneKind& scene,
                                   const Character& character) {
  ModelOptions model;
  model.changes_clips = options.change_clips;
  if (options.files.size() > 1 && !options.fit) model.sizing = Sizing::kItsOwn;
  model.tinted = options.tint.value_or(scene.tints_armed || !is_armed_look(path));
  if (options.clips.empty()) return model;
  Status found = host::put(find_named_clips(path, character.clips, options.clips), model.clips);
  if (!found) return found.error();
  return model;
}

Result<std::vector<std::string>> model_files(const CrowdOptions& options, const SceneKind& scene) {
  if (!options.files.empty()) return options.files;
  auto builtin = find_builtin_character();
  if (!builtin) return builtin.error();
  std::vector<std::string> files = {std::move(*builtin)};
  for (std::string& look : find_builtin_looks()) {
    if (has_word(stem_of(look), scene.looks)) files.push_back(std::move(look));
  }
  return files;
}

/// Our own characters have more clips in a scene that wants several looks. Those clips open hands that hold a weapon.
LoadOptions load_options(const CrowdOptions& options, const SceneKind& scene, const std::string& path) {
  LoadOptions load = options.load;
  if (options.evaluator == EvaluatorKind::kCrowd) load.isolation.bake.emplace();
  const bool has_more = options.files.empty() && !scene.looks.empty() && !is_armed_look(path);
  const auto clips = has_more ? find_builtin_clips() : std::nullopt;
  if (clips) load.import.animation_files.push_back(*clips);
  return load;
}

/// A window can turn them on.
bool wants_levels(const CrowdOptions& options) { return options.optimizations.levels || options.window; }

/// Removes the coarsest levels.
void keep_finest(uint32_t level_count, Model& model) {
  if (level_count >= model.level_count()) return;
  model.levels.resize(level_count - 1);
  for (Wearable& wearable : model.wearables) wearable.meshes.resize(level_count);
}

/// The crowd evaluator gets the whole model, as a host does; the exact one needs no bake.
Status make_whole(const CrowdOptions& options, const ParallelFor& parallel_for, Model& model) {
  if (options.evaluator == EvaluatorKind::kExact) return add_levels(model, parallel_for);
  const Status completed = complete(model, {.parallel_for = parallel_for});
  return completed ? completed : Status(with_hint(completed.error()));
}

/// Loads a file. An isolated import also bakes it for the crowd evaluator.
Result<Model> load_one(const CrowdOptions& options, const SceneKind& scene, const std::string& path,
                       const std::string& which, ProgressLine& line) {
  TimedBake bake{[&](double share) {
    if (!bake.watch) line.rename("baking " + which);
    line.show(share);
  }};
  LoadOptions load = load_options(options, scene, path);
  load.isolation.progress = bake.progress();
  // Clips that are named or never change need no mask of an arm, which the levels of a prepared file have.
  const bool plain = options.clips.empty() && options.change_clips;
  auto ready = plain ? read_prepared(program_path().parent_path(), path, load) : std::nullopt;
  if (ready && !wants_levels(options)) ready->levels.clear();
  auto file = ready ? Result<CharacterFile>(std::move(*ready)) : load_file(path, load);
  if (!file) return bake.watch ? with_hint(file.error()) : file.error();
  const auto chosen = model_options(options, path, scene, file->character);
  if (!chosen) return chosen.error();
  auto model = make_model(path, std::move(*file), *chosen);
  if (!model) return model;
  model->bake_ms = bake.ms;
  // The plain crowd plays any clips that are named.
  if (scene.choose_clips && (options.clips.empty() || scene.name != "crowd")) scene.choose_clips(*model);
  return model;
}

/// The error of one name in the clips of all models.
Error not_found(std::span<const Model> models, const std::string& name) {
  std::vector<Clip> all;  // their names only
  for (const Model& model : models) {
    for (const Clip& clip : model.character.clips) all.emplace_back().name = clip.name;
  }
  const auto found = find_clip_by_name(all, name);  // found: a number larger than that of any file's last clip
  const std::string why = found ? "no clip \"" + name + "\"" : found.error().message;
  const std::string where = models.size() > 1 ? text("none of %zu files: ", models.size()) : models.front().name + ": ";
  return {ErrorCode::kNotFound, where + why};
}

}  // namespace

Result<std::vector<uint32_t>> find_named_clips(const std::string& file, std::span<const Clip> clips,
                                               std::span<const std::string> names) {
  std::vector<uint32_t> chosen;
  for (const std::string& name : names) {
    const auto clip = find_clip_by_name(clips, name);
    if (!clip && names.size() == 1) return Error{clip.error().code, file + ": " + clip.error().message};
    if (!clip) continue;
    if (clips[*clip].additive) {
      return Error{ErrorCode::kInvalidArgument,
                   file + ": clip \"" + printable(clips[*clip].name) +
                       "\" is additive: it only adds to others, so a crowd cannot play it"};
    }
    chosen.push_back(*clip);
  }
  if (chosen.empty()) {
    return Error{ErrorCode::kNotFound, file + text(": has none of %zu named clips; ", names.size()) +
                                           find_clip_by_name(clips, names.front()).error().message};
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

Status check_names(std::span<const Model> models, std::span<const std::string> names) {
  for (const std::string& name : names) {
    const auto has_it = [&](const Model& model) { return bool(find_clip_by_name(model.character.clips, name)); };
    if (std::none_of(models.begin(), models.end(), has_it)) return not_found(models, name);
  }
  return {};
}

Result<std::vector<Model>> load_models(const CrowdOptions& options, ProgressLine* shown) {
  std::optional<ProgressLine> own;
  ProgressLine& line = shown ? *shown : own.emplace("loading");
  const SceneKind* scene = find_scene(options.scene);
  if (!scene) return Error{ErrorCode::kNotFound, "no scene '" + printable(options.scene) + "'"};
  const auto files = model_files(options, *scene);
  if (!files) return files.error();
  std::vector<Model> models;
  sinew::ThreadPool pool;
  for (const std::string& path : *files) {
    const std::string name = printable(stem_of(path));
    const std::string which =
        files->size() > 1 ? text("%s, %zu of %zu", name.c_str(), models.size() + 1, files->size()) : name;
    line.rename("reading " + which);
    auto model = load_one(options, *scene, path, which, line);
    if (!model) return model.error();
    if (Status distinct = check_distinct(options.outputs(), image_files(model->character, path)); !distinct)
      return distinct.error();
    if (wants_levels(options)) {
      if (model->levels.empty()) line.rename("making levels of detail of " + which);
      if (Status made = make_whole(options, pool.parallel_for(), *model); !made) return made.error();
      if (options.levels) keep_finest(*options.levels, *model);
    }
    if (scene->dressed && !is_armed_look(path)) {
      if (Status filled = fill_wardrobe(*model); !filled) return filled.error();
    }
    models.push_back(std::move(*model));
  }
  if (Status found = check_names(models, options.clips); !found) return found.error();
  return models;
}

std::string names_of(std::span<const Model> models) { return joined(models, "+", &Model::name); }

}  // namespace sinew::app
