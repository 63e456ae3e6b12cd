// The reader of FBX: file → records → objects → nodes, meshes, materials and clips of a scene.
#include <algorithm>
#include <cmath>
#include <map>

#include "failure.h"
#include "fbx/fbx_clips.h"
#include "fbx/fbx_deformers.h"
#include "fbx/fbx_lost.h"
#include "fbx/fbx_materials.h"
#include "fbx/fbx_mesh.h"
#include "fbx/fbx_nodes.h"
#include "fbx/fbx_objects.h"
#include "fbx/fbx_stack.h"
#include "folder.h"
#include "image.h"
#include "readers.h"
#include "scene.h"
#include "surface.h"

namespace sinew::internal {
namespace {

constexpr uint32_t kFirstVersion = 6000;
constexpr uint64_t kMaxCorners = uint64_t(1) << 26;

/// Binary files before 6.0 have another version at their beginning.
uint32_t version_in_header(const FbxDocument& document) {
  const FbxRecord* header = document.find("FBXHeaderExtension");
  const FbxRecord* version = header == nullptr ? nullptr : header->child("FBXVersion");
  return version == nullptr ? 0 : uint32_t(version->integer(0));
}

FbxDocument parse(std::span<const uint8_t> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  FbxDocument document = is_binary_fbx(file) ? parse_binary_fbx(file) : parse_text_fbx(text);
  const uint32_t version = std::max(document.version, version_in_header(document));
  if (version >= kFirstVersion) return document;
  require(version > 0, [] { return "it does not say its version of FBX"; });
  fail("it is FBX " + std::to_string(version / 1000) + "." + std::to_string(version / 100 % 10) +
           ", which is not read: export it as FBX 7.4 or newer",
       ErrorCode::kUnsupported);
}

/// The axis that two settings name, such as "UpAxis" and "UpAxisSign".
Vec3 axis_of(const FbxProperties& settings, const std::string& name, Vec3 fallback) {
  const int64_t index = settings.integer(name, -1);
  if (index < 0 || index > 2) return fallback;
  const float length = settings.integer(name + "Sign", 1) < 0 ? -1.0f : 1.0f;
  return {index == 0 ? length : 0, index == 1 ? length : 0, index == 2 ? length : 0};
}

ModelSpace read_space(const FbxProperties& settings) {
  ModelSpace space;
  space.up = axis_of(settings, "UpAxis", {0, 1, 0});
  space.front = axis_of(settings, "FrontAxis", {0, 0, 1});
  // The unit is given in centimeters. Text that is not a number gives NaN: repair_space() says what is taken.
  const double missing = settings.has("UnitScaleFactor") ? double(NAN) : 1;
  space.meters_per_unit = float(0.01 * settings.real("UnitScaleFactor", missing));
  return space;
}

/// Finds what is lost of objects that nothing else reads.
void find_lost_objects(const FbxObjects& objects, LostFeatures& lost) {
  for (uint32_t i = 1; i < objects.count(); ++i) {
    const FbxObject& object = objects[i];
    if (object.type == "Geometry" && object.kind != "Mesh" && object.kind != "Shape" && !object.targets.empty()) {
      add(lost, FbxLost::kCurvedSurface, object.name);
    }
    if (object.kind == "VertexCacheDeformer") add(lost, FbxLost::kVertexCache, object.name);
    if (object.type == "Constraint" && object.kind != "Character") add(lost, FbxLost::kConstraint, object.name);
    if (object.type == "NodeAttribute" && object.kind == "LodGroup") add(lost, FbxLost::kDetailGroup, object.name);
    if (object.type == "Model" && object.properties.integer("RotationOrder", 0) == 6) {
      add(lost, FbxLost::kSphericalOrder, object.name);
    }
  }
}

constexpr std::string_view kPivots[] = {"RotationOffset",    "RotationPivot",   "ScalingOffset", "ScalingPivot",
                                        "PreRotation",       "PostRotation",    "RotationOrder", "GeometricTranslation",
                                        "GeometricRotation", "GeometricScaling"};

bool changes(const FbxAnimated& animated) {
  return std::any_of(animated.curves.begin(), animated.curves.end(), [](const FbxCurve* curve) {
    if (curve == nullptr || curve->keys.empty()) return false;
    const double first = curve->keys.front().value;
    return std::any_of(curve->keys.begin(), curve->keys.end(), [&](const FbxKey& key) { return key.value != first; });
  });
}

/// Finds curves of properties that this reader keeps still. Each object counts once a stack.
void find_lost_curves(const FbxObjects& objects, const FbxStack& stack, LostFeatures& lost) {
  for (const FbxLayer& layer : stack.layers) {
    for (const auto& [property, animated] : layer.animated) {
      const FbxObject& object = objects[property.first];
      if (!changes(animated)) continue;
      if (object.type == "Material") add(lost, FbxLost::kAnimatedMaterial, object.name);
      if (object.type != "Model") continue;
      if (property.second == "Visibility") add(lost, FbxLost::kAnimatedVisibility, object.name);
      const bool is_pivot = std::find(std::begin(kPivots), std::end(kPivots), property.second) != std::end(kPivots);
      if (is_pivot) add(lost, FbxLost::kAnimatedPivot, object.name);
    }
  }
}

class FbxReader {
 public:
  FbxReader(std::span<const uint8_t> file, const Folder& folder, Wanted wanted, ImportReport& report)
      : document_(parse(file)),
        objects_(document_),
        stacks_(objects_),
        nodes_(objects_, stacks_),
        tangents_(wanted.tangents),
        report_(report),
        images_(folder, wanted.images, report),
        lost_(lost_features_of_fbx()),
        materials_(objects_, images_, lost_, scene_) {}

