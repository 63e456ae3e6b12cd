// Sources: the VRM specifications: VRM 0.0 (humanoid), VRMC_vrm-1.0 (humanoid), VRMC_vrm_animation-1.0.
#include "gltf/gltf_humanoid.h"

#include <utility>

namespace sinew::internal {
namespace {

/// Thumbs have one bone less in VRM 0, and are counted from the hand in both.
constexpr std::pair<const char*, const char*> kThumbs[] = {{"ThumbProximal", "ThumbMetacarpal"},
                                                           {"ThumbIntermediate", "ThumbProximal"}};

/// The name in VRM 1 of a bone of VRM 0.
std::string later_name(const std::string& bone) {
  for (const auto& [older, later] : kThumbs) {
    for (const char* side : {"left", "right"})
      if (bone == std::string(side) + older) return std::string(side) + later;
  }
  return bone;
}

void add(const tinygltf::Value& bone, const std::string& name, std::vector<std::string>& names) {
  if (!bone.Has("node") || !bone.Get("node").IsInt()) return;
  const int node = bone.Get("node").GetNumberAsInt();
  if (node >= 0 && size_t(node) < names.size()) names[size_t(node)] = name;
}

}  // namespace

std::vector<std::string> humanoid_names(const tinygltf::Model& model) {
  std::vector<std::string> names(model.nodes.size());
  for (const char* extension : {"VRM", "VRMC_vrm", "VRMC_vrm_animation"}) {
    const auto found = model.extensions.find(extension);
    if (found == model.extensions.end() || !found->second.Has("humanoid")) continue;
    const tinygltf::Value& humanoid = found->second.Get("humanoid");
    if (!humanoid.Has("humanBones")) continue;
    const tinygltf::Value& bones = humanoid.Get("humanBones");
    for (size_t i = 0; bones.IsArray() && i < bones.ArrayLen(); ++i) {  // VRM 0
      const tinygltf::Value& bone = bones.Get(int(i));
      if (bone.Has("bone") && bone.Get("bone").IsString())
        add(bone, later_name(bone.Get("bone").Get<std::string>()), names);
    }
    for (const std::string& name : bones.IsObject() ? bones.Keys() : std::vector<std::string>())
      add(bones.Get(name), name, names);
  }
  return names;
}

}  // namespace sinew::internal
