#include "surface.h"

#include <cmath>

namespace sinew::internal {
namespace {

/// The directions of increasing u and increasing v on the surface, as sums over triangles.
struct TextureAxes {
  Vec3 u, v;
};

/// The axes of one triangle, scaled by twice its area. Zero if the triangle has no area in texture space.
TextureAxes axes_of(const TexturedSurface& surface, const uint32_t* corners) {
  const auto edge = [&](int k) { return surface.positions[corners[k]] - surface.positions[corners[0]]; };
  const auto uv_edge = [&](int k) {
    const Vec2 from = surface.uvs[corners[0]], to = surface.uvs[corners[k]];
    return Vec2{to.x - from.x, to.y - from.y};
  };
  const Vec3 a = edge(1), b = edge(2);
  const Vec2 s = uv_edge(1), t = uv_edge(2);
  const float uv_area = s.x * t.y - s.y * t.x;
  if (!(std::abs(uv_area) > 0)) return {};
  const float area = length(cross(a, b)) * (uv_area < 0 ? -1.0f : 1.0f);
  return {normalize(a * t.y - b * s.y, {}) * area, normalize(b * s.x - a * t.x, {}) * area};
}

/// The unit normal of the triangle with these two edges, times the angle between them; zero without an area.
Vec3 weighted_by_angle(Vec3 a, Vec3 b) {
  const Vec3 area = cross(a, b);
  const float sine = length(area);
  return sine > 0 ? area * (std::atan2(sine, dot(a, b)) / sine) : Vec3{};
}

}  // namespace

Vec3 make_orthogonal(Vec3 normal, Vec3 u) {
  const Vec3 along = normalize(u, {}), rest = along - normal * dot(normal, along);
  if (length(rest) > 1e-4f) return normalize(rest);
  return normalize(cross(normal, std::abs(normal.x) < 0.9f ? Vec3{1, 0, 0} : Vec3{0, 1, 0}));
}

std::vector<uint32_t> triangles_of(std::span<const uint32_t> corners, Topology topology) {
  std::vector<uint32_t> triangles;
  const size_t step = topology == Topology::kList ? 3 : 1;
  for (size_t i = 0; i + 2 < corners.size(); i += step) {
    switch (topology) {
      case Topology::kList:
        triangles.insert(triangles.end(), {corners[i], corners[i + 1], corners[i + 2]});
        break;
      case Topology::kStrip:  // every second triangle has the opposite winding
        triangles.insert(triangles.end(), {corners[i], corners[i + 1 + i % 2], corners[i + 2 - i % 2]});
        break;
      case Topology::kFan:
        triangles.insert(triangles.end(), {corners[i + 1], corners[i + 2], corners[0]});
        break;
    }
  }
  return triangles;
}

std::vector<Vec3> compute_normals(std::span<const Vec3> positions, std::span<const uint32_t> indices) {
  std::vector<Vec3> normals(positions.size());
  for (size_t i = 0; i + 2 < indices.size(); i += 3) {
    for (size_t k = 0; k < 3; ++k) {
      const Vec3 corner = positions[indices[i + k]];
      const Vec3 share =
          weighted_by_angle(positions[indices[i + (k + 1) % 3]] - corner, positions[indices[i + (k + 2) % 3]] - corner);
      normals[indices[i + k]] = normals[indices[i + k]] + share;
    }
  }
  for (Vec3& normal : normals) normal = normalize(normal);
  return normals;
}

std::vector<Vec4> compute_tangents(const TexturedSurface& surface) {
  std::vector<TextureAxes> sums(surface.positions.size());
  for (size_t i = 0; i + 2 < surface.indices.size() && !surface.uvs.empty(); i += 3) {
    const TextureAxes axes = axes_of(surface, &surface.indices[i]);
    for (size_t k = 0; k < 3; ++k) {
      TextureAxes& sum = sums[surface.indices[i + k]];
      sum = {sum.u + axes.u, sum.v + axes.v};
    }
  }
  std::vector<Vec4> tangents;
  for (size_t v = 0; v < sums.size(); ++v) {
    const Vec3 normal = normalize(surface.normals[v]), t = make_orthogonal(normal, sums[v].u);
    // v increases downward in the image, but the bitangent points up.
    tangents.push_back({t.x, t.y, t.z, dot(cross(normal, t), sums[v].v) > 0 ? -1.0f : 1.0f});
  }
  return tangents;
}

}  // namespace sinew::internal
