#include "surface.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "asset/morph.h"
#include "morph_targets.h"

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

constexpr size_t kMaxCutCorners = 256;  // larger polygons become fans: cutting takes time with the square of corners

/// The normal of a polygon, twice its area long. Source: M. Newell.
Vec3 normal_of(std::span<const Vec3> corners) {
  Vec3 sum;
  for (size_t i = 1; i + 1 < corners.size(); ++i) {
    sum = sum + cross(corners[i] - corners[0], corners[i + 1] - corners[0]);
  }
  return sum;
}

/// Positive where a, b, c turn as the polygon does.
float turn(Vec3 normal, Vec3 a, Vec3 b, Vec3 c) { return dot(normal, cross(b - a, c - b)); }

bool is_inside(Vec3 normal, Vec3 p, Vec3 a, Vec3 b, Vec3 c) {
  return turn(normal, a, b, p) >= 0 && turn(normal, b, c, p) >= 0 && turn(normal, c, a, p) >= 0;
}

class EarCutter {
 public:
  EarCutter(std::span<const Vec3> corners, Vec3 normal) : corners_(corners), normal_(normal), left_(corners.size()) {
    std::iota(left_.begin(), left_.end(), 0u);
  }

  void cut(std::vector<std::array<uint32_t, 3>>& triangles) {
    while (left_.size() > 3) {
      const size_t ear = find_ear();
      triangles.push_back(around(ear));
      left_.erase(left_.begin() + ptrdiff_t(ear));
    }
    triangles.push_back({left_[0], left_[1], left_[2]});
  }

 private:
  std::array<uint32_t, 3> around(size_t i) const {
    const size_t count = left_.size();
    return {left_[(i + count - 1) % count], left_[i], left_[(i + 1) % count]};
  }

  bool is_ear(size_t i) const {
    const auto [a, b, c] = around(i);
    if (!(turn(normal_, corners_[a], corners_[b], corners_[c]) > 0)) return false;
    return std::none_of(left_.begin(), left_.end(), [&, a = a, b = b, c = c](uint32_t p) {
      const auto is_at = [&](uint32_t corner) { return length(corners_[p] - corners_[corner]) == 0; };
      return !is_at(a) && !is_at(b) && !is_at(c) &&
             is_inside(normal_, corners_[p], corners_[a], corners_[b], corners_[c]);
    });
  }

  /// The first ear; the first corner where there is none, as in polygons that cross themselves.
  size_t find_ear() const {
    for (size_t i = 0; i < left_.size(); ++i) {
      if (is_ear(i)) return i;
    }
    return 1;
  }

  std::span<const Vec3> corners_;
  Vec3 normal_;
  std::vector<uint32_t> left_;
};

bool is_convex(std::span<const Vec3> corners, Vec3 normal) {
  const size_t count = corners.size();
  for (size_t i = 0; i < count; ++i) {
    if (turn(normal, corners[i], corners[(i + 1) % count], corners[(i + 2) % count]) < 0) return false;
  }
  return true;
}

constexpr float kRounding = 1e-3f;  // of values that are meant to be 0 or 1

uint16_t packed(float value, bool& repaired) {
  if (!(value >= -kRounding && value <= 1 + kRounding)) repaired = true;
  if (!std::isfinite(value)) return 65535;
  return uint16_t(std::lround(std::clamp(value, 0.0f, 1.0f) * 65535));
}

/// Where the normal map is read.
std::vector<Vec2> normal_uvs(const Mesh& mesh, const MeshPart& part, const Texture& texture) {
  const std::vector<Vec2>& set = texture.image >= 0 && texture.uv_set == 1 ? mesh.second_uvs : mesh.uvs;
  std::vector<Vec2> uvs(set.begin() + part.first_vertex, set.begin() + part.first_vertex + part.vertex_count);
  if (texture.image < 0) return uvs;
  for (Vec2& uv : uvs) uv = transformed(texture, uv);
  return uvs;
}

