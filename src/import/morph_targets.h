// Morph targets on their way from a file to a character.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scene.h"
#include "sinew/import/import.h"

namespace sinew::internal {

/// Appends what a part has of each of its elements, or nothing: then `all` has `count` elements. Where some parts have
/// any, those of the others are the default, and where none has, `all` stays empty.
template <class T>
void append_padded(const std::vector<T>& more, size_t count, std::vector<T>& all) {
  if (all.empty() && more.empty()) return;
  all.resize(count - more.size());
  all.insert(all.end(), more.begin(), more.end());
  all.resize(count);
}

/// The differences of every vertex of a mesh, as files have them. Each span has one element per vertex, or none.
struct DenseTarget {
  std::span<const Vec3> positions, normals, tangents;
};

/// The target with the vertices that move, or turn a normal or tangent. Differences that are not finite, or of
/// positions beyond kMaxCoordinate, become 0; their number is added to `repaired`.
MorphTarget sparse_target(std::string name, const DenseTarget& differences, uint32_t& repaired);

/// How normals turn where positions move by `differences`, one per vertex of the mesh, which has normals: for targets
/// whose file does not say. As the triangles' own normals turn, and alike for vertices that share position and normal.
std::vector<Vec3> turned_normals(const SceneMesh& mesh, std::span<const Vec3> differences);

/// One number per vertex, equal for vertices that all morph targets move alike; empty without targets.
std::vector<uint32_t> difference_classes(std::span<const MorphTarget> targets, size_t vertices);

/// The morph targets of a character, in the order in which nodes use them.
class TargetBuilder {
 public:
  TargetBuilder() = default;
  /// Those of a character that has them already: target t of `node` is its target t.
  TargetBuilder(uint32_t node, uint32_t target_count) {
    for (uint32_t t = 0; t < target_count; ++t) target_of_[{node, t}] = t;
  }

  /// Adds the targets of a use whose vertices begin at `first_vertex` of `mesh`. `normals` are those of the part, unit
  /// length; where the file has none, the differences of normals are computed too.
  void append(const SceneMeshUse& use, const SceneMesh& source, uint32_t first_vertex, std::span<const Vec3> normals,
              Mesh& mesh);
  /// The target of a node in Mesh::targets; nothing if the node has no such target.
  std::optional<uint32_t> find(uint32_t node, uint32_t target) const;

 private:
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> target_of_;  // by node and number at the node
};

}  // namespace sinew::internal
