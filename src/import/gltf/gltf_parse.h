// Parsing of a glTF file into tinygltf's model. The model is not validated: indices, counts and offsets are those of
// the file.
#pragma once

#include <string>

#include "folder.h"
#include "gltf/tinygltf.h"
#include "lost_features.h"
#include "sinew/asset/import_report.h"

namespace sinew::internal {

/// Parses glTF 2.0, text or binary. Reads the buffers from `folder`; images stay encoded, or in
/// their files. Throws ImportFailure if the
/// file is not glTF 2.0 or requires an unsupported extension. A buffer whose name differs in case is a warning.
tinygltf::Model parse_gltf(const std::string& path, const Folder& folder, LostFeatures& lost, ImportReport& report);

}  // namespace sinew::internal
