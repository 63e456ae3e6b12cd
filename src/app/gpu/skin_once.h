// Skins one character on the device once and reads the vertices back: for inspection, not for speed.
#pragma once

#include <span>
#include <vector>

#include "gpu/host.h"
#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/result.h"

namespace sinew::app {

/// One value for each vertex of a mesh, in model space; normals are unit length.
struct SkinnedMesh {
  std::vector<Vec3> positions, normals;
};

/// Skins one instance of `mesh` with `palette` and one weight for each morph target through sinew::vulkan. Waits for
/// the device. A mesh without vertices gives an empty result.
Result<SkinnedMesh> skin_once(const Device& device, const Mesh& mesh, std::span<const Matrix3x4> palette,
                              std::span<const float> weights);

}  // namespace sinew::app
