// The mesh: every vertex of a character in one range, divided into parts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/asset/math.h"
#include "sinew/asset/result.h"

namespace sinew {

/// A share of a vertex's movement.
struct Influence {
  uint16_t entry = 0;  // in the skin's palette
  float weight = 0;
};

/// What moves a part's vertices.
enum class PartKind : uint8_t {
  kStatic = 0,   // nothing: one constant influence
  kRigid = 1,    // one joint: a sword, a helmet, a robot's arm
  kSkinned = 2,  // several
};

/// A run of vertices and of triangles that share a material. Parts follow each other without gaps.
struct MeshPart {
  std::string name;
  PartKind kind = PartKind::kSkinned;
  uint32_t material = 0;
  uint32_t first_vertex = 0, vertex_count = 0;
  uint32_t first_index = 0, index_count = 0;  // triangles; indices count from the mesh's first vertex
};

/// The largest coordinate of a vertex: areas and their squares are still numbers that floats hold.
inline constexpr float kMaxCoordinate = 1e9f;

/// Vertices in mesh space; the skin's entries map them to model space.
///
/// A tangent is as glTF 2.0 has it (3.7.2.1): x y z of unit length along growing u, w exactly 1 or -1, and the
/// bitangent, towards the image's top, is cross(normal, tangent) * w. Who shades with normal maps wants them; others
/// need none.
struct Mesh {
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;   // unit length
  std::vector<Vec4> tangents;  // none, or one a vertex: see above
  std::vector<Vec2> uvs;       // origin at the image's top left
  std::vector<uint32_t> indices;
  std::vector<uint32_t> first_influence;  // one more than vertices: vertex v owns [first[v], first[v + 1])
  std::vector<Influence> influences;      // of a vertex: at least one, heaviest first, weights adding to 1
  std::vector<MeshPart> parts;

  uint32_t vertex_count() const { return uint32_t(positions.size()); }
  std::span<const Influence> influences_of(uint32_t vertex) const {
    return std::span(influences)
        .subspan(first_influence[vertex], first_influence[vertex + 1] - first_influence[vertex]);
  }
};

/// The most influences any vertex has.
uint32_t max_influences(const Mesh& mesh);

/// Sizes agree; coordinates are within kMaxCoordinate; tangents are of unit length and have a handedness; parts cover
/// the vertices and indices; indices, entries and weights are in range. Names the vertex.
Status validate(const Mesh& mesh, uint32_t palette_size);

/// Puts vertices with the same number of influences together, so that a workgroup of the skinning kernel runs no more
/// than it needs. Within each part and window of 1,024 vertices, ascending in one window and descending in the next,
/// otherwise in the order they had: whoever fetches them by index finds them about where they were. Indices follow.
///
/// Call it before anything depends on the order: texture coordinates go along, copies elsewhere do not. `mesh` must be
/// valid, and stays so. Where memory runs out (kOutOfMemory) it stays as it was.
Status order_by_influences(Mesh& mesh);

}  // namespace sinew
