// Conversion of strips and fans into triangle lists; normals and tangents for meshes that have none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/asset/math.h"

namespace sinew::internal {

enum class Topology : uint8_t { kList, kStrip, kFan };

/// Converts to a triangle list: three indices per triangle, with the winding of glTF 2.0, section 3.7.2.1. Corners that
/// do not complete a triangle are dropped.
std::vector<uint32_t> triangles_of(std::span<const uint32_t> corners, Topology topology);

/// One unit normal per vertex: the mean of the normals of its triangles, weighted by their angles at the vertex, so
/// that the way in which faces are cut into triangles matters little. +z for a vertex without a triangle. Indices must
/// be in range. Source: G. Thuermer, C. Wuethrich, "Computing Vertex Normals from Polygonal Facets", 1998.
std::vector<Vec3> compute_normals(std::span<const Vec3> positions, std::span<const uint32_t> indices);

/// A mesh as compute_tangents() reads it. `uvs` may be empty; indices must be in range.
struct TexturedSurface {
  std::span<const Vec3> positions, normals;
  std::span<const Vec2> uvs;
  std::span<const uint32_t> indices;
};

/// One tangent per vertex, in the layout of Mesh::tangents: the mean tangent of its triangles, weighted by area, made
/// orthogonal to the normal. Where the texture coordinates define no tangent: any orthogonal direction, and w = 1.
std::vector<Vec4> compute_tangents(const TexturedSurface& surface);

/// The unit vector orthogonal to the unit `normal` that is nearest to `u`. Any orthogonal direction if `u` is zero or
/// parallel to `normal`.
Vec3 make_orthogonal(Vec3 normal, Vec3 u);

}  // namespace sinew::internal
