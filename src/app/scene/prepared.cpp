#include "scene/prepared.h"

#include <utility>

#include "asset/file.h"
#include "sinew/asset/character_file.h"
#include "sinew/version.h"
#include "system/cache.h"
#include "system/paths.h"

namespace sinew::app {
namespace {

/// Whether a file is made as prepare() makes it. Verbose imports say what their process does.
bool is_plain(const LoadOptions& options) {
  const ImportOptions& import = options.import;
  return !options.retarget && !options.blend && !options.verbose && import.max_influences == 0 && !import.tangents;
}

constexpr size_t kMaxFiles = 64;

std::string name_of(const std::string& key) { return "levels-" + key + ".sinew"; }

/// The model as it is hashed and kept.
CharacterFile file_of(const Model& model) {
  CharacterFile file;
  file.character = model.character;
  file.levels = model.levels;
  file.sockets = model.sockets, file.masks = model.masks;
  return file;
}

}  // namespace

std::string prepared_name(const std::string& path, const LoadOptions& options) {
  ContentHash hash;
  hash.add(SINEW_VERSION_STRING);
  hash.add(kLevelsVersion);
  hash.add(uint64_t(kCharacterFileVersion));
  for (const std::string& input : input_files(path, options)) {
    const auto file = internal::read_file(input);
    if (!file) return {};
    hash.add(file->bytes());
  }
  const char* more = options.import.animation_files.empty() ? "-" : "_clips-";
  return stem_of(path) + more + hash.digits() + ".sinew";
}

Result<CharacterFile> prepare(const std::string& path, const LoadOptions& options, const ParallelFor& parallel_for) {
  auto loaded = load_model(path, options);
  if (!loaded) return loaded.error();
  if (Status completed = complete(*loaded, {.parallel_for = parallel_for}); !completed) return completed.error();
  return take_file(*loaded);
}

std::optional<CharacterFile> read_prepared(const std::filesystem::path& program, const std::string& path,
                                           const LoadOptions& options) {
  if (program.empty() || !is_plain(options) || is_cache_off()) return {};
  const std::string name = prepared_name(path, options);
  if (name.empty()) return {};
  for (const std::filesystem::path& place :
       {program / "prepared", program / "share/sinew/prepared", program.parent_path() / "share/sinew/prepared"}) {
    auto file = load_character_file(utf8_of(place / path_of(name)));
    if (file) return std::move(*file);
  }
  return {};
}

std::string levels_key(const Model& model) {
  CharacterFile file = file_of(model);
  file.levels.clear();
  const auto bytes = encode_character(file);
  if (!bytes) return {};
  ContentHash hash;
  hash.add(kLevelsVersion);
  hash.add(*bytes);
  const BakeOptions& options = model.baked.options;
  hash.add(std::as_bytes(std::span(&options, 1)));
  return hash.digits();
}

bool read_levels(const std::string& key, Model& model) {
  const std::filesystem::path path = key.empty() ? std::filesystem::path() : cache_path(name_of(key));
  if (path.empty()) return false;
  auto file = load_character_file(utf8_of(path));
  if (!file || file->character.materials.size() < model.character.materials.size()) return false;
  for (size_t i = model.character.materials.size(); i < file->character.materials.size(); ++i)
    model.character.materials.push_back(file->character.materials[i]);
  model.levels = std::move(file->levels);
  return true;
}

void keep_levels(const std::string& key, const Model& model) {
  const std::filesystem::path path = key.empty() ? std::filesystem::path() : cache_path(name_of(key));
  if (path.empty()) return;
  CharacterFile file = file_of(model);
  for (Image& image : file.character.images) image.width = image.height = 1, image.rgba = {255, 255, 255, 255};
  if (write_character_file(utf8_of(path), file)) remove_oldest(path.parent_path(), "levels", kMaxFiles);
}

}  // namespace sinew::app
