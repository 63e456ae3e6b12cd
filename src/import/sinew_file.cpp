#include "sinew_file.h"

#include <numeric>

#include "clips.h"

namespace sinew::internal {
namespace {

/// A scene with one node per joint, without rest poses. A further node has the names of the morph targets.
Scene scene_of(const Character& character) {
  Scene scene;
  const Skeleton& skeleton = character.skeleton;
  for (uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    SceneNode& node = scene.nodes.emplace_back();
    node.name = skeleton.joint_names[joint];
    node.parent = skeleton.parents[joint];
  }
  SceneMesh& mesh = scene.meshes.emplace_back();
  for (const MorphTarget& target : character.mesh.targets) mesh.targets.emplace_back().name = target.name;
  scene.uses.push_back({uint32_t(scene.nodes.size()), 0});
  scene.nodes.emplace_back();
  return scene;
}

}  // namespace

Scene clips_of(Character&& character, ImportReport& report) {
  Scene scene = scene_of(character);
  for (Clip& clip : character.clips) {
    if (clip.additive) {
      report.warnings.push_back("clip '" + clip.name + "' is additive, left out");
      continue;
    }
    SceneClip& added = scene.clips.emplace_back();
    added.name = clip.name;
    added.markers = std::move(clip.markers);
    for (JointTracks& tracks : clip.tracks) {
      added.tracks.push_back(
          {tracks.joint, std::move(tracks.translation), std::move(tracks.rotation), std::move(tracks.scale)});
    }
    for (WeightTrack& track : clip.weights) {
      added.weights.push_back({character.skeleton.joint_count(), track.target, std::move(track.weight)});
    }
  }
  return scene;
}

void append_clips(Character& character, Scene&& other, const std::string& other_path, ImportReport& report) {
  Scene scene = scene_of(character);
  Joints joints;
  joints.joint_of.resize(scene.nodes.size());
  std::iota(joints.joint_of.begin(), joints.joint_of.end(), 0);
  joints.joint_of.back() = kNoJoint;
  const TargetBuilder targets(uint32_t(scene.nodes.size() - 1), character.mesh.target_count());
  add_clips(scene, std::move(other), other_path, report);
  for (Clip& clip : convert_clips(scene, joints, targets, report)) character.clips.push_back(std::move(clip));
}

}  // namespace sinew::internal
