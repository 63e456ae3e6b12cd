// Conversion of tinygltf's model into a Scene. Checks every index, count and offset. Source: glTF 2.0 specification.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "failure.h"
#include "folder.h"
#include "gltf/gltf_accessors.h"
#include "gltf/gltf_base_color.h"
#include "gltf/gltf_parse.h"
#include "gltf/gltf_targets.h"
#include "image.h"
#include "readers.h"
#include "surface.h"
#include "vertex_colors.h"

namespace sinew::internal {
namespace {

/// Converts 16 values in column-major order.
template <class Number>
Matrix3x4d matrix(const Number* v) {
  Matrix3x4d result;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) result.m[row][column] = double(v[column * 4 + row]);
  }
  return result;
}

/// Converts a tinygltf::Model into a Scene. Borrows all its arguments.
class GltfReader {
 public:
  GltfReader(const tinygltf::Model& model, const Folder& folder, bool tangents, ImportReport& report)
      : model_(model), accessors_(model), tangents_(tangents), report_(report), images_(folder, report) {}

  Scene read() {
    if (model_.extensions.count("VRM") > 0) scene_.space.front = {0, 0, -1};  // VRM 0; later versions as in glTF
    read_nodes();
    read_materials();
    for (const tinygltf::Skin& skin : model_.skins) read_skin(skin);
    for (uint32_t node = 0; node < nodes_in_scene_; ++node) use_mesh(node);
    for (const tinygltf::Animation& animation : model_.animations) read_clip(animation);
    return std::move(scene_);
  }

 private:
  void warn(std::string text) { report_.warnings.push_back(std::move(text)); }

  // --- nodes ---

  std::vector<int> parentless_nodes() const {
    std::vector<bool> has_parent(model_.nodes.size());
    for (const tinygltf::Node& node : model_.nodes) {
      for (const int child : node.children) {
        at(model_.nodes, child, "node");
        has_parent[size_t(child)] = true;
      }
    }
    std::vector<int> roots;
    for (size_t i = 0; i < has_parent.size(); ++i) {
      if (!has_parent[i]) roots.push_back(int(i));
    }
    return roots;
  }

  void read_nodes() {
    node_of_.assign(model_.nodes.size(), -1);
    const std::vector<int> all_roots = parentless_nodes();
    if (model_.scenes.empty()) {
      walk(all_roots);
      nodes_in_scene_ = scene_.nodes.size();
    } else {
      walk(at(model_.scenes, std::max(model_.defaultScene, 0), "scene").nodes);
      nodes_in_scene_ = scene_.nodes.size();
      std::vector<int> others;
      for (const int root : all_roots) {
        if (node_of_[size_t(root)] < 0) others.push_back(root);
      }
      walk(others);  // skins may use nodes outside the scene
    }
    const auto unreached = std::find(node_of_.begin(), node_of_.end(), -1);
    require(unreached == node_of_.end(),
            [&] { return "node " + std::to_string(unreached - node_of_.begin()) + " is its own ancestor"; });
  }

  void walk(const std::vector<int>& roots) {
    struct Visit {
      int node, parent;
    };
    std::vector<Visit> pending;
    for (auto root = roots.rbegin(); root != roots.rend(); ++root) pending.push_back({*root, -1});
    while (!pending.empty()) {
      const Visit visit = pending.back();
      pending.pop_back();
      const tinygltf::Node& node = at(model_.nodes, visit.node, "node");
      require(node_of_[size_t(visit.node)] < 0, [&] {
        return "node " + std::to_string(visit.node) + " is reached twice: its own ancestor, or a child of two nodes";
      });
      const int index = int(scene_.nodes.size());
      node_of_[size_t(visit.node)] = index;
      gltf_node_.push_back(visit.node);
      scene_.nodes.push_back(read_node(node, visit.parent));
      for (auto child = node.children.rbegin(); child != node.children.rend(); ++child) {
        pending.push_back({*child, index});
      }
    }
  }

