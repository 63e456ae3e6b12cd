// Meshes and buffer views that are compressed.
#pragma once

#include "gltf/tinygltf.h"

namespace sinew::internal {

// Meshes that are compressed with KHR_draco_mesh_compression.

/// Decodes the compressed primitives of a model. They then refer to new accessors and are lists of triangles. Throws
/// ImportFailure.
void decode_draco(tinygltf::Model& model);

// Buffer views that are compressed with Meshopt.

/// Decodes the compressed buffer views of a model. They then refer to new buffers. Throws ImportFailure.
void decode_meshopt(tinygltf::Model& model);

}  // namespace sinew::internal
