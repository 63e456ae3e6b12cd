// Assimp spreads an FBX node with pivots over a chain of helper nodes; here each chain becomes one node again.
#pragma once

#include "scene.h"

namespace sinew {

/// Merges `X_$AssimpFbx$_…` nodes into the node X below them where the product is T * R * S at any time, keys at the
/// union of their times. Other chains (geometric transforms) stay as they are.
void collapse_pivots(Scene& scene);

}  // namespace sinew