  SceneNode read_node(const tinygltf::Node& source, int parent) const {
    SceneNode node;
    node.name = source.name.empty() ? "node_" + std::to_string(gltf_node_.back()) : source.name;
    node.parent = parent;
    if (source.matrix.size() == 16) {
      set_rest(node, matrix(source.matrix.data()));
      return node;
    }
    Transform rest;
    const auto& t = source.translation;
    const auto& r = source.rotation;
    const auto& s = source.scale;
    if (t.size() == 3) rest.translation = {float(t[0]), float(t[1]), float(t[2])};
    if (r.size() == 4) rest.rotation = normalize(Quat{float(r[0]), float(r[1]), float(r[2]), float(r[3])});
    if (s.size() == 3) rest.scale = {float(s[0]), float(s[1]), float(s[2])};
    set_rest(node, rest);
    return node;
  }

  uint32_t scene_node(int gltf_node) const {
    at(model_.nodes, gltf_node, "node");
    return uint32_t(node_of_[size_t(gltf_node)]);
  }

  // --- materials ---

  void read_materials() {
    image_of_.assign(model_.images.size(), kNotTried);
    for (const tinygltf::Material& source : model_.materials) {
      Material material;
      material.name = source.name;
      const BaseColor base = base_color_of(source);
      material.base_color = base.factor;
      if (base.texture >= 0) material.base_color_image = texture_image(base.texture);
      material.double_sided = source.doubleSided;
      material.unlit = source.extensions.count("KHR_materials_unlit") > 0;
      read_alpha(source, material);
      warn_of_other_sets(source);
      scene_.materials.push_back(material);
    }
  }

  void read_alpha(const tinygltf::Material& source, Material& material) {
    if (source.alphaMode == "MASK") material.alpha_mode = AlphaMode::kMask;
    if (source.alphaMode == "BLEND") material.alpha_mode = AlphaMode::kBlend;
    if (material.alpha_mode == AlphaMode::kOpaque && source.alphaMode != "OPAQUE") {
      warn("material '" + source.name + "': alpha mode '" + source.alphaMode + "' is unknown, opaque instead");
    }
    const float cutoff = float(source.alphaCutoff);
    if (std::isfinite(cutoff) && cutoff >= 0) {
      material.alpha_cutoff = cutoff;
    } else {
      warn("material '" + source.name + "': its alpha cutoff is negative or not finite, 0.5 instead");
    }
  }

  /// A mesh has one set of texture coordinates: those of the base color.
  void warn_of_other_sets(const tinygltf::Material& source) {
    const TextureCoordinates read = base_color_of(source).coordinates;
    bool same_set = true, same = true;
    const auto compare = [&](const auto& texture) {
      if (texture.index < 0) return;
      const TextureCoordinates other = texture_coordinates(texture.texCoord, texture.extensions);
      same_set = same_set && other.set == read.set;
      same = same && other == read;
    };
    compare(source.normalTexture), compare(source.occlusionTexture), compare(source.emissiveTexture);
    compare(source.pbrMetallicRoughness.metallicRoughnessTexture);
    if (!same_set) {
      warn("material '" + source.name + "': of its texture coordinates only set " + std::to_string(read.set) +
           " is read, that of the base color");
    } else if (!same) {
      warn("material '" + source.name + "': texture coordinates are transformed as those of the base color, also for " +
           "its other textures");
    }
  }

  /// The index of a texture's image. If only an extension for its format names one, that index. -1: none.
  int image_of(const tinygltf::Texture& texture) const {
    if (texture.source >= 0) return texture.source;
    for (const auto& [name, extension] : texture.extensions) {
      if (extension.Has("source") && extension.Get("source").IsInt()) return extension.Get("source").GetNumberAsInt();
    }
    return -1;
  }

