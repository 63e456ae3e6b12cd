// Sources: the VRM specifications: VRM 0.0 (humanoid, blendShapeMaster), VRMC_vrm-1.0 (humanoid, expressions),
// VRMC_vrm_animation-1.0.
#include "gltf/gltf_vrm.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "asset/plain_text.h"

namespace sinew::internal {
namespace {

std::string text_of(const tinygltf::Value& value, const char* member) {
  return value.Has(member) && value.Get(member).IsString() ? value.Get(member).Get<std::string>() : std::string();
}

/// Thumbs have one bone less in VRM 0, and are counted from the hand in both.
constexpr std::pair<const char*, const char*> kThumbs[] = {{"ThumbProximal", "ThumbMetacarpal"},
                                                           {"ThumbIntermediate", "ThumbProximal"}};

/// The name in VRM 1 of a bone of VRM 0.
std::string vrm1_bone(const std::string& bone) {
  for (const auto& [older, later] : kThumbs) {
    for (const char* side : {"left", "right"})
      if (bone == std::string(side) + older) return std::string(side) + later;
  }
  return bone;
}

void add(const tinygltf::Value& bone, const std::string& name, std::vector<std::string>& names) {
  const int node = whole_number_in(bone, "node");
  if (node >= 0 && size_t(node) < names.size()) names[size_t(node)] = name;
}

/// The expressions of VRM 0 that have another name in VRM 1.
constexpr std::pair<std::string_view, std::string_view> kPresets[] = {{"a", "aa"},
                                                                      {"i", "ih"},
                                                                      {"u", "ou"},
                                                                      {"e", "ee"},
                                                                      {"o", "oh"},
                                                                      {"blink_l", "blinkLeft"},
                                                                      {"blink_r", "blinkRight"},
                                                                      {"joy", "happy"},
                                                                      {"sorrow", "sad"},
                                                                      {"fun", "relaxed"},
                                                                      {"lookup", "lookUp"},
                                                                      {"lookdown", "lookDown"},
                                                                      {"lookleft", "lookLeft"},
                                                                      {"lookright", "lookRight"}};

/// Some writers begin presets with a capital letter. "unknown" is what custom expressions have.
std::string vrm1_preset(std::string preset) {
  std::transform(preset.begin(), preset.end(), preset.begin(), lower);
  for (const auto& [older, later] : kPresets)
    if (preset == older) return std::string(later);
  return preset == "unknown" ? std::string() : preset;
}

/// One morph target of an expression.
struct Bind {
  int mesh = -1, target = -1;
  double weight = 0;  // 1: all of it
};

class ExpressionReader {
 public:
  explicit ExpressionReader(const tinygltf::Model& model) : model_(model) {}

  ExpressionNames read() {
    if (const tinygltf::Value* groups = member_of("VRM", "blendShapeMaster", "blendShapeGroups")) {
      for (size_t i = 0; groups->IsArray() && i < groups->ArrayLen(); ++i) {
        const tinygltf::Value& group = groups->Get(int(i));
        const std::string preset = vrm1_preset(text_of(group, "presetName"));
        add(preset.empty() ? text_of(group, "name") : preset, group, "binds", 100);
      }
    }
    for (const char* kind : {"preset", "custom"}) {
      const tinygltf::Value* expressions = member_of("VRMC_vrm", "expressions", kind);
      if (expressions == nullptr || !expressions->IsObject()) continue;
      for (const std::string& name : expressions->Keys()) add(name, expressions->Get(name), "morphTargetBinds", 1);
    }
    return std::move(names_);
  }

 private:
  const tinygltf::Value* member_of(const char* extension, const char* first, const char* second) const {
    const auto found = model_.extensions.find(extension);
    if (found == model_.extensions.end() || !found->second.Has(first)) return nullptr;
    return found->second.Get(first).Has(second) ? &found->second.Get(first).Get(second) : nullptr;
  }

  /// Binds of VRM 0 name a mesh, those of VRM 1 a node.
  Bind bind_of(const tinygltf::Value& value, double full) const {
    Bind bind{whole_number_in(value, "mesh"), whole_number_in(value, "index"), number_in(value, "weight", full) / full};
    const int node = whole_number_in(value, "node");
    if (node >= 0 && size_t(node) < model_.nodes.size()) bind.mesh = model_.nodes[size_t(node)].mesh;
    return bind;
  }

  void add(const std::string& name, const tinygltf::Value& expression, const char* member, double full) {
    if (name.empty() || !expression.Has(member) || !expression.Get(member).IsArray()) return;
    std::map<int, int> target_of_mesh;
    for (size_t i = 0; i < expression.Get(member).ArrayLen(); ++i) {
      const Bind bind = bind_of(expression.Get(member).Get(int(i)), full);
      if (bind.weight != 1 || !target_of_mesh.emplace(bind.mesh, bind.target).second) return;  // a mixture
    }
    for (const auto& place : target_of_mesh) names_.try_emplace(place, name);
  }

  const tinygltf::Model& model_;
  ExpressionNames names_;
};

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
      const std::string bone = text_of(bones.Get(int(i)), "bone");
      if (!bone.empty()) add(bones.Get(int(i)), vrm1_bone(bone), names);
    }
    for (const std::string& name : bones.IsObject() ? bones.Keys() : std::vector<std::string>())
      add(bones.Get(name), name, names);
  }
  return names;
}

ExpressionNames expression_names(const tinygltf::Model& model) { return ExpressionReader(model).read(); }

}  // namespace sinew::internal
