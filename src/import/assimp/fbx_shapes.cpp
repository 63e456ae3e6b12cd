#include "assimp/fbx_shapes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "assimp/fbx_objects.h"

namespace sinew::internal {
namespace {

/// The rest weight of each name; none where channels of that name differ.
std::map<std::string, std::optional<float>> rest_weights(std::span<const uint8_t> file) {
  std::map<std::string, std::optional<float>> weights;
  for (const FbxObject& channel : find_fbx_objects(file, "SubDeformer", "BlendShapeChannel")) {
    const auto weight = float(fbx_number(channel, "DeformPercent", 0) / 100);
    const std::optional<float> usable = std::abs(weight) <= kMaxCoordinate ? std::optional(weight) : std::nullopt;
    const auto [known, is_new] = weights.try_emplace(channel.name, usable);
    if (!is_new && known->second != usable) known->second.reset();
  }
  return weights;
}

std::vector<MorphTarget*> targets_named(const std::string& name, Scene& scene) {
  std::vector<MorphTarget*> targets;
  for (SceneMesh& mesh : scene.meshes) {
    for (MorphTarget& target : mesh.targets) {
      if (target.name == name) targets.push_back(&target);
    }
  }
  return targets;
}

/// The names of blend shapes, with their place in the file.
class ShapeNames {
 public:
  explicit ShapeNames(std::span<const uint8_t> file) {
    for (const FbxObject& shape : find_fbx_objects(file, "Geometry", "Shape"))
      places_.try_emplace(shape.name, uint32_t(places_.size()));
    for (const FbxObject& channel : find_fbx_objects(file, "SubDeformer", "BlendShapeChannel"))
      channels_.insert(channel.name);
  }

  /// Of a target as Assimp names it. Names may have points themselves.
  std::string shape_of(const std::string& target) const {
    if (places_.contains(target)) return target;
    for (size_t point = target.find('.'); point != target.npos; point = target.find('.', point + 1)) {
      const std::string shape = target.substr(point + 1);
      if (channels_.contains(target.substr(0, point)) && places_.contains(shape)) return shape;
    }
    return target;
  }

  uint32_t place_of(const std::string& shape) const {
    const auto place = places_.find(shape);
    return place == places_.end() ? UINT32_MAX : place->second;
  }

 private:
  std::map<std::string, uint32_t> places_;
  std::set<std::string> channels_;
};

/// Returns the new index of each target.
std::vector<uint32_t> restore_targets(const ShapeNames& names, std::vector<MorphTarget>& targets) {
  for (MorphTarget& target : targets) target.name = names.shape_of(target.name);
  std::vector<uint32_t> order(targets.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](uint32_t target) { return names.place_of(targets[target].name); });
  std::vector<MorphTarget> sorted;
  std::vector<uint32_t> places(targets.size());
  for (const uint32_t target : order) {
    places[target] = uint32_t(sorted.size());
    sorted.push_back(std::move(targets[target]));
  }
  targets = std::move(sorted);
  return places;
}

}  // namespace

void restore_fbx_targets(std::span<const uint8_t> file, Scene& scene) {
  const ShapeNames names(file);
  std::vector<std::vector<uint32_t>> places;  // of the targets of each mesh
  for (SceneMesh& mesh : scene.meshes) places.push_back(restore_targets(names, mesh.targets));
  std::map<uint32_t, uint32_t> mesh_of_node;
  for (const SceneMeshUse& use : scene.uses) mesh_of_node.try_emplace(use.node, use.mesh);
  for (SceneClip& clip : scene.clips) {
    for (SceneWeightTrack& track : clip.weights) {
      const auto mesh = mesh_of_node.find(track.node);
      if (mesh == mesh_of_node.end() || track.target >= places[mesh->second].size()) continue;
      track.target = places[mesh->second][track.target];
    }
  }
}

void read_fbx_rest_weights(std::span<const uint8_t> file, Scene& scene, std::vector<std::string>& warnings) {
  for (const auto& [name, weight] : rest_weights(file)) {
    if (weight == 0.0f) continue;
    const std::vector<MorphTarget*> targets = targets_named(name, scene);
    for (MorphTarget* target : targets) target->rest_weight = weight.value_or(0);
    if (weight && !targets.empty()) continue;
    const char* reason = weight ? "no morph target has its name" : "it has several, or one that is not finite";
    warnings.push_back("blend shape channel '" + name + "': its rest weight is taken for 0, because " + reason);
  }
}

void warn_of_lost_shapes(std::span<const uint8_t> file, Scene& scene, std::vector<std::string>& warnings) {
  for (const FbxObject& shape : find_fbx_objects(file, "Geometry", "Shape")) {
    const bool has_normals = shape.body.find("Normals") != shape.body.npos;
    if (has_normals || !targets_named(shape.name, scene).empty()) continue;
    warnings.push_back("blend shape '" + shape.name +
                       "' has no normals: Assimp leaves it out; export the shapes with normals, or glTF");
  }
}

}  // namespace sinew::internal