  int32_t texture_image(int texture) {
    const int source = image_of(at(model_.textures, texture, "texture"));
    if (source < 0) {
      warn("texture " + std::to_string(texture) + " has no image that can be read: plain color instead");
      return -1;
    }
    const tinygltf::Image& image = at(model_.images, source, "image");
    int32_t& result = image_of_[size_t(source)];
    if (result != kNotTried) return result;
    if (std::optional<Image> decoded = decode(image)) {
      scene_.images.push_back(std::move(*decoded));
      return result = int32_t(scene_.images.size()) - 1;
    }
    return result = -1;
  }

  std::optional<Image> decode(const tinygltf::Image& image) {
    const std::string name = image.name.empty() ? image.uri : image.name;
    if (image.bufferView >= 0) return images_.decode(accessors_.view(image.bufferView, 0, false).bytes, name);
    if (image.image.empty()) return images_.load(image.uri);
    return images_.decode(image.image, name);
  }

  // --- skins and meshes ---

  void read_skin(const tinygltf::Skin& source) {
    SceneSkin skin;
    require(!source.joints.empty(), [&] { return "skin '" + source.name + "' has no joints"; });
    for (const int joint : source.joints) skin.nodes.push_back(scene_node(joint));
    skin.joint_from_mesh.resize(skin.nodes.size());  // the identity if the file has none: section 3.7.3.1
    if (source.inverseBindMatrices < 0) {
      report_.computed_inverse_binds += uint32_t(skin.nodes.size());
    } else {
      const std::vector<float> numbers = accessors_.floats(source.inverseBindMatrices, {TINYGLTF_TYPE_MAT4});
      require(numbers.size() >= skin.nodes.size() * 16,
              [&] { return "skin '" + source.name + "' has fewer inverse bind matrices than joints"; });
      for (size_t i = 0; i < skin.nodes.size(); ++i) skin.joint_from_mesh[i] = matrix(&numbers[i * 16]);
    }
    scene_.skins.push_back(std::move(skin));
  }

  void use_mesh(uint32_t scene_index) {
    const tinygltf::Node& node = model_.nodes[size_t(gltf_node_[scene_index])];
    if (node.mesh < 0) return;
    const tinygltf::Mesh& mesh = at(model_.meshes, node.mesh, "mesh");
    if (node.skin >= 0) at(model_.skins, node.skin, "skin");
    auto [first_use, is_new] = meshes_of_.try_emplace(node.mesh);
    if (is_new) {
      for (const tinygltf::Primitive& primitive : mesh.primitives) read_primitive(mesh, primitive, first_use->second);
    }
    for (const uint32_t index : first_use->second) {
      check_joints(scene_.meshes[index], node.skin);
      scene_.uses.push_back({scene_index, index, node.skin, {node.weights.begin(), node.weights.end()}});
    }
  }

  void check_joints(const SceneMesh& mesh, int skin) const {
    if (skin < 0) return;
    const size_t joint_count = scene_.skins[size_t(skin)].nodes.size();
    for (const SceneInfluence& influence : mesh.influences) {
      require(influence.joint < joint_count || !(influence.weight > 0), [&] {
        return "mesh '" + mesh.name + "' names joint " + std::to_string(influence.joint) + " of a skin of " +
               std::to_string(joint_count);
      });
    }
  }

  void read_primitive(const tinygltf::Mesh& owner, const tinygltf::Primitive& source, std::vector<uint32_t>& meshes) {
    const auto position = source.attributes.find("POSITION");
    if (source.mode < TINYGLTF_MODE_TRIANGLES || position == source.attributes.end()) {
      return warn("mesh '" + owner.name + "': a primitive of points or lines, or without positions, is left out");
    }
    SceneMesh mesh;
    mesh.name = owner.name;
    if (source.material >= 0) at(model_.materials, source.material, "material");
    mesh.material = std::max(source.material, -1);
    mesh.positions = accessors_.vectors<Vec3>(position->second);
    read_surface(source, mesh);
    read_influences(source, mesh);
    read_triangles(source, mesh);
    mesh.targets = read_targets(accessors_, owner, source, mesh.positions.size(), tangents_, report_);
    meshes.push_back(uint32_t(scene_.meshes.size()));
    scene_.meshes.push_back(std::move(mesh));
  }

