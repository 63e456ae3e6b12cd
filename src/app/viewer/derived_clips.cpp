#include "viewer/playing.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sinew/animation/pose.h"

namespace sinew::app {
namespace {

constexpr float kMovingShare = 0.05f;  // of the skeleton's size: hips swing by less in a step on the spot

uint32_t append(Character& character, Clip clip, const char* suffix) {
  clip.name += suffix;
  character.clips.push_back(std::move(clip));
  return uint32_t(character.clips.size() - 1);
}

float size_of_joints(const std::vector<Matrix3x4d>& model_from_joint) {
  Box box = kEmptyBox;
  for (const Matrix3x4d& matrix : model_from_joint) include(box, transform_point(matrix_cast<float>(matrix), {}));
  return model_from_joint.empty() ? 0 : length(size_of(box));
}

/// How far the keys of a track get from the first over the ground, in model space.
float ground_distance(const Track<Vec3>& track, const Matrix3x4d& model_from_parent, Vec3 up) {
  const size_t stride = track.interpolation == Interpolation::kCubic ? 3 : 1;  // a value lies between its tangents
  const auto position = [&](size_t key) {
    const Vec3 in_model = transform_point(model_from_parent, track.values[key * stride + stride / 2]);
    return in_model - up * dot(in_model, up);
  };
  float distance = 0;
  for (size_t key = 1; key < track.times_seconds.size(); ++key)
    distance = std::max(distance, length(position(key) - position(0)));
  return distance;
}

/// Whether at least half of the palette follows a joint. A foot moves over the ground too, and so does a control for
/// one, which exporters keep as a joint.
bool carries_most(const Character& character, uint32_t joint) {
  const JointRange carried = joints_below(character.skeleton, int32_t(joint));
  const auto follows = [&](const PaletteEntry& entry) {
    return entry.joint != kNoJoint && carried.contains(uint32_t(entry.joint));
  };
  const auto& entries = character.skin.entries;
  return size_t(std::count_if(entries.begin(), entries.end(), follows)) * 2 >= entries.size();
}

}  // namespace

Result<uint32_t> DerivedClips::additive(uint32_t clip) {
  const Clip& source = character_.clips[clip];
  if (source.additive) return clip;
  if (const auto made = additive_.find(clip); made != additive_.end()) return made->second;
  std::vector<Transform> first_pose(character_.skeleton.joint_count());
  sample_clip(source, character_.skeleton, source.start_seconds, first_pose);
  auto additive = make_additive(source, character_.skeleton, first_pose);
  if (!additive) return additive.error();
  return additive_[clip] = append(character_, *std::move(additive), " (additive)");
}

Result<const DerivedClips::InPlace*> DerivedClips::in_place(uint32_t clip) {
  if (const auto made = in_place_.find(clip); made != in_place_.end()) return &made->second;
  auto extracted = extract_root_motion(character_, clip, default_root_joint(character_, clip));
  if (!extracted) return extracted.error();
  const uint32_t derived = append(character_, std::move(extracted->clip), " (in place)");
  return &(in_place_[clip] = {derived, std::move(extracted->track)});
}

uint32_t default_root_joint(const Character& character, uint32_t clip) {
  const Skeleton& skeleton = character.skeleton;
  std::vector<Matrix3x4d> model_from_joint(skeleton.joint_count());
  walk_hierarchy(skeleton, skeleton.rest_pose, model_from_joint);
  const float threshold = kMovingShare * size_of_joints(model_from_joint);
  for (const JointTracks& tracks : character.clips[clip].tracks) {
    if (!carries_most(character, tracks.joint)) continue;
    const int32_t parent = skeleton.parents[tracks.joint];
    const Matrix3x4d& model_from_parent =
        parent == kNoJoint ? skeleton.model_from_root : model_from_joint[size_t(parent)];
    const float distance = ground_distance(tracks.translation, model_from_parent, normalize(character.space.up));
    if (distance > threshold) return tracks.joint;
  }
  return 0;
}

}  // namespace sinew::app
