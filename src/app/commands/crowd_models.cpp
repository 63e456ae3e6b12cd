#include "commands/crowd_models.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "scene/baking.h"
#include "system/outputs.h"
#include "system/progress.h"
#include "system/text.h"
#include "view/find_names.h"

namespace sinew::app {
namespace {

Result<ModelOptions> model_options(const CrowdOptions& options, const std::string& path, const Character& character) {
  ModelOptions model;
  model.changes_clips = options.change_clips;
  model.tinted = options.tint.value_or(is_builtin_character(path));
  if (options.clips.empty()) return model;
  auto clips = find_named_clips(path, character.clips, options.clips);
  if (!clips) return clips.error();
  model.clips = std::move(*clips);
  return model;
}

/// Loads a file. An isolated import also bakes it for the crowd evaluator.
Result<Model> load_one(const CrowdOptions& options, const std::string& path, const std::string& which,
                       ProgressLine& line) {
  IsolatedBake bake(which, line);
  LoadOptions load = options.load;
  if (options.evaluator == EvaluatorKind::kCrowd) load.isolation.bake.emplace();
  load.isolation.progress = bake.progress();
  auto file = load_file(path, load);
  if (!file) return bake.began() ? with_hint(file.error()) : file.error();
  const auto chosen = model_options(options, path, file->character);
  if (!chosen) return chosen.error();
  auto model = make_model(path, std::move(*file), *chosen);
  if (model) model->isolated_bake_ms = bake.elapsed_ms();
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

Result<std::vector<Model>> load_models(const CrowdOptions& options) {
  std::vector<std::string> files = options.files;
  if (files.empty()) {
    auto builtin = find_builtin_character();
    if (!builtin) return builtin.error();
    files.push_back(*builtin);
  }
  std::vector<Model> models;
  ProgressLine line("baking");  // one for all files
  for (const std::string& file : files) {
    const std::string name = printable(std::filesystem::path(file).stem().string());
    const std::string which = text("%s, %zu of %zu", name.c_str(), models.size() + 1, files.size());
    auto model = load_one(options, file, which, line);
    if (!model) return model.error();
    if (Status distinct = check_distinct(options.outputs(), image_files(model->character, file)); !distinct)
      return distinct.error();
    if (options.optimizations.levels || options.window) {  // a window can turn them on
      if (Status added = add_levels(*model); !added) return added.error();
    }
    models.push_back(std::move(*model));
  }
  if (Status found = check_names(models, options.clips); !found) return found.error();
  return models;
}

std::string names_of(std::span<const Model> models) {
  std::string names;
  for (const Model& model : models) names += (names.empty() ? "" : "+") + model.name;
  return names;
}

}  // namespace sinew::app
