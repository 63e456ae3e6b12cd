#include "gltf/gltf_nodes.h"

#include <string>

#include "gltf/gltf_lost.h"

namespace sinew::internal {
namespace {

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

}  // namespace

bool is_visible(const tinygltf::Node& node) {
  const auto found = node.extensions.find("KHR_node_visibility");
  if (found == node.extensions.end() || !found->second.Has("visible")) return true;
  const tinygltf::Value& visible = found->second.Get("visible");
  return !visible.IsBool() || visible.Get<bool>();
}

bool has_instances(const tinygltf::Node& node) { return instance_attributes(node) != nullptr; }

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

}  // namespace sinew::internal
