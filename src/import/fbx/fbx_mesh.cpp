#include "fbx/fbx_mesh.h"

#include <algorithm>
#include <map>

#include "failure.h"
#include "surface.h"

namespace sinew::internal {
namespace {

/// One corner of a polygon. All three are indices in the file's lists.
struct Corner {
  uint32_t polygon = 0, polygon_vertex = 0, control_point = 0;
};

/// A layer element: values, and which of them a corner has.
class MeshLayer {
 public:
  /// `width` numbers a value. An absent layer has no values.
  MeshLayer(const FbxDocument& document, const FbxRecord* record, std::string_view values, std::string_view indices,
            size_t width)
      : width_(width) {
    if (record == nullptr) return;
    values_ = document.reals(record->child(values));
    const FbxRecord *mapping = record->child("MappingInformationType"),
                    *how = record->child("ReferenceInformationType");
    mapping_ = mapping == nullptr ? std::string() : mapping->text(0);
    if (how != nullptr && how->bytes(0) != "Direct") indices_ = document.integers(record->child(indices));
  }

  bool is_empty() const { return values_.empty(); }

  /// The first number of the corner's value, or null.
  const double* at(const Corner& corner) const {
    int64_t index = place(corner);
    if (!indices_.empty()) index = index < int64_t(indices_.size()) ? indices_[size_t(index)] : -1;
    const bool exists = index >= 0 && uint64_t(index) < values_.size() / width_;
    return exists ? &values_[size_t(index) * width_] : nullptr;
  }

 private:
  int64_t place(const Corner& corner) const {
    if (mapping_ == "ByPolygonVertex") return corner.polygon_vertex;
    if (mapping_ == "ByVertice" || mapping_ == "ByVertex" || mapping_ == "ByControlPoint") return corner.control_point;
    return mapping_ == "ByPolygon" ? corner.polygon : 0;  // AllSame
  }

  std::vector<double> values_;
  std::vector<int64_t> indices_;
  std::string mapping_;
  size_t width_;
};

/// Layers of a kind, in the file's order. The layer with a name, else the first; null if there is none.
const FbxRecord* find_layer(const FbxRecord& geometry, std::string_view kind, const std::string& name = {}) {
  const FbxRecord* first = nullptr;
  for (const FbxRecord& child : geometry.children) {
    if (child.name != kind) continue;
    if (first == nullptr) first = &child;
    const FbxRecord* own = child.child("Name");
    if (!name.empty() && own != nullptr && own->bytes(0) == name) return &child;
  }
  return first;
}

Vec3 vector_of(const double* values) {
  return values == nullptr ? Vec3{} : Vec3{float(values[0]), float(values[1]), float(values[2])};
}

class MeshReader {
 public:
  MeshReader(const FbxDocument& document, const FbxObject& geometry, const FbxMeshOptions& options,
             ImportReport& report)
      : document_(document),
        record_(*geometry.record),
        name_(geometry.name),
        options_(options),
        report_(report),
        normals_(document, find_layer(record_, "LayerElementNormal"), "Normals", "NormalsIndex", 3),
        tangents_(document, find_layer(record_, "LayerElementTangent"), "Tangents", "TangentsIndex", 3),
        bitangents_(document, find_layer(record_, "LayerElementBinormal"), "Binormals", "BinormalsIndex", 3),
        colors_(document, find_layer(record_, "LayerElementColor"), "Colors", "ColorIndex", 4) {}

  FbxMesh read(uint64_t& corners_left) {
    const std::vector<double> points = document_.reals(record_.child("Vertices"));
    const std::vector<int64_t> polygons = document_.integers(record_.child("PolygonVertexIndex"));
    require(polygons.size() <= corners_left, [] { return "its meshes have too many corners all together"; });
    corners_left -= polygons.size();
    for (size_t i = 0; i + 2 < points.size(); i += 3) points_.push_back(vector_of(&points[i]));
    read_materials();
    std::vector<Corner> corners;
    uint32_t polygon = 0;
    for (size_t i = 0; i < polygons.size(); ++i) {
      const bool is_last = polygons[i] < 0;
      const int64_t point = is_last ? -1 - polygons[i] : polygons[i];
      require(uint64_t(point) < points_.size(), [&] {
        return "mesh '" + name_ + "' names vertex " + std::to_string(point) + " of " + std::to_string(points_.size());
      });
      corners.push_back({polygon, uint32_t(i), uint32_t(point)});
      if (!is_last) continue;
      add_polygon(corners);
      corners.clear();
      ++polygon;
    }
    if (lines_ > 0) {
      report_.warnings.push_back("mesh '" + name_ + "': " + std::to_string(lines_) + " points or lines are left out");
    }
    return finish();
  }

 private:
  void read_materials() {
    const FbxRecord* layer = find_layer(record_, "LayerElementMaterial");
    if (layer == nullptr) return;
    materials_ = document_.integers(layer->child("Materials"));
    const FbxRecord* mapping = layer->child("MappingInformationType");
    material_by_polygon_ = mapping != nullptr && mapping->bytes(0) == "ByPolygon";
  }

