// Buffer views that are compressed with EXT_meshopt_compression.
#pragma once

#include "gltf/tinygltf.h"

namespace sinew::internal {

/// Decodes the compressed buffer views of a model. They then refer to new buffers. Throws ImportFailure.
void decode_meshopt(tinygltf::Model& model);

}  // namespace sinew::internal
