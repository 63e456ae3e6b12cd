// One character skinned on the device, once, and read back: for looking at, not for speed.
#pragma once

#include <span>
#include <vector>

#include "gpu/device.h"
#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/result.h"

namespace sinew::app {

/// One value for each vertex of a mesh, in model space; normals are unit length.
struct SkinnedMesh {
  std::vector<Vec3> positions, normals;
};

/// Skins one instance of `mesh` with `palette` through sinew::vulkan. Blocks until the device has finished.
Result<SkinnedMesh> skin_once(const Device& device, const Mesh& mesh, std::span<const Matrix3x4> palette);

}  // namespace sinew::app
