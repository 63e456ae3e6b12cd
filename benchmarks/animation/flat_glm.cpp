#include "flat_glm.h"

#include <algorithm>

#include "sinew/glm.h"

namespace sinew::bench {
namespace {

/// The first of the two keys around a time, and the fraction of the way to the second.
struct KeyPosition {
  size_t key;
  float share;
};

KeyPosition find_key(const std::vector<float>& times, float seconds) {
  const auto next = std::upper_bound(times.begin() + 1, times.end() - 1, seconds);
  const size_t key = size_t(next - times.begin()) - 1;
  return {key, std::clamp((seconds - times[key]) / (times[key + 1] - times[key]), 0.0f, 1.0f)};
}

glm::mat4 sample(const FlatJointTracks& tracks, float seconds) {
  const KeyPosition t = find_key(tracks.translation.times_seconds, seconds);
  const KeyPosition r = find_key(tracks.rotation.times_seconds, seconds);
  const glm::vec3* translations = &tracks.translation.values[t.key];
  const glm::quat* rotations = &tracks.rotation.values[r.key];
  glm::mat4 local = glm::mat4_cast(glm::slerp(rotations[0], rotations[1], r.share));
  local[3] = glm::vec4(glm::mix(translations[0], translations[1], t.share), 1);
  return local;
}

Matrix3x4 to_rows(const glm::mat4& a) {
  Matrix3x4 b;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) b.m[r][c] = a[c][r];
  }
  return b;
}

}  // namespace

FlatModel::FlatModel(const Character& character) : parents(character.skeleton.parents) {
  for (const PaletteEntry& entry : character.skin.entries) {
    inverse_binds.push_back(to_glm(matrix_cast<float>(entry.joint_from_mesh)));
  }
  for (const Clip& clip : character.clips) {
    auto& joints = clips.emplace_back();
    for (const JointTracks& tracks : clip.tracks) {
      FlatJointTracks& joint = joints.emplace_back();
      joint.translation.times_seconds = tracks.translation.times_seconds;
      joint.rotation.times_seconds = tracks.rotation.times_seconds;
      for (const Vec3 v : tracks.translation.values) joint.translation.values.push_back(to_glm(v));
      for (const Quat q : tracks.rotation.values) joint.rotation.values.push_back(to_glm(q));
    }
  }
}

void evaluate_flat(const FlatModel& model, std::span<const Playback> playbacks, uint32_t palette_stride,
                   std::span<Matrix3x4> palettes) {
  std::vector<glm::mat4> model_from_joint(model.parents.size());
  for (size_t i = 0; i < playbacks.size(); ++i) {
    const Layer& layer = playbacks[i].layers[0];
    const std::vector<FlatJointTracks>& tracks = model.clips[layer.clip];
    Matrix3x4* palette = &palettes[i * palette_stride];
    for (size_t j = 0; j < model.parents.size(); ++j) {
      const glm::mat4 local = sample(tracks[j], layer.time_seconds);
      const int32_t parent = model.parents[j];
      model_from_joint[j] = parent < 0 ? local : model_from_joint[size_t(parent)] * local;
      palette[j] = to_rows(model_from_joint[j] * model.inverse_binds[j]);
    }
  }
}

}  // namespace sinew::bench
