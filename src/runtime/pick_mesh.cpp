#include "pick_mesh.h"

#include <algorithm>
#include <cmath>

namespace sinew::vulkan::internal {
namespace {

constexpr uint32_t kTrianglesPerCluster = 32;

/// Finds the boxes of one cluster after the other. Keeps where the box of an entry is.
class BoxBuilder {
 public:
  BoxBuilder(const Mesh& mesh, PickMesh& out) : mesh_(mesh), out_(out) {}

  PickCluster add(uint32_t first_triangle, uint32_t triangle_count) {
    PickCluster cluster{first_triangle, triangle_count, uint32_t(out_.boxes.size()), 0};
    for (uint32_t i = 3 * first_triangle; i < 3 * (first_triangle + triangle_count); ++i)
      add_vertex(mesh_.indices[i], cluster.first_box);
    cluster.box_count = uint32_t(out_.boxes.size()) - cluster.first_box;
    return cluster;
  }

 private:
  void add_vertex(uint32_t vertex, uint32_t first_box) {
    for (const Influence& influence : mesh_.influences_of(vertex)) {
      if (influence.weight == 0) continue;
      if (place_.size() <= influence.entry) place_.resize(influence.entry + 1u, 0);
      uint32_t& place = place_[influence.entry];
      if (place < first_box || place >= out_.boxes.size() || out_.boxes[place].entry != influence.entry) {
        place = uint32_t(out_.boxes.size());
        out_.boxes.push_back({influence.entry, kEmptyBox});
      }
      include(out_.boxes[place].box, mesh_.positions[vertex]);
    }
  }

  const Mesh& mesh_;
  PickMesh& out_;
  std::vector<uint32_t> place_;  // of each entry, in PickMesh::boxes; of an earlier cluster perhaps
};

}  // namespace

PickMesh prepare_pick_mesh(const Mesh& mesh) {
  PickMesh out;
  BoxBuilder builder(mesh, out);
  const auto triangles = uint32_t(mesh.indices.size() / 3);
  out.whole = builder.add(0, triangles);
  for (uint32_t first = 0; first < triangles; first += kTrianglesPerCluster)
    out.clusters.push_back(builder.add(first, std::min(kTrianglesPerCluster, triangles - first)));
  for (const MorphTarget& target : mesh.targets) {
    Vec3& reach = out.target_reach.emplace_back();
    for (const Vec3& p : target.positions) reach = max(reach, {std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  }
  return out;
}

Vec3 morph_reach(const PickMesh& mesh, std::span<const float> weights) {
  Vec3 reach;
  for (size_t t = 0; t < weights.size(); ++t) reach = reach + mesh.target_reach[t] * std::abs(weights[t]);
  return reach;
}

}  // namespace sinew::vulkan::internal
