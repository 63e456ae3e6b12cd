#include "gltf/gltf_targets.h"

#include <algorithm>

namespace sinew::internal {
namespace {

/// The name of its expression, or in the mesh's extras, or the target's number.
std::string name_of(const tinygltf::Mesh& owner, int mesh, size_t target, const ExpressionNames& expressions) {
  const auto expression = expressions.find({mesh, int(target)});
  if (expression != expressions.end()) return expression->second;
  if (owner.extras.Has("targetNames")) {
    const tinygltf::Value& names = owner.extras.Get("targetNames");
    if (names.IsArray() && target < names.ArrayLen() && names.Get(int(target)).IsString()) {
      return names.Get(int(target)).Get<std::string>();
    }
  }
  return "target_" + std::to_string(target);
}

}  // namespace

std::vector<MorphTarget> read_targets(const GltfAccessors& accessors, const tinygltf::Model& model, int mesh,
                                      const tinygltf::Primitive& source, const ExpressionNames& expressions,
                                      size_t vertices, bool tangents, ImportReport& report) {
  const tinygltf::Mesh& owner = model.meshes[size_t(mesh)];
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
    targets.push_back(
        sparse_target(name_of(owner, mesh, t, expressions), {positions, normals, turned}, report.repaired_differences));
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
