// Morph targets as Assimp has them: whole meshes that replace positions and normals.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "morph_targets.h"
#include "sinew/import/import.h"

struct aiAnimation;
struct aiMesh;
struct aiMeshMorphAnim;

namespace sinew::internal {

/// The morph targets of a mesh whose vertices are still in Assimp's order; `mesh` is what was read of it so far.
std::vector<MorphTarget> read_targets(const aiMesh& source, const SceneMesh& mesh, ImportReport& report);

/// The name of the node that a channel of weights animates. Assimp may add '*' and a number to it.
std::string morphed_node(const aiMeshMorphAnim& channel);

/// The tracks of a channel: one for each target that it names. `rate`: ticks per second. `node` is set in each.
std::vector<SceneWeightTrack> read_weights(const aiMeshMorphAnim& channel, uint32_t node, double rate);

}  // namespace sinew::internal
