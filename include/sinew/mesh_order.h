// The order of a mesh's vertices, for those who skin them.
#pragma once

#include "sinew/mesh.h"
#include "sinew/result.h"

namespace sinew {

/// Puts vertices with the same number of influences together, so that a workgroup of the skinning kernel runs no more
/// than it needs. Within each part and window of 1,024 vertices, ascending in one window and descending in the next,
/// otherwise in the order they had: whoever fetches them by index finds them about where they were. Indices follow.
///
/// Call it before anything depends on the order: texture coordinates go along, copies elsewhere do not. `mesh` must be
/// valid, and stays so. Where memory runs out (kOutOfMemory) it stays as it was.
Status order_by_influences(Mesh& mesh);

}  // namespace sinew
