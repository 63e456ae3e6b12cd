// What extensions say of the nodes of a glTF file. Throws ImportFailure.
#pragma once

#include <vector>

#include "gltf/gltf_accessors.h"
#include "lost_features.h"
#include "sinew/asset/skeleton.h"

namespace sinew::internal {

/// Whether KHR_node_visibility shows the node. A hidden node hides its descendants too.
bool is_visible(const tinygltf::Node& node);

bool has_instances(const tinygltf::Node& node);

/// The instances of a node's mesh, EXT_mesh_gpu_instancing: from the space of each instance to that of the node.
/// `limit` instances at most.
std::vector<Transform> instances_of(const tinygltf::Model& model, const GltfAccessors& accessors,
                                    const tinygltf::Node& node, size_t limit, LostFeatures& lost);

}  // namespace sinew::internal
