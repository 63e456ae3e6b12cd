#include "assimp/assimp_targets.h"

#include <assimp/anim.h>
#include <assimp/mesh.h>

#include <algorithm>

namespace sinew::internal {
namespace {

constexpr float kMaxRounding = 1e-3f;  // Assimp normalizes the normals of targets, but not those of meshes

/// What replaces `base`, minus `base`; nothing if either is missing.
std::vector<Vec3> differences(const aiVector3D* replaced, const aiVector3D* base, unsigned count) {
  std::vector<Vec3> result;
  for (unsigned v = 0; replaced != nullptr && base != nullptr && v < count; ++v) {
    result.push_back({replaced[v].x - base[v].x, replaced[v].y - base[v].y, replaced[v].z - base[v].z});
  }
  return result;
}

bool are_within(const std::vector<Vec3>& values, float limit) {
  return std::all_of(values.begin(), values.end(), [&](Vec3 value) { return is_within(value, limit); });
}

}  // namespace

std::vector<MorphTarget> read_targets(const aiMesh& source, const SceneMesh& mesh, ImportReport& report) {
  std::vector<MorphTarget> targets;
  for (unsigned t = 0; t < source.mNumAnimMeshes; ++t) {
    const aiAnimMesh& replacement = *source.mAnimMeshes[t];
    const unsigned count = replacement.mNumVertices == source.mNumVertices ? source.mNumVertices : 0;
    const std::vector<Vec3> positions = differences(replacement.mVertices, source.mVertices, count);
    std::vector<Vec3> normals = differences(replacement.mNormals, source.mNormals, count);
    const bool has_no_normals = count > 0 && !mesh.normals.empty() && are_within(normals, kMaxRounding);
    if (has_no_normals && !positions.empty()) normals = turned_normals(mesh, positions);
    const std::vector<Vec3> tangents = differences(replacement.mTangents, source.mTangents, count);
    std::string name = replacement.mName.C_Str();
    if (name.empty()) name = "target_" + std::to_string(t);
    targets.push_back(sparse_target(std::move(name), {positions, normals, tangents}, report.repaired_differences));
    targets.back().rest_weight = replacement.mWeight;
  }
  return targets;
}

std::string morphed_node(const aiMeshMorphAnim& channel) {
  const std::string name = channel.mName.C_Str();
  return name.substr(0, name.rfind('*'));
}

std::vector<SceneWeightTrack> read_weights(const aiMeshMorphAnim& channel, uint32_t node, double rate) {
  std::map<unsigned, SceneWeightTrack> by_target;
  for (unsigned k = 0; k < channel.mNumKeys; ++k) {
    const aiMeshMorphKey& key = channel.mKeys[k];
    for (unsigned i = 0; i < key.mNumValuesAndWeights; ++i) {
      SceneWeightTrack& track = by_target[key.mValues[i]];
      track.node = node, track.target = key.mValues[i];
      track.weight.times_seconds.push_back(float(key.mTime / rate));
      track.weight.values.push_back(float(key.mWeights[i]));
    }
  }
  std::vector<SceneWeightTrack> tracks;
  for (auto& [target, track] : by_target) tracks.push_back(std::move(track));
  return tracks;
}

}  // namespace sinew::internal
