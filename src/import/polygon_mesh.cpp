#include "polygon_mesh.h"

#include <unordered_map>

#include "morph_targets.h"
#include "surface.h"

namespace sinew::internal {
namespace {

Vec3 vector_of(const double* values) {
  return values == nullptr ? Vec3{} : Vec3{float(values[0]), float(values[1]), float(values[2])};
}

/// Files have the origin of images at the bottom.
Vec2 uv_of(const double* values) { return values == nullptr ? Vec2{} : Vec2{float(values[0]), float(1 - values[1])}; }

Vec4 color_of(const double* c, bool is_opaque) {
  if (c == nullptr) return {1, 1, 1, 1};
  return {float(c[0]), float(c[1]), float(c[2]), is_opaque ? 1 : float(c[3])};
}

/// The handedness is 0 where normal, tangent and bitangent lie in one plane: it is unknown.
Vec4 tangent_of(Vec3 normal, const PolygonCorner& corner) {
  const Vec3 t = vector_of(corner.tangent);
  const float handedness = dot(cross(normal, t), vector_of(corner.bitangent));
  return {t.x, t.y, t.z, handedness > 0 ? 1.0f : handedness < 0 ? -1.0f : 0.0f};
}

}  // namespace

void PolygonMesh::add(int32_t material, const PolygonValues& values, std::span<const PolygonCorner> corners) {
  if (corners.size() < 3) return add_lines(1);
  polygon_.clear(), triangles_.clear();
  for (const PolygonCorner& corner : corners) polygon_.push_back(points_[corner.point]);
  triangulate(polygon_, triangles_);
  Part& part = parts_[{material, values}];
  for (const auto& triangle : triangles_) {
    for (const uint32_t corner : triangle) add_vertex(values, corners[corner], part);
  }
}

void PolygonMesh::add_vertex(const PolygonValues& values, const PolygonCorner& corner, Part& part) const {
  SceneMesh& mesh = part.result.mesh;
  part.result.points.push_back(corner.point);
  mesh.indices.push_back(uint32_t(mesh.positions.size()));
  mesh.positions.push_back(points_[corner.point]);
  if (values.normals) mesh.normals.push_back(vector_of(corner.normal));
  if (values.uvs) mesh.uvs.push_back(uv_of(corner.uv));
  if (values.second_uvs) mesh.second_uvs.push_back(uv_of(corner.second_uv));
  if (values.colors) part.colors.push_back(color_of(corner.color, values.opaque_colors));
  mesh.has_tangents = values.normals && values.tangents;
  if (mesh.has_tangents && values.reads_tangents) mesh.tangents.push_back(tangent_of(mesh.normals.back(), corner));
}

std::vector<PolygonPart> PolygonMesh::finish() {
  const std::string mesh = "mesh '" + name_ + "'";
  if (lines_ > 0) report_.warnings.push_back(mesh + ": " + std::to_string(lines_) + " points or lines are left out");
  std::vector<PolygonPart> parts;
  for (auto& [key, part] : parts_) {
    part.result.mesh.name = name_;
    part.result.mesh.material = key.first;
    if (!part.colors.empty()) part.result.mesh.colors = srgb_vertex_colors(std::move(part.colors), mesh, report_);
    parts.push_back(std::move(part.result));
  }
  return parts;
}

void add_influences(const std::vector<std::vector<SceneInfluence>>& of_points, PolygonPart& part) {
  SceneMesh& mesh = part.mesh;
  for (const uint32_t point : part.points) {
    mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
    mesh.influences.insert(mesh.influences.end(), of_points[point].begin(), of_points[point].end());
  }
  mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
}

void add_targets(std::span<const PointShape> shapes, PolygonPart& part, ImportReport& report) {
  if (shapes.empty()) return;
  SceneMesh& mesh = part.mesh;
  std::unordered_map<uint32_t, std::vector<uint32_t>> vertices_of;  // of each point
  for (uint32_t v = 0; v < part.points.size(); ++v) vertices_of[part.points[v]].push_back(v);
  for (const PointShape& shape : shapes) {
    std::vector<Vec3> positions(mesh.positions.size());
    std::vector<Vec3> normals(shape.normals.empty() || mesh.normals.empty() ? 0 : mesh.positions.size());
    for (size_t i = 0; i < shape.points.size(); ++i) {
      const auto vertices = vertices_of.find(shape.points[i]);
      if (vertices == vertices_of.end()) continue;
      for (const uint32_t v : vertices->second) {
        positions[v] = positions[v] + shape.positions[i];
        if (!normals.empty()) normals[v] = normals[v] + shape.normals[i];
      }
    }
    if (normals.empty() && !mesh.normals.empty()) normals = turned_normals(mesh, positions);
    mesh.targets.push_back(sparse_target(shape.name, {positions, normals, {}}, report.repaired_differences));
    mesh.targets.back().rest_weight = float(shape.rest_weight);
  }
}

}  // namespace sinew::internal
