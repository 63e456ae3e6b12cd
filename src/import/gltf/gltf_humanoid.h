// Which human bone each node is, according to VRM, whatever its name is.
#pragma once

#include <string>
#include <vector>

#include "gltf/tinygltf.h"

namespace sinew::internal {

/// Of each node of the file the name of its bone as VRM 1 has it, as "hips" or "leftUpperArm"; "" for other nodes.
/// Reads VRM 0 and 1, and VRM animations. Bones of nodes that are not there are left out.
std::vector<std::string> humanoid_names(const tinygltf::Model& model);

}  // namespace sinew::internal
