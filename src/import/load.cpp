#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>

#include "clips.h"
#include "conversion.h"
#include "failure.h"
#include "readers.h"
#include "sinew/import.h"

namespace sinew {
namespace {

std::string extension_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : char(c); });
  return extension;
}

Scene read_scene(const std::string& path, ImportReport& report) {
  const std::string extension = extension_of(path);
  if (extension == ".gltf" || extension == ".glb") return read_gltf(path, report);
  if (!assimp_reads(extension)) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) fail("no such file", ErrorCode::kNotFound);
    if (std::filesystem::is_directory(path, ignored)) fail("it is a directory", ErrorCode::kUnreadable);
    fail(extension.empty() ? "it has no file type" : "unknown file type '" + extension + "'", ErrorCode::kUnsupported);
  }
  return read_with_assimp(path, extension, report);
}

Error cannot_read(const std::string& path, ErrorCode code, std::string reason) {
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  return {code, "cannot read '" + path + "': " + reason};
}

/// Runs `read` on `path`; whatever the readers or their libraries throw becomes an Error.
template <class T, class Read>
Result<T> guarded(const std::string& path, Read read) {
  try {
    return read();
  } catch (const ImportFailure& failure) {
    return cannot_read(path, failure.code, failure.reason);
  } catch (const std::bad_alloc&) {
    return cannot_read(path, ErrorCode::kOutOfMemory, "out of memory");
  } catch (const std::exception& exception) {
    return cannot_read(path, ErrorCode::kInvalidData, exception.what());
  } catch (...) {
    return cannot_read(path, ErrorCode::kInvalidData, "it is malformed");
  }
}

}  // namespace

Result<Character> load_character(const std::string& path, const ImportOptions& options, ImportReport* report) {
  ImportReport own;
  if (report == nullptr) report = &own;
  *report = {};
  Result<Scene> scene = guarded<Scene>(path, [&] { return read_scene(path, *report); });
  if (!scene) return scene.error();
  for (const std::string& other : options.animation_files) {
    ImportReport ignored;  // what is wrong with the other file's meshes is of no interest
    Result<Scene> animation = guarded<Scene>(other, [&] { return read_scene(other, ignored); });
    if (!animation) return animation.error();
    add_clips(*scene, std::move(*animation), other, *report);
  }
  Result<Character> character = guarded<Character>(path, [&] { return convert(std::move(*scene), options, *report); });
  if (!character) return character;
  character->name = std::filesystem::path(path).stem().string();
  if (Status status = validate(*character); !status) {
    return cannot_read(path, status.error().code, status.error().message);
  }
  return character;
}

}  // namespace sinew