/// One number per vertex, equal for vertices with equal influences.
std::vector<uint32_t> influence_lists(const SceneMesh& mesh) {
  std::vector<uint32_t> lists(mesh.positions.size());
  std::map<std::string, uint32_t> known;
  for (size_t v = 0; v < lists.size() && !mesh.first_influence.empty(); ++v) {
    const SceneInfluence* influences = mesh.influences.data();
    const uint32_t first = mesh.first_influence[v], end = mesh.first_influence[v + 1];
    const std::string bytes(reinterpret_cast<const char*>(influences + first), (end - first) * sizeof(SceneInfluence));
    lists[v] = known.try_emplace(bytes, uint32_t(known.size())).first->second;
  }
  return lists;
}

template <class T>
void remap(std::vector<T>& values, const std::vector<unsigned>& new_index, size_t count) {
  if (values.empty()) return;
  std::vector<T> result(count);
  meshopt_remapVertexBuffer(result.data(), values.data(), values.size(), sizeof(T), new_index.data());
  values = std::move(result);
}

void remap_influences(SceneMesh& mesh, const std::vector<unsigned>& new_index, size_t count) {
  if (mesh.first_influence.empty()) return;
  std::vector<uint32_t> vertex_at(count);  // for each new vertex, one of the equal old vertices
  for (uint32_t v = 0; v < new_index.size(); ++v) {
    if (new_index[v] != ~0u) vertex_at[new_index[v]] = v;
  }
  std::vector<uint32_t> first = {0};
  std::vector<SceneInfluence> influences;
  for (const uint32_t v : vertex_at) {
    influences.insert(influences.end(), mesh.influences.begin() + mesh.first_influence[v],
                      mesh.influences.begin() + mesh.first_influence[v + 1]);
    first.push_back(uint32_t(influences.size()));
  }
  mesh.first_influence = std::move(first);
  mesh.influences = std::move(influences);
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

void triangulate(std::span<const Vec3> corners, std::vector<std::array<uint32_t, 3>>& triangles) {
  if (corners.size() < 3) return;
  const Vec3 normal = normal_of(corners);
  const bool is_simple = corners.size() == 3 || corners.size() > kMaxCutCorners || is_convex(corners, normal);
  if (!is_simple) return EarCutter(corners, normal).cut(triangles);
  for (uint32_t i = 1; i + 1 < corners.size(); ++i) triangles.push_back({0, i, i + 1});
}

std::vector<VertexColor> vertex_colors(const std::vector<Vec4>& linear, const std::string& name, ImportReport& report) {
  std::vector<VertexColor> colors;
  colors.reserve(linear.size());
  size_t repaired_count = 0;
  for (const Vec4 from : linear) {
    bool repaired = false;
    colors.push_back(
        {packed(from.x, repaired), packed(from.y, repaired), packed(from.z, repaired), packed(from.w, repaired)});
    repaired_count += repaired;
  }
  if (repaired_count > 0) {
    const char* what = repaired_count == 1 ? " vertex color" : " vertex colors";
    report.warnings.push_back(name + ": " + std::to_string(repaired_count) + what + " not within 0 to 1, limited");
  }
  return colors;
}

std::vector<VertexColor> srgb_vertex_colors(std::vector<Vec4> colors, const std::string& name, ImportReport& report) {
  const auto is_black = [](const Vec4& c) { return c.x == 0 && c.y == 0 && c.z == 0; };
  if (std::all_of(colors.begin(), colors.end(), is_black)) {
    report.warnings.push_back(name + ": its vertex colors are all black, left out");
    return {};
  }
  const bool is_clear = std::all_of(colors.begin(), colors.end(), [](const Vec4& c) { return c.w == 0; });
  for (Vec4& c : colors) c = {linear_of(c.x), linear_of(c.y), linear_of(c.z), is_clear ? 1 : c.w};
  return vertex_colors(colors, name, report);
}

float linear_of(float srgb) { return srgb <= 0.04045f ? srgb / 12.92f : std::pow((srgb + 0.055f) / 1.055f, 2.4f); }

void drop_white(std::vector<VertexColor>& colors) {
  const bool all_white = std::all_of(colors.begin(), colors.end(), [](VertexColor c) { return c == VertexColor(); });
  if (all_white) colors = {};
}

Wanted wanted_of(const ImportOptions& options) {
  const auto others = options.normal_map_tangents ? ReadTangents::kForNormalMaps : ReadTangents::kNever;
  return {options.tangents ? ReadTangents::kAlways : others, options.images, options.ticks_per_second};
}

bool has_tangents(const ImportOptions& options, const std::vector<MeshPart>& parts,
                  const std::vector<Material>& materials) {
  if (!options.normal_map_tangents) return options.tangents;
  return options.tangents || std::any_of(parts.begin(), parts.end(), [&](const MeshPart& part) {
           return materials[part.material].normal_texture.image >= 0;
         });
}

std::vector<Vec4> tangents_of_part(const Mesh& mesh, const MeshPart& part, const Material& material) {
  const std::vector<Vec2> uvs = normal_uvs(mesh, part, material.normal_texture);
  std::vector<uint32_t> indices(mesh.indices.begin() + part.first_index,
                                mesh.indices.begin() + part.first_index + part.index_count);
  for (uint32_t& index : indices) index -= part.first_vertex;
  return compute_tangents({std::span(mesh.positions).subspan(part.first_vertex, part.vertex_count),
                           std::span(mesh.normals).subspan(part.first_vertex, part.vertex_count), uvs, indices});
}

void weld(SceneMesh& mesh) {
  if (mesh.indices.empty()) {  // points and lines; without indices, meshoptimizer would keep all vertices
    SceneMesh empty;
    empty.name = mesh.name, empty.material = mesh.material, empty.has_tangents = mesh.has_tangents;
    mesh = std::move(empty);
    return;
  }
  const std::vector<uint32_t> lists = influence_lists(mesh);
  std::vector<meshopt_Stream> streams = {{mesh.positions.data(), sizeof(Vec3), sizeof(Vec3)},
                                         {lists.data(), sizeof(uint32_t), sizeof(uint32_t)}};
  if (!mesh.normals.empty()) streams.push_back({mesh.normals.data(), sizeof(Vec3), sizeof(Vec3)});
  if (!mesh.tangents.empty()) streams.push_back({mesh.tangents.data(), sizeof(Vec4), sizeof(Vec4)});
  const std::vector<uint32_t> moved = difference_classes(mesh.targets, mesh.positions.size());
  if (!moved.empty()) streams.push_back({moved.data(), sizeof(uint32_t), sizeof(uint32_t)});
  if (!mesh.uvs.empty()) streams.push_back({mesh.uvs.data(), sizeof(Vec2), sizeof(Vec2)});
  if (!mesh.second_uvs.empty()) streams.push_back({mesh.second_uvs.data(), sizeof(Vec2), sizeof(Vec2)});
  if (!mesh.colors.empty()) streams.push_back({mesh.colors.data(), sizeof(VertexColor), sizeof(VertexColor)});

  const size_t old_count = mesh.positions.size();
  std::vector<unsigned> new_index(old_count);
  const size_t count = meshopt_generateVertexRemapMulti(new_index.data(), mesh.indices.data(), mesh.indices.size(),
                                                        old_count, streams.data(), streams.size());
  meshopt_remapIndexBuffer(mesh.indices.data(), mesh.indices.data(), mesh.indices.size(), new_index.data());
  remap(mesh.positions, new_index, count);
  remap(mesh.normals, new_index, count);
  remap(mesh.tangents, new_index, count);
  remap(mesh.uvs, new_index, count);
  remap(mesh.second_uvs, new_index, count);
  remap(mesh.colors, new_index, count);
  remap_influences(mesh, new_index, count);
  for (MorphTarget& target : mesh.targets) target = reindexed(target, new_index);
}

}  // namespace sinew::internal
