#include "scene/level_cache.h"

#include <filesystem>
#include <utility>

#include "sinew/asset/character_file.h"
#include "system/cache.h"

namespace sinew::app {
namespace {

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
  auto file = load_character_file(path.string());
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
  if (write_character_file(path.string(), file)) remove_oldest(path.parent_path(), "levels", kMaxFiles);
}

}  // namespace sinew::app