  int32_t material_of(uint32_t polygon) const {
    const size_t index = material_by_polygon_ ? polygon : 0;
    if (materials_.empty()) return 0;
    return index < materials_.size() && materials_[index] >= 0 && materials_[index] < INT32_MAX
               ? int32_t(materials_[index])
               : -1;
  }

  void add_polygon(const std::vector<Corner>& corners) {
    if (corners.size() < 3) {
      ++lines_;
      return;
    }
    polygon_.clear(), triangles_.clear();
    for (const Corner& corner : corners) polygon_.push_back(points_[corner.control_point]);
    triangulate(polygon_, triangles_);
    Part& part = part_of(material_of(corners.front().polygon));
    for (const auto& triangle : triangles_) {
      for (const uint32_t corner : triangle) add_vertex(corners[corner], part);
    }
  }

  struct Part {
    FbxMeshPart result;
    const MeshLayer* uvs = nullptr;
    const MeshLayer* second_uvs = nullptr;  // null: the material uses one set
    std::vector<Vec4> colors;
  };

  Part& part_of(int32_t material) {
    const auto [found, is_new] = parts_.try_emplace(material);
    if (!is_new) return found->second;
    Part& part = found->second;
    part.result.mesh.name = name_;
    part.result.mesh.material = material;
    const bool has_sets = material >= 0 && size_t(material) < options_.uv_sets.size();
    const std::vector<std::string> sets = has_sets ? options_.uv_sets[size_t(material)] : std::vector<std::string>();
    part.uvs = uv_layer(sets.empty() ? "" : sets[0]);
    if (sets.size() > 1) part.second_uvs = uv_layer(sets[1]);
    return part;
  }

  const MeshLayer* uv_layer(const std::string& set) {
    const FbxRecord* uvs = find_layer(record_, "LayerElementUV", set);
    return &uv_layers_.try_emplace(uvs, document_, uvs, "UV", "UVIndex", 2).first->second;
  }

  static Vec2 uv_at(const MeshLayer& layer, const Corner& corner) {
    const double* uv = layer.at(corner);
    return uv == nullptr ? Vec2{} : Vec2{float(uv[0]), float(1 - uv[1])};
  }

  void add_vertex(const Corner& corner, Part& part) {
    SceneMesh& mesh = part.result.mesh;
    part.result.control_points.push_back(corner.control_point);
    mesh.indices.push_back(uint32_t(mesh.positions.size()));
    mesh.positions.push_back(points_[corner.control_point]);
    if (!normals_.is_empty()) mesh.normals.push_back(vector_of(normals_.at(corner)));
    if (!part.uvs->is_empty()) mesh.uvs.push_back(uv_at(*part.uvs, corner));
    if (part.second_uvs != nullptr) mesh.second_uvs.push_back(uv_at(*part.second_uvs, corner));
    if (!colors_.is_empty()) {
      const double* c = colors_.at(corner);
      part.colors.push_back(c == nullptr ? Vec4{1, 1, 1, 1} : Vec4{float(c[0]), float(c[1]), float(c[2]), float(c[3])});
    }
    mesh.has_tangents = !normals_.is_empty() && !tangents_.is_empty() && !bitangents_.is_empty();
    if (mesh.has_tangents && options_.tangents) add_tangent(corner, mesh);
  }

  /// The handedness is 0 where normal, tangent and bitangent lie in one plane: it is unknown.
  void add_tangent(const Corner& corner, SceneMesh& mesh) const {
    const Vec3 t = vector_of(tangents_.at(corner));
    const float handedness = dot(cross(mesh.normals.back(), t), vector_of(bitangents_.at(corner)));
    mesh.tangents.push_back({t.x, t.y, t.z, handedness > 0 ? 1.0f : handedness < 0 ? -1.0f : 0.0f});
  }

  FbxMesh finish() {
    FbxMesh mesh;
    mesh.control_point_count = uint32_t(points_.size());
    for (auto& [material, part] : parts_) {
      if (!part.colors.empty()) {
        part.result.mesh.colors = srgb_vertex_colors(std::move(part.colors), "mesh '" + name_ + "'", report_);
      }
      mesh.parts.push_back(std::move(part.result));
    }
    return mesh;
  }

  const FbxDocument& document_;
  const FbxRecord& record_;
  const std::string& name_;
  const FbxMeshOptions& options_;
  ImportReport& report_;
  const MeshLayer normals_, tangents_, bitangents_, colors_;
  std::vector<Vec3> points_, polygon_;
  std::vector<std::array<uint32_t, 3>> triangles_;
  std::vector<int64_t> materials_;
  bool material_by_polygon_ = false;
  uint32_t lines_ = 0;
  std::map<const FbxRecord*, MeshLayer> uv_layers_;
  std::map<int32_t, Part> parts_;
};

}  // namespace

FbxMesh read_fbx_mesh(const FbxDocument& document, const FbxObject& geometry, const FbxMeshOptions& options,
                      uint64_t& corners_left, ImportReport& report) {
  return MeshReader(document, geometry, options, report).read(corners_left);
}

}  // namespace sinew::internal
