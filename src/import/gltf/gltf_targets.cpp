#include "gltf/gltf_targets.h"

#include <algorithm>

namespace sinew::internal {
namespace {

/// The name of a target in the extras of a mesh or a primitive; "" without one.
std::string name_in(const tinygltf::Value& extras, size_t target) {
  if (!extras.Has("targetNames")) return {};
  const tinygltf::Value& names = extras.Get("targetNames");
  const bool has_name = names.IsArray() && target < names.ArrayLen() && names.Get(int(target)).IsString();
  return has_name ? names.Get(int(target)).Get<std::string>() : std::string();
}

}  // namespace

std::vector<std::string> target_names(const tinygltf::Model& model, int mesh, const tinygltf::Primitive& primitive,
                                      const ExpressionNames& expressions) {
  std::vector<std::string> names;
  for (size_t t = 0; t < primitive.targets.size(); ++t) {
    const auto expression = expressions.find({mesh, int(t)});
    std::string& name = names.emplace_back(expression == expressions.end() ? "" : expression->second);
    if (name.empty()) name = name_in(model.meshes[size_t(mesh)].extras, t);
    if (name.empty()) name = name_in(primitive.extras, t);
    if (name.empty()) name = "target_" + std::to_string(t);
  }
  return names;
}

std::vector<MorphTarget> read_targets(const GltfAccessors& accessors, const tinygltf::Mesh& owner,
                                      const tinygltf::Primitive& source, std::span<const std::string> names,
                                      size_t vertices, bool tangents, ImportReport& report) {
  std::vector<MorphTarget> targets;
  for (size_t t = 0; t < source.targets.size(); ++t) {
    const auto read = [&](const char* attribute) {
      const auto found = source.targets[t].find(attribute);
      if (found == source.targets[t].end()) return std::vector<Vec3>();
      std::vector<Vec3> values = accessors.vectors<Vec3>(found->second);
      require(values.size() == vertices, [&] {
        return "mesh '" + owner.name + "' has " + std::to_string(vertices) + " positions but " +
               std::to_string(values.size()) + " of " + attribute + " in morph target " + std::to_string(t);
      });
      return values;
    };
    const std::vector<Vec3> positions = read("POSITION"), normals = read("NORMAL");
    const std::vector<Vec3> turned = tangents ? read("TANGENT") : std::vector<Vec3>();
    targets.push_back(sparse_target(names[t], {positions, normals, turned}, report.repaired_differences));
    if (t < owner.weights.size()) targets.back().rest_weight = float(owner.weights[t]);
  }
  return targets;
}

bool has_other_target_attributes(const tinygltf::Primitive& source) {
  return std::any_of(source.targets.begin(), source.targets.end(), [](const auto& target) {
    return std::any_of(target.begin(), target.end(), [](const auto& attribute) {
      return attribute.first != "POSITION" && attribute.first != "NORMAL" && attribute.first != "TANGENT";
    });
  });
}

uint32_t target_count(const tinygltf::Model& model, int node) {
  const int mesh = model.nodes[size_t(node)].mesh;
  if (mesh < 0) return 0;
  size_t count = 0;
  for (const tinygltf::Primitive& primitive : at(model.meshes, mesh, "mesh").primitives) {
    count = std::max(count, primitive.targets.size());
  }
  return uint32_t(count);
}

std::vector<Track<float>> split_weights(const Track<float>& all, uint32_t targets) {
  std::vector<Track<float>> tracks(targets);
  for (uint32_t t = 0; t < targets; ++t) {
    tracks[t].times_seconds = all.times_seconds;
    tracks[t].interpolation = all.interpolation;
    for (size_t i = t; i < all.values.size(); i += targets) tracks[t].values.push_back(all.values[i]);
  }
  return tracks;
}

}  // namespace sinew::internal
