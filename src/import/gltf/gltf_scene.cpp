// Conversion of tinygltf's model into a Scene. Checks every index, count and offset. Source: glTF 2.0 specification.

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "failure.h"
#include "folder.h"
#include "gltf/gltf_accessors.h"
#include "gltf/gltf_lost.h"
#include "gltf/gltf_materials.h"
#include "gltf/gltf_parse.h"
#include "gltf/gltf_targets.h"
#include "gltf/gltf_vrm.h"
#include "lost_features.h"
#include "readers.h"
#include "sinew/asset/skeleton.h"
#include "surface.h"

namespace sinew::internal {
namespace {

// What extensions say of the nodes of a glTF file. Throws ImportFailure.

constexpr const char* kInstancing = "EXT_mesh_gpu_instancing";

/// The attributes of the instances; null if the node has none that places them.
const tinygltf::Value* instance_attributes(const tinygltf::Node& node) {
  const auto found = node.extensions.find(kInstancing);
  if (found == node.extensions.end() || !found->second.Has("attributes")) return nullptr;
  const tinygltf::Value& attributes = found->second.Get("attributes");
  const bool places = attributes.Has("TRANSLATION") || attributes.Has("ROTATION") || attributes.Has("SCALE");
  return places ? &attributes : nullptr;
}

/// The values of an attribute, one per instance; none if the file has none. Counts that differ are refused, and more
/// than `limit` before they are read.
template <class Vector>
std::vector<Vector> values_of(const tinygltf::Model& model, const GltfAccessors& accessors,
                              const tinygltf::Value& attributes, const char* name, size_t limit) {
  if (!attributes.Has(name)) return {};
  require(attributes.Get(name).IsInt(), [&] { return std::string(kInstancing) + ": its " + name + " is no accessor"; });
  const int index = attributes.Get(name).GetNumberAsInt();
  require(at(model.accessors, index, "accessor").count <= limit,
          [] { return std::string("its nodes have more than 262144 instances (") + kInstancing + ")"; });
  return accessors.vectors<Vector>(index);
}

bool is_transform(const std::string& name) { return name == "TRANSLATION" || name == "ROTATION" || name == "SCALE"; }

/// Whether KHR_node_visibility shows the node. A hidden node hides its descendants too.
bool is_visible(const tinygltf::Node& node) {
  const auto found = node.extensions.find("KHR_node_visibility");
  if (found == node.extensions.end() || !found->second.Has("visible")) return true;
  const tinygltf::Value& visible = found->second.Get("visible");
  return !visible.IsBool() || visible.Get<bool>();
}

bool has_instances(const tinygltf::Node& node) { return instance_attributes(node) != nullptr; }

/// The instances of a node's mesh, EXT_mesh_gpu_instancing: from the space of each instance to that of the node.
/// `limit` instances at most.
std::vector<Transform> instances_of(const tinygltf::Model& model, const GltfAccessors& accessors,
                                    const tinygltf::Node& node, size_t limit, LostFeatures& lost) {
  const tinygltf::Value& attributes = *instance_attributes(node);
  const auto translations = values_of<Vec3>(model, accessors, attributes, "TRANSLATION", limit);
  const auto rotations = values_of<Quat>(model, accessors, attributes, "ROTATION", limit);
  const auto scales = values_of<Vec3>(model, accessors, attributes, "SCALE", limit);
  std::vector<Transform> instances;
  for (const size_t count : {translations.size(), rotations.size(), scales.size()}) {
    if (count == 0) continue;
    require(instances.empty() || instances.size() == count,
            [] { return std::string(kInstancing) + ": its attributes have different counts"; });
    instances.resize(count);
  }
  for (size_t i = 0; i < instances.size(); ++i) {
    if (!translations.empty()) instances[i].translation = translations[i];
    if (!rotations.empty()) instances[i].rotation = normalize(rotations[i]);
    if (!scales.empty()) instances[i].scale = scales[i];
  }
  for (const std::string& name : attributes.Keys()) {
    if (!is_transform(name)) return lost.add(kLostInstanceAttribute, node.name), instances;
  }
  return instances;
}

/// Converts a tinygltf::Model into a Scene. Borrows all its arguments.
class GltfReader {
 public:
  GltfReader(const tinygltf::Model& model, const Folder& folder, Wanted wanted, LostFeatures& lost,
             ImportReport& report)
      : model_(model),
        accessors_(model),
        expressions_(expression_names(model)),
        wanted_tangents_(wanted.tangents),
        tangents_(wanted.tangents == ReadTangents::kAlways),
        lost_(lost),
        report_(report),
        materials_(model, folder, wanted.images, lost, report) {}

