// Meshes that are compressed with KHR_draco_mesh_compression.
#pragma once

#include "gltf/tinygltf.h"

namespace sinew::internal {

/// Decodes the compressed primitives of a model. They then refer to new accessors and are lists of triangles. Throws
/// ImportFailure.
void decode_draco(tinygltf::Model& model);

}  // namespace sinew::internal
