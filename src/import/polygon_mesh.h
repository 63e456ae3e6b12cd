// Meshes of polygons whose corners have values of their own, on their way to triangles: FBX and COLLADA.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scene.h"
#include "sinew/import/import.h"

namespace sinew::internal {

/// The first numbers of the values of one corner; null: the file has none for it.
struct PolygonCorner {
  uint32_t point = 0;  // a number of the list of positions
  const double *normal = nullptr, *tangent = nullptr, *bitangent = nullptr;
  const double *uv = nullptr, *second_uv = nullptr;
  const double* color = nullptr;  // four numbers, or three of opaque ones; in sRGB
};

/// Which values the corners of a polygon have.
struct PolygonValues {
  bool normals = false, tangents = false, uvs = false, second_uvs = false, colors = false;
  bool reads_tangents = false;  // whether tangents are kept
  bool opaque_colors = false;   // colors have three numbers, and alpha 1
  auto operator<=>(const PolygonValues&) const = default;
};

/// Triangles that have one material. Every triangle has three vertices of its own.
struct PolygonPart {
  SceneMesh mesh;
  std::vector<uint32_t> points;  // of each vertex
};

class PolygonMesh {
 public:
  /// Borrows `points` and `report`.
  PolygonMesh(std::string name, const std::vector<Vec3>& points, ImportReport& report)
      : name_(std::move(name)), points_(points), report_(report) {}

  /// Cuts a polygon into triangles. Its points must exist. Polygons with fewer than three corners are counted.
  void add(int32_t material, const PolygonValues& values, std::span<const PolygonCorner> corners);

  void add_lines(size_t count) { lines_ += count; }

  /// The parts, by material and values. Adds a warning for points and lines, which are left out.
  std::vector<PolygonPart> finish();

 private:
  struct Part {
    PolygonPart result;
    std::vector<Vec4> colors;
  };
  void add_vertex(const PolygonValues& values, const PolygonCorner& corner, Part& part) const;

  const std::string name_;
  const std::vector<Vec3>& points_;
  ImportReport& report_;
  std::map<std::pair<int32_t, PolygonValues>, Part> parts_;
  size_t lines_ = 0;
  std::vector<Vec3> polygon_;
  std::vector<std::array<uint32_t, 3>> triangles_;
};

/// Gives a part the influences of its points.
void add_influences(const std::vector<std::vector<SceneInfluence>>& of_points, PolygonPart& part);

/// A morph target: how points move where its weight is 1.
struct PointShape {
  std::string name;
  std::vector<uint32_t> points;
  std::vector<Vec3> positions, normals;  // differences; normals may be empty: those that follow from the positions
  double rest_weight = 0;
};

/// Gives a part the shapes as morph targets.
void add_targets(std::span<const PointShape> shapes, PolygonPart& part, ImportReport& report);

}  // namespace sinew::internal
