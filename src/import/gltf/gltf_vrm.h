// What VRM calls the nodes and the morph targets of a glTF file: human bones and expressions, whatever their names are.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gltf/tinygltf.h"

namespace sinew::internal {

/// Of each node of the file the name of its bone as VRM 1 has it, as "hips" or "leftUpperArm"; "" for other nodes.
/// Reads VRM 0 and 1, and VRM animations. Bones of nodes that are not there are left out.
std::vector<std::string> humanoid_names(const tinygltf::Model& model);

using ExpressionNames = std::map<std::pair<int, int>, std::string>;  // by mesh and morph target

/// The morph targets that are an expression on their own, with full weight, and its name as VRM 1 has it, as "happy" or
/// "blinkLeft", or its own. An expression that mixes several targets of a mesh gives no name. Of several expressions
/// with one target the first. Reads VRM 0 and 1.
ExpressionNames expression_names(const tinygltf::Model& model);

}  // namespace sinew::internal
