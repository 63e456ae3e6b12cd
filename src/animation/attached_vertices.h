// The vertices that the nodes of a bake move, as bounds and margins need them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bounding_extent.h"
#include "sinew/asset/baked_character.h"
#include "sinew/asset/character.h"
#include "sinew/asset/wearable.h"

namespace sinew::internal {

/// The vertices that a node's entry moves.
struct AttachedVertices {
  BoxD vertices;      // in mesh space
  double radius = 0;  // the largest distance from the node's origin
};

/// Whether mesh, wearables and bake are valid, and belong together.
Status check_measured(const Character& character, const BakedCharacter& baked, std::span<const Wearable> wearables);

/// A character of what bounds depend on, in all wearables at once.
Character dressed(const Character& character, std::span<const Wearable> wearables);

/// For each vertex, in mesh space, the box of the positions that morph targets give it.
std::vector<BoxD> morphed_positions(const Mesh& mesh, const BakedCharacter& baked);

/// The node of each palette entry.
std::vector<uint32_t> nodes_of_entries(const BakedCharacter& baked);

/// For each node the vertices of its entry. `positions` is from morphed_positions().
std::vector<AttachedVertices> attach_vertices(const Mesh& mesh, const BakedCharacter& baked,
                                              std::span<const BoxD> positions);

/// The largest distance from `origin` to a point of the box.
double farthest(const BoxD& box, Vec3 origin);

}  // namespace sinew::internal
