// What a glTF file says of itself before anything else of it is read: whether its JSON is whole, its version, and the
// extensions without which it cannot be read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/asset/import_report.h"

namespace sinew {

struct GltfHead {
  std::string version;  // of the specification it follows; empty: it does not say
  std::vector<std::string> required_extensions;
};

/// Reads the JSON of a glTF, which a binary file (GLB) has in its first chunk. Throws ImportFailure with the place
/// where the JSON is not correct, where it nests more than 200 deep (parsers recurse, and end with the stack they
/// have), and where a GLB is cut short or is no GLB 2.
GltfHead read_gltf_head(std::string_view file, bool binary);

/// Throws ImportFailure, with the reason in words, where the version or a required extension is not read. An extension
/// that changes the look alone is a warning.
void check_gltf_head(const GltfHead& head, ImportReport& report);

}  // namespace sinew
