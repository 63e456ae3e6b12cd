#include "assimp/fbx_shapes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

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

}  // namespace

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
