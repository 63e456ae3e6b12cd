#include "tutorial.h"

#include <algorithm>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>

#include "sinew/glm.h"

namespace sinew::bench {
namespace {

TutorialNode make_node(const Skeleton& skeleton, uint32_t joint) {
  TutorialNode node{skeleton.joint_names[joint], to_glm(matrix_cast<float>(to_matrix(skeleton.rest_pose[joint]))), {}};
  for (uint32_t child = joint + 1; child < skeleton.joint_count(); ++child) {
    if (skeleton.parents[child] == int32_t(joint)) node.children.push_back(make_node(skeleton, child));
  }
  return node;
}

}  // namespace

TutorialChannel::TutorialChannel(std::string name, const JointTracks& tracks, const Transform& rest)
    : name_(std::move(name)) {
  const auto copy = [](const auto& track, auto rest_value, auto& keys) {
    for (size_t i = 0; i < track.values.size(); ++i) keys.push_back({track.times_seconds[i], to_glm(track.values[i])});
    if (keys.empty()) keys.push_back({0, to_glm(rest_value)});
  };
  copy(tracks.translation, rest.translation, translations_);
  copy(tracks.rotation, rest.rotation, rotations_);
  copy(tracks.scale, rest.scale, scales_);
}

template <class Value>
size_t TutorialChannel::find_key(const std::vector<Key<Value>>& keys, float seconds) {
  for (size_t i = 0; i + 2 < keys.size(); ++i) {
    if (seconds < keys[i + 1].seconds) return i;
  }
  return keys.size() - 2;
}

template <class Value>
float TutorialChannel::share(const std::vector<Key<Value>>& keys, size_t key, float seconds) {
  return (seconds - keys[key].seconds) / (keys[key + 1].seconds - keys[key].seconds);
}

void TutorialChannel::update(float seconds) {
  const auto mixed_vector = [&](const std::vector<Key<glm::vec3>>& keys) {
    if (keys.size() == 1) return keys[0].value;
    const size_t key = find_key(keys, seconds);
    return glm::mix(keys[key].value, keys[key + 1].value, share(keys, key, seconds));
  };
  const auto mixed_rotation = [&](const std::vector<Key<glm::quat>>& keys) {
    if (keys.size() == 1) return glm::normalize(keys[0].value);
    const size_t key = find_key(keys, seconds);
    return glm::normalize(glm::slerp(keys[key].value, keys[key + 1].value, share(keys, key, seconds)));
  };
  const glm::mat4 translation = glm::translate(glm::mat4(1), mixed_vector(translations_));
  const glm::mat4 rotation = glm::mat4_cast(mixed_rotation(rotations_));
  const glm::mat4 scale = glm::scale(glm::mat4(1), mixed_vector(scales_));
  local_ = translation * rotation * scale;
}

TutorialChannel* TutorialClip::find(const std::string& name) {
  const auto found =
      std::find_if(channels.begin(), channels.end(), [&](const TutorialChannel& c) { return c.name() == name; });
  return found == channels.end() ? nullptr : &*found;
}

TutorialModel::TutorialModel(const Character& character) : root(make_node(character.skeleton, 0)) {
  const Skeleton& skeleton = character.skeleton;
  for (uint32_t e = 0; e < character.skin.palette_size(); ++e) {
    const PaletteEntry& entry = character.skin.entries[e];
    joint_infos[skeleton.joint_names[size_t(entry.joint)]] = {int(e),
                                                              to_glm(matrix_cast<float>(entry.joint_from_mesh))};
  }
  for (const Clip& clip : character.clips) {
    TutorialClip& copy = clips.emplace_back();
    copy.seconds = clip.end_seconds;
    for (const JointTracks& tracks : clip.tracks) {
      copy.channels.emplace_back(skeleton.joint_names[tracks.joint], tracks, skeleton.rest_pose[tracks.joint]);
    }
  }
}

TutorialAnimator::TutorialAnimator(TutorialModel& model, uint32_t clip, float seconds)
    : model_(&model), clip_(&model.clips[clip]), seconds_(seconds), matrices_(model.joint_infos.size(), glm::mat4(1)) {}

void TutorialAnimator::update(float seconds) {
  seconds_ = std::fmod(seconds_ + seconds, clip_->seconds);
  visit(model_->root, glm::mat4(1), model_->joint_infos);
}

void TutorialAnimator::visit(const TutorialNode& node, const glm::mat4& parent,
                             const std::map<std::string, TutorialJointInfo>& joint_infos) {
  const std::string name = node.name;
  glm::mat4 local = node.local;
  if (TutorialChannel* channel = clip_->find(name)) {
    channel->update(seconds_);
    local = channel->local();
  }
  const glm::mat4 model_from_node = parent * local;
  const auto info = joint_infos.find(name);
  if (info != joint_infos.end()) {
    matrices_[size_t(info->second.index)] = model_from_node * info->second.inverse_bind;
  }
  for (const TutorialNode& child : node.children) visit(child, model_from_node, joint_infos);
}

}  // namespace sinew::bench
