#include "file_type.h"

#include <algorithm>
#include <optional>

#include "asset/file.h"
#include "failure.h"
#include "readers.h"
#include "sinew/asset/character_file.h"

namespace sinew::internal {

std::string extension_of(const std::string& path) {
  std::string extension = utf8_of(path_of(path).extension());
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : char(c); });
  return extension;
}

namespace {

std::optional<FileType> known_type(const std::string& path) {
  if (is_character_file(path)) return FileType::kSinew;
  const std::string extension = extension_of(path);
  if (extension == ".gltf" || extension == ".glb" || extension == ".vrm" || extension == ".vrma")
    return FileType::kGltf;
  if (extension == ".fbx") return FileType::kFbx;
  if (extension == ".dae") return FileType::kCollada;
  if (extension == ".zae")
    return std::nullopt;  // an archive: Assimp would read its model, but not as this library does
  return assimp_reads(extension) ? std::optional(FileType::kOther) : std::nullopt;
}

}  // namespace

bool has_reader(const std::string& path) { return known_type(path).has_value(); }

FileType file_type(const std::string& path) {
  if (const auto type = known_type(path)) return *type;
  const std::string extension = extension_of(path);
  std::error_code ignored;
  if (!std::filesystem::exists(path_of(path), ignored)) fail("no such file", ErrorCode::kNotFound);
  if (std::filesystem::is_directory(path_of(path), ignored)) fail("it is a directory", ErrorCode::kUnreadable);
  if (extension == ".zae") fail("it is an archive: unpack it, and read the .dae in it", ErrorCode::kUnsupported);
  fail(extension.empty() ? "it has no file type" : "unknown file type '" + extension + "'", ErrorCode::kUnsupported);
}

}  // namespace sinew::internal
