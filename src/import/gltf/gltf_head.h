// Checks of a glTF file before it is parsed: the syntax of its JSON, its version, and the extensions that it requires.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/asset/import_report.h"

namespace sinew::internal {

struct GltfHead {
  std::string version;  // of glTF; empty: the file has none
  std::vector<std::string> required_extensions;
};

/// Reads the JSON of a glTF file; a binary file (GLB) has it in the first chunk. Throws ImportFailure if the JSON is
/// malformed (with line and column), or nests more than 200 deep (the later parser recurses, and would overflow the
/// stack), or if a GLB is truncated or not version 2.
GltfHead read_gltf_head(std::string_view file, bool binary);

bool requires_compression(const GltfHead& head);

/// Throws ImportFailure if the version or a required extension is not supported. An extension that only changes the
/// appearance is a warning.
void check_gltf_head(const GltfHead& head, ImportReport& report);

}  // namespace sinew::internal