  void check_count(const SceneMesh& mesh, size_t count, const std::string& attribute) const {
    require(count == mesh.positions.size(), [&] {
      return "mesh '" + mesh.name + "' has " + std::to_string(mesh.positions.size()) + " positions but " +
             std::to_string(count) + " of " + attribute;
    });
  }

  /// Reads a vertex attribute: one value per vertex, or none if the file has none.
  template <class Vector>
  std::vector<Vector> attribute(const tinygltf::Primitive& source, const std::string& name,
                                const SceneMesh& mesh) const {
    const auto found = source.attributes.find(name);
    if (found == source.attributes.end()) return {};
    std::vector<Vector> values = accessors_.vectors<Vector>(found->second);
    check_count(mesh, values.size(), name);
    return values;
  }

  void read_surface(const tinygltf::Primitive& source, SceneMesh& mesh) {
    mesh.normals = attribute<Vec3>(source, "NORMAL", mesh);
    // Tangents without normals are ignored: section 3.7.2.1.
    mesh.has_tangents = !mesh.normals.empty() && source.attributes.count("TANGENT") > 0;
    if (mesh.has_tangents && tangents_) mesh.tangents = attribute<Vec4>(source, "TANGENT", mesh);
    read_uvs(source, mesh);
    const auto color = source.attributes.find("COLOR_0");
    if (color == source.attributes.end()) return;
    mesh.colors = vertex_colors(accessors_.colors(color->second), "mesh '" + mesh.name + "'", report_);
    check_count(mesh, mesh.colors.size(), color->first);
  }

  void read_uvs(const tinygltf::Primitive& source, SceneMesh& mesh) {
    BaseColor color;
    bool has_image = false;
    if (source.material >= 0) {
      color = base_color_of(model_.materials[size_t(source.material)]);
      has_image = scene_.materials[size_t(source.material)].base_color_image >= 0;
    }
    const std::string name = "TEXCOORD_" + std::to_string(color.coordinates.set);
    mesh.uvs = attribute<Vec2>(source, name, mesh);
    for (Vec2& uv : mesh.uvs) uv = color.coordinates.transformed(uv);
    if (mesh.uvs.empty() && has_image) {
      warn("mesh '" + mesh.name + "' has no " + name + " for its image: zeros instead");
    }
  }

  void read_influences(const tinygltf::Primitive& source, SceneMesh& mesh) const {
    struct Set {
      std::vector<uint32_t> joints;
      std::vector<float> weights;
    };
    std::vector<Set> sets;
    for (int set = 0;; ++set) {
      const auto joints = source.attributes.find("JOINTS_" + std::to_string(set));
      const auto weights = source.attributes.find("WEIGHTS_" + std::to_string(set));
      if (joints == source.attributes.end() || weights == source.attributes.end()) break;
      sets.push_back({accessors_.integers(joints->second, {TINYGLTF_TYPE_VEC4}),
                      accessors_.floats(weights->second, {TINYGLTF_TYPE_VEC4})});
      check_count(mesh, sets.back().joints.size() / 4, joints->first);
      check_count(mesh, sets.back().weights.size() / 4, weights->first);
    }
    if (sets.empty()) return;
    mesh.first_influence.reserve(mesh.positions.size() + 1);
    for (size_t v = 0; v < mesh.positions.size(); ++v) {
      mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
      for (const Set& set : sets) {
        for (size_t i = v * 4; i < v * 4 + 4; ++i) {
          if (set.weights[i] != 0) mesh.influences.push_back({set.joints[i], set.weights[i]});
        }
      }
    }
    mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
  }

