#include "scene/load.h"

namespace sinew::app {

std::vector<std::string> input_files(const std::string& model, const LoadOptions& options) {
  std::vector<std::string> files = options.import.animation_files;
  files.push_back(model);
  return files;
}

namespace {

Result<CharacterFile> load_as_is(const std::string& path, const LoadOptions& options) {
  const ImportOptions& import = options.import;
  if (is_character_file(path) && import.animation_files.empty() && import.max_influences == 0 && !import.tangents) {
    return load_character_file(path);
  }
  if (options.isolated) return import_isolated(path, import, options.isolation);
  ImportReport report;
  Result<Character> character = load_character(path, import, &report);
  if (!character) return character.error();
  return CharacterFile{std::move(*character), {}, std::move(report)};
}

}  // namespace

Result<CharacterFile> load_file(const std::string& path, const LoadOptions& options) {
  Result<CharacterFile> file = load_as_is(path, options);
  if (file && options.blend) file->character.mesh.blend = *options.blend;
  return file;
}

}  // namespace sinew::app