  Scene read() {
    if (model_.extensions.count("VRM") > 0) scene_.space.front = {0, 0, -1};  // VRM 0; later versions as in glTF
    read_nodes();
    const std::vector<std::string> bones = humanoid_names(model_);
    for (size_t i = 0; i < bones.size(); ++i) scene_.nodes[size_t(node_of_[i])].humanoid_name = bones[i];
    materials_.read(scene_);
    if (wanted_tangents_ == ReadTangents::kForNormalMaps) tangents_ = has_normal_map();
    for (const tinygltf::Skin& skin : model_.skins) read_skin(skin);
    for (uint32_t node = 0; node < scene_.nodes.size(); ++node) {
      if (!draws_[node]) continue;
      if (node < nodes_in_scene_)
        use_mesh(node);
      else
        lost_.add(kLostScene, scene_.nodes[node].name);
    }
    for (const tinygltf::Animation& animation : model_.animations) read_clip(animation);
    return std::move(scene_);
  }

 private:
  bool has_normal_map() const {
    return std::any_of(scene_.materials.begin(), scene_.materials.end(),
                       [](const Material& material) { return material.normal_texture.image >= 0; });
  }

  void warn(std::string text) { report_.warnings.push_back(std::move(text)); }

  // --- nodes ---

  /// Of each node; -1: none.
  std::vector<int> parents_of_nodes() const {
    std::vector<int> parents(model_.nodes.size(), -1);
    for (size_t parent = 0; parent < parents.size(); ++parent) {
      for (const int child : model_.nodes[parent].children) {
        at(model_.nodes, child, "node");
        parents[size_t(child)] = int(parent);
      }
    }
    return parents;
  }

  /// The nodes of a scene, each once. Asset kits list nodes that are below others of the list too.
  std::vector<int> roots_of_scene(const std::vector<int>& listed, const std::vector<int>& parents) const {
    enum class Place : uint8_t { kUnknown, kBelowNone, kListed, kBelowListed };
    std::vector<Place> places(parents.size(), Place::kUnknown);
    for (const int node : listed) at(model_.nodes, node, "node"), places[size_t(node)] = Place::kListed;
    const auto is_below = [&](int node) {
      std::vector<int> path;
      int above = parents[size_t(node)];
      while (above >= 0 && places[size_t(above)] == Place::kUnknown && path.size() < parents.size())
        path.push_back(above), above = parents[size_t(above)];
      const bool below = above >= 0 && places[size_t(above)] >= Place::kListed;
      for (const int passed : path) places[size_t(passed)] = below ? Place::kBelowListed : Place::kBelowNone;
      return below;
    };
    std::vector<int> roots;
    std::vector<bool> is_root(parents.size());
    for (const int node : listed) {
      if (is_root[size_t(node)] || is_below(node)) continue;
      is_root[size_t(node)] = true;
      roots.push_back(node);
    }
    return roots;
  }