  void read_triangles(const tinygltf::Primitive& source, SceneMesh& mesh) const {
    std::vector<uint32_t> corners;
    if (source.indices >= 0) {
      corners = accessors_.integers(source.indices, {TINYGLTF_TYPE_SCALAR});
      for (const uint32_t corner : corners) {
        require(corner < mesh.positions.size(), [&] {
          return "mesh '" + mesh.name + "' names vertex " + std::to_string(corner) + " of " +
                 std::to_string(mesh.positions.size());
        });
      }
    } else {
      corners.resize(mesh.positions.size());
      for (size_t i = 0; i < corners.size(); ++i) corners[i] = uint32_t(i);
    }
    const bool strip = source.mode == TINYGLTF_MODE_TRIANGLE_STRIP, fan = source.mode == TINYGLTF_MODE_TRIANGLE_FAN;
    mesh.indices = triangles_of(corners, strip ? Topology::kStrip : fan ? Topology::kFan : Topology::kList);
  }

  // --- clips ---

  void read_clip(const tinygltf::Animation& source) {
    SceneClip clip;
    clip.name = source.name;
    for (const tinygltf::AnimationChannel& channel : source.channels) {
      if (channel.target_node < 0) continue;  // it belongs to an extension
      const auto& sampler = at(source.samplers, channel.sampler, "animation sampler");
      if (channel.target_path == "weights") {
        read_weights(channel, sampler, clip);
        continue;
      }
      SceneTracks tracks;
      tracks.node = scene_node(channel.target_node);
      if (channel.target_path == "translation") tracks.translation = read_track<Vec3>(sampler);
      if (channel.target_path == "rotation") tracks.rotation = read_track<Quat>(sampler);
      if (channel.target_path == "scale") tracks.scale = read_track<Vec3>(sampler);
      clip.tracks.push_back(std::move(tracks));
    }
    scene_.clips.push_back(std::move(clip));
  }

  /// Nodes without morph targets are left out: nothing follows their weights.
  void read_weights(const tinygltf::AnimationChannel& channel, const tinygltf::AnimationSampler& sampler,
                    SceneClip& clip) const {
    const uint32_t node = scene_node(channel.target_node);
    const uint32_t count = target_count(model_, channel.target_node);
    if (count == 0) return;
    uint32_t target = 0;
    for (auto& track : split_weights(read_track<float>(sampler, count), count)) {
      clip.weights.push_back({node, target++, std::move(track)});
    }
  }

  /// `width`: the values of one key, or of one tangent of a key.
  template <class Value>
  Track<Value> read_track(const tinygltf::AnimationSampler& sampler, size_t width = 1) const {
    Track<Value> track;
    if (sampler.interpolation == "STEP") track.interpolation = Interpolation::kStep;
    if (sampler.interpolation == "CUBICSPLINE") track.interpolation = Interpolation::kCubic;
    track.times_seconds = accessors_.floats(sampler.input, {TINYGLTF_TYPE_SCALAR});
    track.values = accessors_.values<Value>(sampler.output);
    const size_t values_per_key = track.interpolation == Interpolation::kCubic ? 3 * width : width;
    require(track.values.size() == track.times_seconds.size() * values_per_key, [&] {
      const size_t times = track.times_seconds.size(), values = track.values.size();
      return "accessor " + std::to_string(sampler.output) + ": an animation with " + std::to_string(times) +
             " times has " + std::to_string(values) + " values";
    });
    return track;
  }

  static constexpr int32_t kNotTried = -2;

  const tinygltf::Model& model_;
  const GltfAccessors accessors_;
  const bool tangents_;
  ImportReport& report_;
  ImageReader images_;
  Scene scene_;
  std::vector<int> node_of_;                        // the file's node index to the scene's
  std::vector<int> gltf_node_;                      // the scene's node index to the file's
  size_t nodes_in_scene_ = 0;                       // the scene's first nodes: only their meshes are drawn
  std::map<int, std::vector<uint32_t>> meshes_of_;  // the file's mesh index to the scene's, one per primitive
  std::vector<int32_t> image_of_;                   // the file's image index to the scene's, -1 or kNotTried
};

}  // namespace

Scene read_gltf(const std::string& path, bool tangents, ImportReport& report) {
  Folder folder(path);
  const tinygltf::Model model = parse_gltf(path, folder, report);
  return GltfReader(model, folder, tangents, report).read();
}

}  // namespace sinew::internal
