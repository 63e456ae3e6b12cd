// Vertices that are the same in everything become one.
#pragma once

#include "scene.h"

namespace sinew {

/// For readers that hand every triangle its own corners. Positions, normals, tangents, uvs and influences must be equal
/// bit by bit; the order of first mention stays. Vertices that no triangle names go.
void weld(SceneMesh& mesh);

}  // namespace sinew
