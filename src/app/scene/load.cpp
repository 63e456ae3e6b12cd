#include "scene/load.h"

#include <cstdio>
#include <utility>

#include "scene/retarget_clips.h"

namespace sinew::app {

std::vector<std::string> input_files(const std::string& model, const LoadOptions& options) {
  std::vector<std::string> files = options.import.animation_files;
  files.push_back(model);
  return files;
}

namespace {

/// Prints a line for each line of an import's log, at once: other models may be loaded at the same time.
void print_log(const std::string& log) {
  std::string lines;
  for (size_t begin = 0; begin < log.size();) {
    const size_t end = log.find('\n', begin);
    lines += "Import worker: " + log.substr(begin, end - begin) + "\n";
    begin = end == log.npos ? end : end + 1;
  }
  std::fputs(lines.c_str(), stderr);
}

Result<CharacterFile> load_isolated(const std::string& path, const LoadOptions& options) {
  std::string log;
  IsolationOptions isolation = options.isolation;
  if (options.verbose) isolation.log = &log;
  Result<CharacterFile> file = import_isolated(path, options.import, isolation);
  print_log(log);
  return file;
}

Result<CharacterFile> load_as_is(const std::string& path, const LoadOptions& options) {
  const ImportOptions& import = options.import;
  if (is_character_file(path) && import.animation_files.empty() && import.max_influences == 0 && !import.tangents) {
    return load_character_file(path);
  }
  if (options.isolated) return load_isolated(path, options);
  ImportReport report;
  Result<Character> character = load_character(path, import, &report);
  if (!character) return character.error();
  return CharacterFile{std::move(*character), {}, std::move(report)};
}

Result<CharacterFile> load_and_retarget(const std::string& path, LoadOptions options) {
  const std::vector<std::string> animations = std::exchange(options.import.animation_files, {});
  options.isolation.bake.reset();
  Result<CharacterFile> file = load_as_is(path, options);
  if (!file) return file;
  options.import = {};
  options.import.allow_no_mesh = true;
  for (const std::string& from : animations) {
    const Result<CharacterFile> animation = load_as_is(from, options);
    if (!animation) return animation.error();
    if (Status added = add_retargeted_clips(*animation, from, *file); !added) return added.error();
  }
  return file;
}

}  // namespace

Result<CharacterFile> load_file(const std::string& path, const LoadOptions& options) {
  const bool retargets = options.retarget && !options.import.animation_files.empty();
  Result<CharacterFile> file = retargets ? load_and_retarget(path, options) : load_as_is(path, options);
  if (!file || !options.blend || file->character.mesh.blend == *options.blend) return file;
  file->character.mesh.blend = *options.blend;
  for (ModelLevel& level : file->levels) level.mesh.blend = *options.blend;
  file->bounds.reset();  // they are of the other way of blending
  return file;
}

}  // namespace sinew::app
