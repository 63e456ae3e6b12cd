#include "scene/level_cache.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "sinew/asset/character_file.h"

namespace sinew::app {
namespace {

constexpr uint64_t kLevelsVersion = 5;  // to be raised when make_levels() makes others of the same character
constexpr size_t kMaxFiles = 64;

std::filesystem::path cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != 0)
    return std::filesystem::path(cache) / "sinew";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != 0)
    return std::filesystem::path(home) / ".cache" / "sinew";
  return {};
}

std::filesystem::path path_of(const std::string& key) {
  const std::filesystem::path folder = cache_folder();
  return folder.empty() ? folder : folder / ("levels-" + key + ".sinew");
}

/// Two sums over words, multiplied by odd numbers.
struct Hash {
  uint64_t a = 0x9e3779b97f4a7c15, b = 0xbf58476d1ce4e5b9;

  void add(uint64_t word) {
    a = (a ^ word) * 0x9fb21c651e98df25, b = (b + word) * 0xc2b2ae3d27d4eb4f;
    a ^= a >> 32, b ^= b >> 29;
  }
  void add(std::span<const std::byte> bytes) {
    add(bytes.size());
    for (size_t i = 0; i < bytes.size(); i += 8) {
      uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i, std::min<size_t>(8, bytes.size() - i));
      add(word);
    }
  }
};

/// The model as it is hashed and kept.
CharacterFile file_of(const Model& model) {
  CharacterFile file;
  file.character = model.character;
  file.levels = model.levels;
  file.sockets = model.sockets, file.masks = model.masks;
  return file;
}

void remove_oldest(const std::filesystem::path& folder) {
  std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> files;
  std::error_code error;
  for (std::filesystem::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    if (i->path().filename().string().starts_with("levels-")) files.emplace_back(i->last_write_time(error), i->path());
  }
  std::sort(files.begin(), files.end());
  for (size_t i = 0; i + kMaxFiles < files.size(); ++i) std::filesystem::remove(files[i].second, error);
}

}  // namespace

std::string levels_key(const Model& model) {
  CharacterFile file = file_of(model);
  file.levels.clear();
  const auto bytes = encode_character(file);
  if (!bytes) return {};
  Hash hash;
  hash.add(kLevelsVersion);
  hash.add(*bytes);
  const BakeOptions& options = model.baked.options;
  hash.add(std::as_bytes(std::span(&options, 1)));
  char text[40];
  std::snprintf(text, sizeof(text), "%016llx%016llx", static_cast<unsigned long long>(hash.a),
                static_cast<unsigned long long>(hash.b));
  return text;
}

bool read_levels(const std::string& key, Model& model) {
  std::error_code error;
  const std::filesystem::path path = path_of(key);
  if (key.empty() || path.empty() || !std::filesystem::exists(path, error)) return false;
  auto file = load_character_file(path.string());
  if (!file || file->character.materials.size() < model.character.materials.size()) return false;
  for (size_t i = model.character.materials.size(); i < file->character.materials.size(); ++i)
    model.character.materials.push_back(file->character.materials[i]);
  model.levels = std::move(file->levels);
  return true;
}

void keep_levels(const std::string& key, const Model& model) {
  const std::filesystem::path path = path_of(key);
  if (key.empty() || path.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  CharacterFile file = file_of(model);
  for (Image& image : file.character.images) image.width = image.height = 1, image.rgba = {255, 255, 255, 255};
  if (write_character_file(path.string(), file)) remove_oldest(path.parent_path());
}

}  // namespace sinew::app
