// Triangles of every kind as a list, and normals and tangents for meshes that lack them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/asset/math.h"

namespace sinew {

enum class Topology : uint8_t { kList, kStrip, kFan };

/// Three indices a triangle, wound as glTF 2.0 says in section 3.7.2.1; corners left over are dropped.
std::vector<uint32_t> triangles_of(std::span<const uint32_t> corners, Topology topology);

/// The mean normal of the triangles around each vertex, weighted by area; +z where there are none. Indices in range.
std::vector<Vec3> compute_normals(std::span<const Vec3> positions, std::span<const uint32_t> indices);

/// Of a mesh: `uvs` may be empty, indices are in range.
struct TexturedSurface {
  std::span<const Vec3> positions, normals;
  std::span<const Vec2> uvs;
  std::span<const uint32_t> indices;
};

/// Tangents as Mesh has them: the mean of the triangles around each vertex, weighted by area, made perpendicular to its
/// normal; any such direction, and 1, where uvs give none.
std::vector<Vec4> compute_tangents(const TexturedSurface& surface);

/// Of unit length, perpendicular to the unit normal, and along `u` as far as that goes.
Vec3 make_orthogonal(Vec3 normal, Vec3 u);

}  // namespace sinew
