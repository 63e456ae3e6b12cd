// Parsing of a glTF file into tinygltf's model. The model is not validated: indices, counts and offsets are those of
// the file.
#pragma once

#include <string>

#include "folder.h"
#include "gltf/tinygltf.h"
#include "sinew/asset/import_report.h"

namespace sinew::internal {

/// Parses glTF 2.0, text or binary. Reads the buffers from `folder`; images stay encoded. Throws ImportFailure if the
/// file is not glTF 2.0 or requires an unsupported extension.
tinygltf::Model parse_gltf(const std::string& path, Folder& folder, ImportReport& report);

}  // namespace sinew::internal