  Scene read() {
    scene_.space = read_space(objects_.settings());
    repair_space(scene_.space, report_.warnings, 0.01f);  // the default unit is the centimeter
    nodes_.append_to(scene_);
    read_meshes();
    drop_colors_over_images();
    find_lost();
    scene_.fit = append_fbx_clips(nodes_, stacks_, morphed_, scene_, report_.warnings);
    if (stacks_.dropped_keys() > 0) {
      scene_.motion_warnings.push_back(std::to_string(stacks_.dropped_keys()) + " keys are not finite, dropped");
    }
    lost_.append_to(report_.warnings, LostFrom::kLooks);
    lost_.append_to(scene_.motion_warnings, LostFrom::kMotion);
    return std::move(scene_);
  }

 private:
  void warn(std::string text) { report_.warnings.push_back(std::move(text)); }

  void find_lost() {
    find_lost_objects(objects_, lost_);
    for (const FbxStack& stack : stacks_.stacks()) find_lost_curves(objects_, stack, lost_);
    for (uint32_t i = 0; i < nodes_.cyclic_models(); ++i) add(lost_, FbxLost::kCyclicModel);
  }

  // --- meshes ---

  /// 3ds Max and Unity draw no vertex colors unless they are told to. On a character with an image they are often data
  /// of a shader, such as wind.
  void drop_colors_over_images() {
    for (SceneMesh& mesh : scene_.meshes) {
      if (mesh.colors.empty() || mesh.material < 0) continue;
      if (scene_.materials[size_t(mesh.material)].base_color_texture.image < 0) continue;
      mesh.colors.clear();
      add(lost_, FbxLost::kVertexColors, mesh.name);
    }
  }

  /// A geometry with the materials of one of its models.
  struct Geometry {
    std::vector<uint32_t> meshes;  // in the scene
    std::optional<FbxSkin> skin;
    FbxShapes shapes;
    int32_t plain_skin = -1;  // in the scene, for models without a geometric transform
  };

  std::vector<uint32_t> meshes_of(const FbxNode& node) const {
    return objects_.sources_of(node.object, "Geometry", "Mesh");
  }

  /// Hidden meshes are left out, unless all are hidden: then something is shown all the same.
  void read_meshes() {
    bool some_visible = false, some_hidden = false;
    for (const FbxNode& node : nodes_.nodes()) {
      if (!meshes_of(node).empty()) (node.is_visible ? some_visible : some_hidden) = true;
    }
    if (some_hidden && !some_visible) warn(kAllMeshesHidden);
    for (const FbxNode& node : nodes_.nodes()) {
      if (!node.is_visible && some_visible) continue;
      for (const uint32_t geometry : meshes_of(node)) use_geometry(node, geometry);
    }
    vote_for_blend();
  }

  void use_geometry(const FbxNode& node, uint32_t object) {
    const std::vector<uint32_t> materials = objects_.sources_of(node.object, "Material");
    const auto [known, is_new] = geometries_.try_emplace({object, materials});
    Geometry& geometry = known->second;
    if (is_new) read_geometry(object, materials, geometry);
    if (geometry.meshes.empty()) return;
    uint32_t scene_node = node.full_node;
    if (node.has_geometric_transform) {
      scene_node = uint32_t(scene_.nodes.size());
      SceneNode& below = scene_.nodes.emplace_back();
      below.name = scene_.nodes[node.unscaled_node].name;
      below.parent = int32_t(node.full_node);
      set_rest(below, node.node_from_geometry);
    }
    const int32_t skin = geometry.skin ? skin_for(node, geometry) : -1;
    for (const uint32_t mesh : geometry.meshes) scene_.uses.push_back({scene_node, mesh, skin});
    if (geometry.shapes.channels.empty()) return;
    morphed_.push_back({scene_node, &geometry.shapes, displacements(geometry, scene_node)});
  }

