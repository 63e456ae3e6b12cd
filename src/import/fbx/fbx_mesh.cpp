#include "fbx/fbx_mesh.h"

#include <map>

#include "failure.h"

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
    for (size_t i = 0; i + 2 < points.size(); i += 3)
      points_.push_back({float(points[i]), float(points[i + 1]), float(points[i + 2])});
    read_materials();
    PolygonMesh mesh(name_, points_, report_);
    std::vector<PolygonCorner> corners;
    uint32_t polygon = 0;
    for (size_t i = 0; i < polygons.size(); ++i) {
      const bool is_last = polygons[i] < 0;
      const int64_t point = is_last ? -1 - polygons[i] : polygons[i];
      require_vertex(point, points_.size(), "mesh", name_);
      const int32_t material = material_of(polygon);
      corners.push_back(values_at({polygon, uint32_t(i), uint32_t(point)}, layers_of(material)));
      if (!is_last) continue;
      mesh.add(material, values_of(layers_of(material)), corners);
      corners.clear();
      ++polygon;
    }
    return {mesh.finish(), uint32_t(points_.size())};
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

  /// The texture coordinates of a material.
  struct UvLayers {
    const MeshLayer* first = nullptr;
    const MeshLayer* second = nullptr;  // null: the material uses one set
  };

  const UvLayers& layers_of(int32_t material) {
    const auto [found, is_new] = uv_layers_of_.try_emplace(material);
    if (!is_new) return found->second;
    const bool has_sets = material >= 0 && size_t(material) < options_.uv_sets.size();
    const std::vector<std::string> sets = has_sets ? options_.uv_sets[size_t(material)] : std::vector<std::string>();
    found->second.first = uv_layer(sets.empty() ? "" : sets[0]);
    if (sets.size() > 1) found->second.second = uv_layer(sets[1]);
    return found->second;
  }

  const MeshLayer* uv_layer(const std::string& set) {
    const FbxRecord* uvs = find_layer(record_, "LayerElementUV", set);
    return &uv_layers_.try_emplace(uvs, document_, uvs, "UV", "UVIndex", 2).first->second;
  }

  PolygonValues values_of(const UvLayers& uvs) const {
    return {!normals_.is_empty(),   !tangents_.is_empty() && !bitangents_.is_empty(),
            !uvs.first->is_empty(), uvs.second != nullptr,
            !colors_.is_empty(),    options_.tangents};
  }

  PolygonCorner values_at(const Corner& corner, const UvLayers& uvs) const {
    return {corner.control_point,   normals_.at(corner),   tangents_.at(corner),
            bitangents_.at(corner), uvs.first->at(corner), uvs.second == nullptr ? nullptr : uvs.second->at(corner),
            colors_.at(corner)};
  }

  const FbxDocument& document_;
  const FbxRecord& record_;
  const std::string& name_;
  const FbxMeshOptions& options_;
  ImportReport& report_;
  const MeshLayer normals_, tangents_, bitangents_, colors_;
  std::vector<Vec3> points_;
  std::vector<int64_t> materials_;
  bool material_by_polygon_ = false;
  std::map<const FbxRecord*, MeshLayer> uv_layers_;
  std::map<int32_t, UvLayers> uv_layers_of_;
};

}  // namespace

FbxMesh read_fbx_mesh(const FbxDocument& document, const FbxObject& geometry, const FbxMeshOptions& options,
                      uint64_t& corners_left, ImportReport& report) {
  return MeshReader(document, geometry, options, report).read(corners_left);
}

}  // namespace sinew::internal
