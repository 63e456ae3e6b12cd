// Checks of a part of a mesh.
#pragma once

#include "sinew/api.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/result.h"

namespace sinew::internal {

/// Like validate(), of what skinning reads: positions, normals, tangents, influences and morph targets.
SINEW_API Status validate_skinned(const Mesh& mesh, uint32_t palette_size);

}  // namespace sinew::internal