  int32_t skin_for(const FbxNode& node, Geometry& geometry) {
    if (!node.has_geometric_transform && geometry.plain_skin >= 0) return geometry.plain_skin;
    SceneSkin skin = geometry.skin->skin;
    for (Matrix3x4d& joint_from_mesh : skin.joint_from_mesh)
      joint_from_mesh = joint_from_mesh * node.node_from_geometry;
    scene_.skins.push_back(std::move(skin));
    const int32_t index = int32_t(scene_.skins.size()) - 1;
    if (!node.has_geometric_transform) geometry.plain_skin = index;
    return index;
  }

  void read_geometry(uint32_t object, const std::vector<uint32_t>& materials, Geometry& geometry) {
    FbxMeshOptions options{tangents_ == ReadTangents::kAlways, {}};
    std::vector<int32_t> scene_materials;
    for (const uint32_t material : materials) {
      const ConvertedMaterial& read = materials_.read(material);
      scene_materials.push_back(read.material);
      options.uv_sets.push_back(read.uv_sets);
      options.tangents = options.tangents || (read.has_normal_map && tangents_ == ReadTangents::kForNormalMaps);
    }
    FbxMesh mesh = read_fbx_mesh(document_, objects_[object], options, corners_left_, report_);
    geometry.skin = read_fbx_skin(objects_, object, mesh.control_point_count, nodes_, lost_);
    geometry.shapes = read_fbx_shapes(objects_, object, mesh.control_point_count);
    for (PolygonPart& part : mesh.parts) {
      const int32_t material = part.mesh.material;
      const bool exists = material >= 0 && size_t(material) < scene_materials.size();
      part.mesh.material = exists ? scene_materials[size_t(material)] : -1;
      if (geometry.skin) {
        add_influences(geometry.skin->influences, part);
        skinned_vertices_[geometry.skin->blend] += part.mesh.positions.size();
      }
      add_targets(geometry.shapes.shapes, part, report_);
      weld(part.mesh);
      if (part.mesh.indices.empty()) continue;
      geometry.meshes.push_back(uint32_t(scene_.meshes.size()));
      scene_.meshes.push_back(std::move(part.mesh));
    }
  }

  /// How far each shape moves a vertex at most, in model space.
  std::vector<double> displacements(const Geometry& geometry, uint32_t scene_node) const {
    Matrix3x4d model_from_node;
    for (int32_t node = int32_t(scene_node); node >= 0; node = scene_.nodes[size_t(node)].parent) {
      model_from_node = scene_.nodes[size_t(node)].parent_from_node * model_from_node;
    }
    const double scale = std::cbrt(std::abs(determinant(model_from_node)));
    std::vector<double> result;
    for (const PointShape& shape : geometry.shapes.shapes) {
      double largest = 0;
      for (const Vec3 position : shape.positions) largest = std::max(largest, double(length(position)));
      result.push_back(largest * scale);
    }
    return result;
  }

  /// A character has one way of blending: that of most skinned vertices.
  void vote_for_blend() {
    const size_t linear = skinned_vertices_[Blend::kLinear], dual = skinned_vertices_[Blend::kDualQuaternion];
    scene_.blend = dual > linear ? Blend::kDualQuaternion : Blend::kLinear;
    for (const auto& [key, geometry] : geometries_) {
      if (geometry.skin && geometry.skin->blend != scene_.blend) {
        add(lost_, FbxLost::kMixedSkinning, objects_[key.first].name);
      }
    }
  }

  const FbxDocument document_;
  const FbxObjects objects_;
  const FbxStacks stacks_;
  FbxNodes nodes_;
  const ReadTangents tangents_;
  ImportReport& report_;
  ImageReader images_;
  LostFeatures lost_;
  Scene scene_;
  FbxMaterials materials_;
  uint64_t corners_left_ = kMaxCorners;
  std::map<std::pair<uint32_t, std::vector<uint32_t>>, Geometry> geometries_;
  std::map<Blend, size_t> skinned_vertices_;
  std::vector<FbxMorphedNode> morphed_;
};

}  // namespace

Scene read_fbx_scene(std::span<const uint8_t> file, const Folder& folder, Wanted wanted, ImportReport& report) {
  return FbxReader(file, folder, wanted, report).read();
}

Scene read_fbx(const std::string& path, Wanted wanted, ImportReport& report) {
  const std::vector<uint8_t> file = read_whole_file(path);
  return read_fbx_scene(file, Folder(path), wanted, report);
}

}  // namespace sinew::internal
