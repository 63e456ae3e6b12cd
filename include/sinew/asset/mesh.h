// The mesh: all vertices of a character in one array, divided into parts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/api.h"
#include "sinew/asset/math.h"
#include "sinew/asset/result.h"

namespace sinew {

/// How much one palette entry moves one vertex.
struct Influence {
  uint16_t entry = 0;  // index in Skin::entries
  float weight = 0;    // of all influences of a vertex, weights add to 1
  bool operator==(const Influence&) const = default;
};

/// What moves the vertices of a part.
enum class PartKind : uint8_t {
  kStatic = 0,   // no joint: one influence, of a constant palette entry
  kRigid = 1,    // one joint: one influence; a sword, a helmet, a robot's arm
  kSkinned = 2,  // one or more joints per vertex, by weight
};

/// Consecutive vertices and consecutive triangles with one material. Parts follow each other without gaps.
struct MeshPart {
  std::string name;
  PartKind kind = PartKind::kSkinned;
  uint32_t material = 0;  // in Character::materials
  uint32_t first_vertex = 0, vertex_count = 0;
  uint32_t first_index = 0, index_count = 0;  // in Mesh::indices, three per triangle
  bool operator==(const MeshPart&) const = default;
};

/// The color of a vertex: linear, 0 to 65535 for 0 to 1, alpha not premultiplied. It is multiplied with the color of
/// the material. 16 bits hold the integers of files exactly, and have no visible steps in dark colors as 8 linear bits
/// have. The layout is that of VK_FORMAT_R16G16B16A16_UNORM.
struct VertexColor {
  uint16_t r = 65535, g = 65535, b = 65535, a = 65535;

  friend bool operator==(const VertexColor&, const VertexColor&) = default;
};

/// A morph target: how vertices move where its weight is 1, in mesh space, before the palette moves them. Only the
/// vertices that it moves are stored. `normals` and `tangents` are empty or have one element per element of `vertices`.
struct MorphTarget {
  std::string name;
  float rest_weight = 0;           // of an instance that plays no clip with this target
  std::vector<uint32_t> vertices;  // indices of the mesh's vertices, ascending
  std::vector<Vec3> positions;     // differences, one per element of `vertices`
  std::vector<Vec3> normals;       // differences of unit normals
  std::vector<Vec3> tangents;      // differences of x y z; the handedness stays
  bool operator==(const MorphTarget&) const = default;
};

/// How the influences of a vertex are blended.
enum class Blend : uint8_t {
  kLinear = 0,          // the weighted mean of the matrices: a joint that bends or twists far loses volume
  kDualQuaternion = 1,  // rotations along arcs: volume stays, a sharp bend bulges; costs more time.
                        // A scale of 0 leaves no rotation to blend: use 1e-6
};

/// The largest absolute coordinate of a vertex, in the file's units: areas and squared areas still fit a float.
inline constexpr float kMaxCoordinate = 1e9f;

/// Vertices in mesh space; palette entries map them to model space.
///
/// Tangents are for shading with normal maps, and follow glTF 2.0, section 3.7.2.1: x y z have unit length and point
/// along growing u; the handedness w is exactly 1 or -1; the bitangent cross(normal, tangent) * w points towards the
/// top of the image. u and v are those of the material's normal texture.
struct Mesh {
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;              // unit length, one per vertex
  std::vector<Vec4> tangents;             // empty, or one per vertex
  std::vector<Vec2> uvs;                  // one per vertex: uv set 0; the origin is the image's top left
  std::vector<Vec2> second_uvs;           // uv set 1: empty, or one per vertex. Texture::uv_set says which is read
  std::vector<VertexColor> colors;        // empty: all white; or one per vertex
  std::vector<uint32_t> indices;          // three per triangle, counted from the first vertex of the mesh
  std::vector<uint32_t> first_influence;  // vertex_count + 1 elements: vertex v has [first[v], first[v + 1])
  std::vector<Influence> influences;      // per vertex at least one, largest weight first
  std::vector<MeshPart> parts;
  std::vector<MorphTarget> targets;  // a weight of an instance is for the target with the same index
  Blend blend = Blend::kLinear;

  uint32_t vertex_count() const { return uint32_t(positions.size()); }
  uint32_t target_count() const { return uint32_t(targets.size()); }
  std::span<const Influence> influences_of(uint32_t vertex) const {
    return std::span(influences)
        .subspan(first_influence[vertex], first_influence[vertex + 1] - first_influence[vertex]);
  }
  bool operator==(const Mesh&) const = default;
};

/// The largest number of influences of a vertex; 0 for an empty mesh. Visits every vertex.
SINEW_API uint32_t max_influences(const Mesh& mesh);

/// Checks that sizes agree, values are finite and coordinates within kMaxCoordinate, that tangents have unit length and
/// a handedness, that colors and second uvs are none or one per vertex, that parts cover all vertices and indices, that
/// indices, palette entries and weights are in range, and that morph targets name ascending vertices. Errors:
/// kInvalidData with the vertex, part or target in the message, kOutOfMemory.
SINEW_API Status validate(const Mesh& mesh, uint32_t palette_size);

/// Sorts vertices by their number of influences, so that a workgroup of the skinning kernel runs no more influences
/// than its vertices need, then by the palette entries of these, so that neighbors load the same. Sorts inside windows
/// of 1,024 vertices of one part, ascending in one window and descending in the next; otherwise the order stays.
/// Vertices move little, so that caches of index fetches still work. Updates indices.
///
/// Call it before anything outside `mesh` depends on the order of vertices: all vectors of `mesh`, morph targets
/// included, are reordered, copies are not. `mesh` must be valid and stays valid. On kOutOfMemory, the only error,
/// `mesh` is unchanged.
SINEW_API Status order_by_influences(Mesh& mesh);

}  // namespace sinew
