#include "view/derived_clips.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sinew/animation/pose.h"
#include "view/layers.h"

namespace sinew::app {
namespace {

uint32_t append(Character& character, Clip clip, const char* suffix) {
  clip.name += suffix;
  character.clips.push_back(std::move(clip));
  return uint32_t(character.clips.size() - 1);
}

Vec3 without_height(Vec3 v, Vec3 up) { return v - up * dot(v, up); }

Vec3 translation_of(const Matrix3x4d& matrix) {
  return {float(matrix.m[0][3]), float(matrix.m[1][3]), float(matrix.m[2][3])};
}

/// The joints in the rest pose.
std::vector<Matrix3x4d> rest_joints(const Skeleton& skeleton) {
  std::vector<Matrix3x4d> model_from_joint(skeleton.joint_count());
  walk_hierarchy(skeleton, skeleton.rest_pose, model_from_joint);
  return model_from_joint;
}

float size_of_joints(std::span<const Matrix3x4d> model_from_joint) {
  Box box = kEmptyBox;
  for (const Matrix3x4d& matrix : model_from_joint) include(box, translation_of(matrix));
  return model_from_joint.empty() ? 0 : length(size_of(box));
}

/// How far the keys of a track get from the first over the ground, in model space.
float ground_distance(const Track<Vec3>& track, const Matrix3x4d& model_from_parent, Vec3 up) {
  const bool cubic = track.interpolation == Interpolation::kCubic;
  const auto position = [&](size_t key) {
    return without_height(transform_point(model_from_parent, track.values[cubic ? key * 3 + 1 : key]), up);
  };
  float distance = 0;
  for (size_t key = 1; key < track.times_seconds.size(); ++key) {
    distance = std::max(distance, length(position(key) - position(0)));
  }
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
  if (clip >= character_.clips.size()) {
    return Error{ErrorCode::kInvalidArgument, "there is no clip " + std::to_string(clip)};
  }
  const Clip& source = character_.clips[clip];
  if (source.additive) return clip;
  if (const auto made = additive_.find(clip); made != additive_.end()) return made->second;
  std::vector<Transform> first_pose(character_.skeleton.joint_count());
  sample_clip(source, character_.skeleton, source.start_seconds, first_pose);
  auto additive = make_additive(source, character_.skeleton, first_pose);
  if (!additive) return additive.error();
  return additive_[clip] = append(character_, *std::move(additive), " (additive)");
}

Result<uint32_t> DerivedClips::in_place(uint32_t clip, uint32_t joint) {
  for (const InPlace& made : in_place_) {
    if (made.clip == clip && made.joint == joint) return made.derived;
  }
  auto extracted = extract_root_motion(character_, clip, joint);
  if (!extracted) return extracted.error();
  const uint32_t derived = append(character_, std::move(extracted->clip), " (in place)");
  in_place_.push_back({clip, joint, derived, std::move(extracted->track)});
  return derived;
}

const RootTrack& DerivedClips::track_of(uint32_t derived) const {
  const auto made =
      std::find_if(in_place_.begin(), in_place_.end(), [&](const InPlace& each) { return each.derived == derived; });
  assert(made != in_place_.end());
  return made->track;
}

uint32_t default_root_joint(const Character& character, uint32_t clip) {
  const Skeleton& skeleton = character.skeleton;
  const std::vector<Matrix3x4d> model_from_joint = rest_joints(skeleton);
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
