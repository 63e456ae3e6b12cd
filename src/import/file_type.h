// The reader of a file, chosen by the file's extension.
#pragma once

#include <cstdint>
#include <string>

#include "sinew/api.h"
#include "sinew/asset/result.h"

namespace sinew::internal {

/// kGltf: .gltf, .glb, .vrm, .vrma. kFbx: .fbx. kCollada: .dae. kSinew: .sinew. kOther: any type that Assimp reads.
enum class FileType : uint8_t { kGltf, kFbx, kCollada, kSinew, kOther };

/// Throws ImportFailure if no reader supports the extension: kUnsupported, kNotFound if the file does not exist either,
/// kUnreadable if it is a directory. Does not check that a file with a supported extension exists.
FileType file_type(const std::string& path);

/// Whether a reader supports the extension of `path`. Does not look at the file.
SINEW_API bool has_reader(const std::string& path);

/// The extension of `path`: in lower case, with its dot. Empty if there is none.
std::string extension_of(const std::string& path);

}  // namespace sinew::internal
