// What picking knows of a mesh: its triangles in small clusters, with boxes that follow the palette.
//
// A skinned vertex is a weighted mean of what the entries of its influences make of it. So it lies in the box around
// the posed boxes of these entries, where the box of an entry is around the vertices that it moves, in mesh space.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"

namespace sinew::vulkan::internal {

/// The vertices that a palette entry moves, in mesh space.
struct EntryBox {
  uint32_t entry = 0;
  Box box;
};

/// Consecutive triangles, and the boxes of the entries that move their vertices.
struct PickCluster {
  uint32_t first_triangle = 0, triangle_count = 0;
  uint32_t first_box = 0, box_count = 0;  // in PickMesh::boxes
};

struct PickMesh {
  PickCluster whole;                  // all triangles
  std::vector<PickCluster> clusters;  // empty: not prepared yet
  std::vector<EntryBox> boxes;
  std::vector<Vec3> target_reach;  // of each morph target: the largest absolute difference along each axis

  bool prepared() const { return !boxes.empty(); }
};

/// `mesh` is valid.
PickMesh prepare_pick_mesh(const Mesh& mesh);

/// How far morph targets with these weights move a vertex at most, along each axis, in mesh space. Empty: none.
Vec3 morph_reach(const PickMesh& mesh, std::span<const float> weights);

}  // namespace sinew::vulkan::internal
