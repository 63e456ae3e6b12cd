// The reader of COLLADA 1.4 and 1.5: document → nodes → meshes with their deformers and materials → clips of a scene.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "collada/collada_animations.h"
#include "collada/collada_clips.h"
#include "collada/collada_controllers.h"
#include "collada/collada_lost.h"
#include "collada/collada_materials.h"
#include "collada/collada_mesh.h"
#include "failure.h"
#include "readers.h"
#include "surface.h"

namespace sinew::internal {
namespace {

constexpr uint64_t kMaxColladaCorners = uint64_t(1) << 27;
constexpr size_t kMaxUses = size_t(1) << 20;

ModelSpace read_space(pugi::xml_node asset) {
  ModelSpace space;
  const std::vector<std::string_view> axis = words_in(asset.child("up_axis").text().get());
  if (!axis.empty() && axis[0] == "X_UP") space.up = {1, 0, 0};
  if (!axis.empty() && axis[0] == "Z_UP") space.up = {0, 0, 1}, space.front = {0, -1, 0};
  const std::vector<double> meters = numbers_in(asset.child("unit").attribute("meter").value());
  if (!meters.empty()) space.meters_per_unit = float(meters[0]);
  return space;
}

bool is_hidden(pugi::xml_node node) {
  for (const pugi::xml_node extra : node.children("extra")) {
    for (const pugi::xml_node technique : extra.children("technique")) {
      const std::vector<std::string_view> words = words_in(technique.child("visibility").text().get());
      if (words.size() == 1 && (words[0] == "0" || words[0] == "false")) return true;
    }
  }
  return false;
}

bool is_mesh_instance(pugi::xml_node element) {
  return is_named(element, "instance_geometry") || is_named(element, "instance_controller");
}

class ColladaReader {
 public:
  ColladaReader(std::vector<uint8_t> bytes, const Folder& folder, Wanted wanted, ImportReport& report)
      : size_bytes_(bytes.size()),
        document_(std::move(bytes)),
        nodes_(document_),
        sources_(document_),
        report_(report),
        images_(folder, wanted.images, report),
        lost_(lost_features_of_collada()),
        materials_(document_, images_, lost_, scene_),
        meshes_{document_, sources_, wanted.tangents, kMaxColladaCorners, report} {}

  Scene read() {
    find_lost(document_, lost_);
    scene_.space = read_space(document_.root().child("asset"));
    repair_space(scene_.space, report_.warnings);
    read_nodes();
    read_meshes();
    const ColladaAnimations animations = read_animations(document_, nodes_, sources_, lost_);
    append_collada_clips(nodes_, animations, morphed_, size_bytes_, scene_);
    lost_.append_to(report_.warnings, LostFrom::kLooks);
    lost_.append_to(scene_.motion_warnings, LostFrom::kMotion);
    return std::move(scene_);
  }

 private:
  void warn(std::string text) { report_.warnings.push_back(std::move(text)); }

  void read_nodes() {
    for (const ColladaNode& source : nodes_.nodes()) {
      const ColladaElement& element = nodes_.elements()[source.element];
      SceneNode& node = scene_.nodes.emplace_back();
      node.name = element.name.empty() ? "node_" + std::to_string(scene_.nodes.size() - 1) : element.name;
      node.parent = source.parent;
      set_rest(node, rest_of(element));
    }
  }

  // --- meshes ---

  pugi::xml_node xml_of(uint32_t node) const { return nodes_.elements()[nodes_.nodes()[node].element].xml; }

  /// Hidden nodes hide what is below them, unless all meshes are hidden: then something is shown all the same.
  void read_meshes() {
    std::vector<bool> hidden;
    bool some_visible = false, some_hidden = false;
    const uint32_t end = nodes_.nodes().front().end;  // beyond it are skeletons that are in no scene
    for (uint32_t node = 0; node < end; ++node) {
      const int32_t parent = scene_.nodes[node].parent;
      hidden.push_back((parent >= 0 && hidden[size_t(parent)]) || is_hidden(xml_of(node)));
      const bool draws = bool(xml_of(node).find_child(is_mesh_instance));
      if (draws) (hidden[node] ? some_hidden : some_visible) = true;
    }
    if (some_hidden && !some_visible) warn(kAllMeshesHidden);
    for (uint32_t node = 0; node < end; ++node) {
      if (hidden[node] && some_visible) continue;
      for (const pugi::xml_node instance : xml_of(node).children())
        if (is_mesh_instance(instance)) use_mesh(node, instance);
    }
  }

  /// A mesh with its deformers and materials: several instances may use it.
  struct Deformed {
    std::vector<uint32_t> meshes;  // in the scene
    std::optional<ColladaSkin> skin;
    std::map<std::vector<uint32_t>, int32_t> skins;  // in the scene, by their joints
    struct Morph {
      pugi::xml_node element;
      uint32_t first_target = 0;
      std::vector<double> displacements;  // the largest of each shape, in the mesh's space
    };
    std::vector<Morph> morphs;
  };

  void use_mesh(uint32_t node, pugi::xml_node instance) {
    const ColladaDeformers deformers = deformers_of(document_, instance.attribute("url").value(), lost_);
    if (!deformers.mesh) return;
    ColladaBindings bindings = materials_.bindings_of(instance, deformers.mesh);
    const auto [known, is_new] = deformed_.try_emplace({instance.attribute("url").value(), std::move(bindings)});
    Deformed& deformed = known->second;
    if (is_new) read_deformed(deformers, known->first.second, deformed);
    if (deformed.meshes.empty()) return;
    for (const uint32_t mesh : deformed.meshes) {
      drawn_ += scene_.meshes[mesh].positions.size();
      require(drawn_ <= kMaxColladaCorners, [] { return "its nodes draw too many vertices"; });
    }
    const int32_t skin = deformed.skin ? skin_for(node, instance, deformed) : -1;
    for (const uint32_t mesh : deformed.meshes) {
      require(scene_.uses.size() < kMaxUses,
              [] { return "its nodes draw more than " + std::to_string(kMaxUses) + " meshes"; });
      scene_.uses.push_back({node, mesh, skin});
    }
    for (const Deformed::Morph& morph : deformed.morphs) {
      meshes_.take_corners(morph.displacements.size());
      morphed_.push_back({node, morph.element, morph.first_target, &morph.displacements, scale_of(node, skin)});
    }
  }

