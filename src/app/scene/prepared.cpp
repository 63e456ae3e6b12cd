#include "scene/prepared.h"

#include <system_error>
#include <utility>

#include "asset/file.h"
#include "scene/level_cache.h"
#include "scene/model.h"
#include "sinew/version.h"
#include "system/cache.h"

namespace sinew::app {
namespace {

/// Whether a file is made as prepare() makes it. Verbose imports say what their process does.
bool is_plain(const LoadOptions& options) {
  const ImportOptions& import = options.import;
  return !options.retarget && !options.blend && !options.verbose && import.max_influences == 0 && !import.tangents;
}

}  // namespace

std::filesystem::path program_folder() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

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
  return std::filesystem::path(path).stem().string() + more + hash.digits() + ".sinew";
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
  for (const std::filesystem::path& place : {program / "prepared", program.parent_path() / "share/sinew/prepared"}) {
    auto file = load_character_file((place / name).string());
    if (file) return std::move(*file);
  }
  return {};
}

}  // namespace sinew::app