  void read_nodes() {
    node_of_.assign(model_.nodes.size(), -1);
    is_scene_root_.resize(model_.nodes.size());
    const std::vector<int> parents = parents_of_nodes();
    std::vector<int> all_roots;
    for (size_t i = 0; i < parents.size(); ++i)
      if (parents[i] < 0) all_roots.push_back(int(i));
    if (model_.scenes.empty()) {
      walk_scene(all_roots);
    } else {
      walk_scene(roots_of_scene(at(model_.scenes, std::max(model_.defaultScene, 0), "scene").nodes, parents));
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

  void walk_scene(const std::vector<int>& roots) {
    for (const int root : roots) is_scene_root_[size_t(root)] = true;
    shows_hidden_ = !draws_something(roots);
    walk(roots);
    nodes_in_scene_ = scene_.nodes.size();
    const bool draws = std::find(draws_.begin(), draws_.end(), true) != draws_.end();
    if (shows_hidden_ && draws) warn(kAllMeshesHidden);
  }

  /// Whether one of the nodes, or a node below, has a mesh and is not hidden. A cycle of nodes ends the search.
  bool draws_something(std::vector<int> pending) const {
    for (size_t visited = 0; !pending.empty() && visited < model_.nodes.size(); ++visited) {
      const tinygltf::Node& node = at(model_.nodes, pending.back(), "node");
      pending.pop_back();
      if (!is_visible(node)) continue;
      if (node.mesh >= 0) return true;
      pending.insert(pending.end(), node.children.begin(), node.children.end());
    }
    return false;
  }

  void walk(const std::vector<int>& roots) {
    struct Visit {
      int node, parent;
      bool visible;
    };
    std::vector<Visit> pending;
    for (auto root = roots.rbegin(); root != roots.rend(); ++root) pending.push_back({*root, -1, true});
    while (!pending.empty()) {
      const Visit visit = pending.back();
      pending.pop_back();
      const tinygltf::Node& node = at(model_.nodes, visit.node, "node");
      if (is_scene_root_[size_t(visit.node)] && node_of_[size_t(visit.node)] >= 0) continue;
      require(node_of_[size_t(visit.node)] < 0, [&] {
        return "node " + std::to_string(visit.node) + " is reached twice: its own ancestor, or a child of two nodes";
      });
      const int index = int(scene_.nodes.size());
      const bool visible = shows_hidden_ || (visit.visible && is_visible(node));
      node_of_[size_t(visit.node)] = index;
      add_node(visit.node, read_node(visit.node, visit.parent), visible && node.mesh >= 0);
      if (draws_.back() && has_instances(node)) add_instances(visit.node, uint32_t(index));
      for (auto child = node.children.rbegin(); child != node.children.rend(); ++child) {
        pending.push_back({*child, index, visible});
      }
    }
  }

  void add_node(int gltf_node, SceneNode&& node, bool draws) {
    gltf_node_.push_back(gltf_node);
    scene_.nodes.push_back(std::move(node));
    draws_.push_back(draws);
  }

  /// Adds a node below `parent` for each instance of its mesh: they draw it, and `parent` does not.
  void add_instances(int gltf_node, uint32_t parent) {
    const tinygltf::Node& source = model_.nodes[size_t(gltf_node)];
    const auto instances = instances_of(model_, accessors_, source, kMaxInstances - instance_count_, lost_);
    if (source.skin >= 0) return lost_.add(kLostSkinnedInstances, source.name);  // a skin ignores its node's place
    draws_[parent] = false;
    instance_count_ += instances.size();
    instances_of_.emplace(parent, instances.size());
    const std::string name = scene_.nodes[parent].name;
    for (size_t i = 0; i < instances.size(); ++i) {
      SceneNode node;
      node.name = name + "_instance_" + std::to_string(i);
      node.parent = int32_t(parent);
      set_rest(node, instances[i]);
      add_node(gltf_node, std::move(node), true);
    }
  }

  SceneNode read_node(int gltf_node, int parent) const {
    const tinygltf::Node& source = model_.nodes[size_t(gltf_node)];
    SceneNode node;
    node.name = source.name.empty() ? "node_" + std::to_string(gltf_node) : source.name;
    node.parent = parent;
    if (source.matrix.size() == 16) {
      set_rest(node, from_columns(source.matrix.data()));
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
      for (size_t i = 0; i < skin.nodes.size(); ++i)
        skin.joint_from_mesh[i] = matrix_cast<double>(from_columns(&numbers[i * 16]));
    }
    scene_.skins.push_back(std::move(skin));
  }

  void use_mesh(uint32_t scene_index) {
    const tinygltf::Node& node = model_.nodes[size_t(gltf_node_[scene_index])];
    const tinygltf::Mesh& mesh = at(model_.meshes, node.mesh, "mesh");
    if (node.skin >= 0) at(model_.skins, node.skin, "skin");
    auto [first_use, is_new] = meshes_of_.try_emplace(node.mesh);
    if (is_new) {
      for (const tinygltf::Primitive& primitive : mesh.primitives)
        read_primitive(node.mesh, primitive, first_use->second);
    }
    for (const uint32_t index : first_use->second) {
      check_joints(index, node.skin);
      require(scene_.uses.size() < kMaxUses, [] { return "its nodes draw more than 1048576 primitives"; });
      scene_.uses.push_back({scene_index, index, node.skin, {node.weights.begin(), node.weights.end()}});
    }
  }

  void check_joints(uint32_t mesh, int skin) const {
    if (skin < 0) return;
    const size_t joint_count = scene_.skins[size_t(skin)].nodes.size();
    require(last_joint_[mesh] < int64_t(joint_count), [&] {
      return "mesh '" + scene_.meshes[mesh].name + "' names joint " + std::to_string(last_joint_[mesh]) +
             " of a skin of " + std::to_string(joint_count);
    });
  }

  /// The last joint that a mesh has a weight for. -1: none.
  static int64_t last_joint(const SceneMesh& mesh) {
    int64_t last = -1;
    for (const SceneInfluence& influence : mesh.influences) {
      if (influence.weight > 0) last = std::max(last, int64_t(influence.joint));
    }
    return last;
  }

  void read_primitive(int mesh_index, const tinygltf::Primitive& source, std::vector<uint32_t>& meshes) {
    const tinygltf::Mesh& owner = model_.meshes[size_t(mesh_index)];
    const auto position = source.attributes.find("POSITION");
    if (source.mode < TINYGLTF_MODE_TRIANGLES || position == source.attributes.end()) {
      return lost_.add(kLostPrimitive, owner.name);
    }
    SceneMesh mesh;
    mesh.name = owner.name;
    if (source.material >= 0) at(model_.materials, source.material, "material");
    mesh.material = std::max(source.material, -1);
    mesh.positions = accessors_.vectors<Vec3>(position->second);
    read_surface(source, mesh);
    read_influences(source, mesh);
    read_triangles(source, mesh);
    if (has_other_target_attributes(source)) lost_.add(kLostTargetAttribute, owner.name);
    const std::vector<std::string> names = target_names(model_, mesh_index, source, expressions_);
    mesh.targets = read_targets(accessors_, owner, source, names, mesh.positions.size(), tangents_, report_);
    meshes.push_back(uint32_t(scene_.meshes.size()));
    last_joint_.push_back(last_joint(mesh));
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
    const std::vector<int> sets = source.material >= 0 ? materials_.uv_sets(source.material) : std::vector<int>();
    mesh.uvs = sets.empty() ? attribute<Vec2>(source, "TEXCOORD_0", mesh) : uv_set(source, sets[0], mesh);
    if (sets.size() > 1) mesh.second_uvs = uv_set(source, sets[1], mesh);
  }

  /// The coordinates of a set that a texture uses.
  std::vector<Vec2> uv_set(const tinygltf::Primitive& source, int set, const SceneMesh& mesh) {
    const std::string name = "TEXCOORD_" + std::to_string(set);
    std::vector<Vec2> uvs = attribute<Vec2>(source, name, mesh);
    if (uvs.empty()) warn("mesh '" + mesh.name + "' has no " + name + " for its image: zeros instead");
    uvs.resize(mesh.positions.size());
    return uvs;
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
    mesh.weightless_follow_first_joint = true;
    mesh.first_influence.reserve(mesh.positions.size() + 1);
    for (size_t v = 0; v < mesh.positions.size(); ++v) {
      mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
      mesh.influences.push_back({sets[0].joints[v * 4], sets[0].weights[v * 4]});  // the first also without a weight
      for (const Set& set : sets) {
        for (size_t i = v * 4; i < v * 4 + 4; ++i) {
          const bool first = i == v * 4 && &set == &sets[0];
          if (!first && set.weights[i] != 0) mesh.influences.push_back({set.joints[i], set.weights[i]});
        }
      }
    }
    mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
  }

  void read_triangles(const tinygltf::Primitive& source, SceneMesh& mesh) const {
    std::vector<uint32_t> corners;
    if (source.indices >= 0) {
      corners = accessors_.integers(source.indices, {TINYGLTF_TYPE_SCALAR});
      for (const uint32_t corner : corners) require_vertex(corner, mesh.positions.size(), "mesh", mesh.name);
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
      const std::string& path = channel.target_path;
      if (path == "weights" || path.starts_with(kOneWeight)) {
        read_weights(channel, sampler, clip);
        continue;
      }
      SceneTracks tracks;
      tracks.node = scene_node(channel.target_node);
      if (path == "translation")
        tracks.translation = read_track<Vec3>(sampler);
      else if (path == "rotation")
        tracks.rotation = read_track<Quat>(sampler);
      else if (path == "scale")
        tracks.scale = read_track<Vec3>(sampler);
      else
        lost_.add(kLostPath, path);
      clip.tracks.push_back(std::move(tracks));
    }
    scene_.clips.push_back(std::move(clip));
  }

  /// All weights of a node, or one: see resolve_pointers(). Nodes without morph targets are left out: nothing follows
  /// their weights.
  void read_weights(const tinygltf::AnimationChannel& channel, const tinygltf::AnimationSampler& sampler,
                    SceneClip& clip) {
    const uint32_t node = scene_node(channel.target_node);
    const uint32_t count = target_count(model_, channel.target_node);
    if (count == 0) return;
    const std::string& path = channel.target_path;
    const bool one = path.starts_with(kOneWeight);
    uint32_t target = 0;
    if (one) std::from_chars(path.data() + kOneWeight.size(), path.data() + path.size(), target);
    for (auto& track : split_weights(read_track<float>(sampler, one ? 1 : count), one ? 1 : count)) {
      add_weights(node, target++, track, clip);
    }
  }

  /// Instances of the node's mesh have weights of their own in a scene: all get the track.
  void add_weights(uint32_t node, uint32_t target, const Track<float>& track, SceneClip& clip) {
    const auto instances = instances_of_.find(node);
    const uint32_t first = instances == instances_of_.end() ? node : node + 1;
    const size_t count = instances == instances_of_.end() ? 1 : instances->second;
    copied_keys_ += (track.times_seconds.size() + track.values.size()) * count;
    require(copied_keys_ <= kMaxCopiedKeys, [] { return "the weights of its instances have more than 67108864 keys"; });
    for (uint32_t i = 0; i < count; ++i) clip.weights.push_back({first + i, target, track});
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

  static constexpr std::string_view kOneWeight = "weights/";  // the beginning of a path; see resolve_pointers()
  static constexpr size_t kMaxInstances = size_t(1) << 18, kMaxUses = size_t(1) << 20;  // each costs much memory
  static constexpr size_t kMaxCopiedKeys = size_t(1) << 26;

  const tinygltf::Model& model_;
  const GltfAccessors accessors_;
  const ExpressionNames expressions_;
  const ReadTangents wanted_tangents_;
  bool tangents_;  // whether they are read
  LostFeatures& lost_;
  ImportReport& report_;
  GltfMaterials materials_;
  Scene scene_;
  std::vector<int> node_of_;         // the file's node index to the scene's
  std::vector<bool> is_scene_root_;  // of the file's nodes
  std::vector<int> gltf_node_;       // the scene's node index to the file's; of an instance, that of its parent
  bool shows_hidden_ = false;        // all meshes of the file are hidden
  std::vector<bool> draws_;          // of each of the scene's nodes: whether it draws the mesh of its gltf_node_
  size_t nodes_in_scene_ = 0;        // the scene's first nodes: only their meshes are drawn
  std::map<uint32_t, size_t> instances_of_;  // the count of instances of the scene's node; they come right after it
  size_t instance_count_ = 0, copied_keys_ = 0;
  std::map<int, std::vector<uint32_t>> meshes_of_;  // the file's mesh index to the scene's, one per primitive
  std::vector<int64_t> last_joint_;                 // of each of the scene's meshes; see last_joint()
};

}  // namespace

Scene read_gltf(const std::string& path, Wanted wanted, ImportReport& report) {
  const Folder folder(path);
  LostFeatures lost(lost_features_of_gltf());
  const tinygltf::Model model = parse_gltf(path, folder, lost, report);
  Scene scene = GltfReader(model, folder, wanted, lost, report).read();
  lost.append_to(report.warnings, LostFrom::kLooks);
  lost.append_to(scene.motion_warnings, LostFrom::kMotion);
  return scene;
}

}  // namespace sinew::internal
