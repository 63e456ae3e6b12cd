#include "view/moving_character.h"

#include <cmath>
#include <cstdlib>

namespace sinew::app {
namespace {

Quat about_y(double radians) { return {0, float(std::sin(radians / 2)), 0, float(std::cos(radians / 2))}; }

Clip make_clip(const char* name, JointTracks tracks) { return {name, 1, 2, {std::move(tracks)}}; }

/// A curve that gets faster: its loop is no whole number of equal steps.
JointTracks walk_tracks(uint32_t joint) {
  JointTracks tracks;
  tracks.joint = joint;
  for (int key = 0; key <= 8; ++key) {
    const float share = float(key) / 8, seconds = 1 + share;
    tracks.translation.times_seconds.push_back(seconds);
    tracks.translation.values.push_back(
        {0.1f + 0.4f * share * share, 1 + 0.05f * std::sin(6.2831853f * share), 2 * share});
    tracks.rotation.times_seconds.push_back(seconds);
    tracks.rotation.values.push_back(about_y(0.2 + 0.9 * share * share));
  }
  return tracks;
}

JointTracks slide_tracks(uint32_t joint, Vec3 from, Vec3 to) {
  JointTracks tracks;
  tracks.joint = joint;
  tracks.translation = {{1, 2}, {from, to}};
  return tracks;
}

}  // namespace

Character make_moving_character() {
  Character character;
  Skeleton& skeleton = character.skeleton;
  skeleton.joint_names = {"root", "hips", "spine", "head", "foot"};
  skeleton.parents = {kNoJoint, 0, 1, 2, 1};
  skeleton.rest_pose.resize(5);
  skeleton.rest_pose[1].translation = {0, 1, 0};
  skeleton.rest_pose[2].translation = skeleton.rest_pose[3].translation = {0, 0.4f, 0};
  skeleton.rest_pose[4].translation = {0.1f, -1, 0};
  for (int32_t joint = 0; joint < 5; ++joint) character.skin.entries.push_back({joint, {}});
  character.clips.push_back(make_clip("Walk", walk_tracks(1)));
  character.clips.push_back(make_clip("Idle", slide_tracks(2, {0, 0.4f, 0}, {0.01f, 0.5f, 0.02f})));
  character.clips.push_back(make_clip("Slide", slide_tracks(0, {0, 0, 0}, {1, 0, 0})));
  character.clips.push_back(make_clip("Nod", slide_tracks(3, {0, 0.4f, 0}, {0, 0.4f, 0.3f})));
  character.mesh.first_influence = {0};
  character.materials.resize(1);
  return character;
}

Matrix3x4d model_from_joint(const Character& character, const Playback& playback, uint32_t joint) {
  std::vector<Matrix3x4> palette(character.skin.palette_size());
  EvaluationScratch scratch;
  if (!evaluate_exact(character, {&playback, 1}, uint32_t(palette.size()), palette, scratch)) std::abort();
  return matrix_cast<double>(palette[joint]);  // no joint has an inverse bind matrix
}

}  // namespace sinew::app