  /// Of the mesh's space in model space: of a skin, that of its first joint.
  double scale_of(uint32_t node, int32_t skin) const {
    Matrix3x4d matrix = model_from(node);
    if (skin >= 0 && !scene_.skins[size_t(skin)].nodes.empty()) {
      const SceneSkin& own = scene_.skins[size_t(skin)];
      matrix = model_from(own.nodes[0]) * own.joint_from_mesh[0];
    }
    const double scale = std::cbrt(std::abs(determinant(matrix)));
    return scale > 0 ? scale : 1;  // bind matrices that the file does not have are zero
  }

  Matrix3x4d model_from(uint32_t index) const {
    Matrix3x4d matrix;
    for (auto node = int32_t(index); node >= 0; node = scene_.nodes[size_t(node)].parent)
      matrix = scene_.nodes[size_t(node)].parent_from_node * matrix;
    return matrix;
  }

  void read_deformed(const ColladaDeformers& deformers, const ColladaBindings& bindings, Deformed& deformed) {
    const std::vector<Vec3> points = points_of(deformers.mesh, meshes_);
    std::vector<PolygonPart> parts = read_collada_mesh(deformers.mesh, points, bindings, meshes_);
    if (deformers.skin) deformed.skin = read_collada_skin(deformers.skin, points.size(), nodes_, sources_, lost_);
    std::vector<PointShape> shapes;
    for (const pugi::xml_node morph : deformers.morphs) {
      Deformed::Morph& added = deformed.morphs.emplace_back();
      added.element = morph;
      added.first_target = uint32_t(shapes.size());
      for (PointShape& shape : read_collada_shapes(morph, points, meshes_, lost_)) {
        double largest = 0;
        for (const Vec3 position : shape.positions) largest = std::max(largest, double(length(position)));
        added.displacements.push_back(largest);
        shapes.push_back(std::move(shape));
      }
    }
    for (PolygonPart& part : parts) {
      meshes_.take_corners(shapes.size() * part.points.size());
      if (deformed.skin) {
        uint64_t influences = 0;
        for (const uint32_t point : part.points) influences += deformed.skin->influences[point].size();
        meshes_.take_corners(influences);
        add_influences(deformed.skin->influences, part);
      }
      add_targets(shapes, part, report_);
      weld(part.mesh);
      if (part.mesh.indices.empty()) continue;
      deformed.meshes.push_back(uint32_t(scene_.meshes.size()));
      scene_.meshes.push_back(std::move(part.mesh));
    }
    if (deformed.skin) deformed.skin->influences.clear();
  }

  /// The skin of an instance: its joints are below its own skeletons.
  int32_t skin_for(uint32_t node, pugi::xml_node instance, Deformed& deformed) {
    const ColladaSkin& source = *deformed.skin;
    meshes_.take_corners(source.joints.size());
    std::vector<uint32_t> roots, joints;
    for (const pugi::xml_node skeleton : instance.children("skeleton")) {
      const std::vector<std::string_view> address = words_in(skeleton.text().get());
      const pugi::xml_node root = address.empty() ? pugi::xml_node() : document_.at(address[0], {"node"});
      if (const auto found = nodes_.node_of(root, node)) roots.push_back(*found);
    }
    std::vector<Matrix3x4d> joint_from_mesh = source.joint_from_mesh;
    for (size_t i = 0; i < source.joints.size(); ++i) {
      const std::optional<uint32_t> joint = nodes_.joint(source.joints[i], source.are_ids, roots, node);
      joints.push_back(joint.value_or(0));
      if (joint) continue;
      joint_from_mesh[i] = source.bind_shape;  // the root of the scene does not move
      lost_.add(kLostJoints, source.joints[i]);
    }
    if (source.has_bind_shape_joint) joints.push_back(0), joint_from_mesh.push_back(source.bind_shape);
    const auto [known, is_new] = deformed.skins.try_emplace(joints, int32_t(scene_.skins.size()));
    if (is_new) scene_.skins.push_back({joints, std::move(joint_from_mesh)});
    return known->second;
  }

  const uint64_t size_bytes_;
  const ColladaDocument document_;
  ColladaNodes nodes_;
  ColladaSources sources_;
  ImportReport& report_;
  ImageReader images_;
  LostFeatures lost_;
  Scene scene_;
  ColladaMaterials materials_;
  ColladaMeshContext meshes_;
  std::map<std::pair<std::string, ColladaBindings>, Deformed> deformed_;  // by address and materials
  std::vector<ColladaMorphedNode> morphed_;
  uint64_t drawn_ = 0;  // vertices, of all uses
};

}  // namespace

Scene read_collada_scene(std::vector<uint8_t> file, const Folder& folder, Wanted wanted, ImportReport& report) {
  return ColladaReader(std::move(file), folder, wanted, report).read();
}

Scene read_collada(const std::string& path, Wanted wanted, ImportReport& report) {
  return read_collada_scene(read_whole_file(path), Folder(path), wanted, report);
}

}  // namespace sinew::internal
