// From the bytes of a glTF to tinygltf's model. It is parsed, nothing more: indices, counts and offsets are as the file
// has them.
#pragma once

#include <string>

#include "folder.h"
#include "sinew/asset/import_report.h"

namespace tinygltf {
class Model;
}

namespace sinew {

/// glTF 2.0, text or binary; buffers are read, and images are kept encoded. Throws ImportFailure with the reason where
/// it is not that, or requires what is not read.
tinygltf::Model parse_gltf(const std::string& path, Folder& folder, ImportReport& report);

}  // namespace sinew
