#include "sinew_file.h"

#include <numeric>

#include "clips.h"

namespace sinew::internal {
namespace {

/// A scene with one node per joint, without rest poses.
Scene scene_of(const Skeleton& skeleton) {
  Scene scene;
  for (uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    SceneNode& node = scene.nodes.emplace_back();
    node.name = skeleton.joint_names[joint];
    node.parent = skeleton.parents[joint];
  }
  return scene;
}

}  // namespace

Scene clips_of(Character&& character, ImportReport& report) {
  Scene scene = scene_of(character.skeleton);
  for (Clip& clip : character.clips) {
    if (clip.additive) {
      report.warnings.push_back("clip '" + clip.name + "' is additive, left out");
      continue;
    }
    SceneClip& added = scene.clips.emplace_back();
    added.name = clip.name;
    for (JointTracks& tracks : clip.tracks) {
      added.tracks.push_back(
          {tracks.joint, std::move(tracks.translation), std::move(tracks.rotation), std::move(tracks.scale)});
    }
  }
  return scene;
}

void append_clips(Character& character, Scene&& other, const std::string& other_path, ImportReport& report) {
  Scene scene = scene_of(character.skeleton);
  Joints joints;
  joints.joint_of.resize(scene.nodes.size());
  std::iota(joints.joint_of.begin(), joints.joint_of.end(), 0);
  add_clips(scene, std::move(other), other_path, report);
  for (Clip& clip : convert_clips(scene, joints, report)) character.clips.push_back(std::move(clip));
}

}  // namespace sinew::internal
