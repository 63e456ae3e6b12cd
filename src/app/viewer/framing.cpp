// Where the camera of the viewer looks, and which joints it looks for.
#include <algorithm>
#include <cmath>

#include "scene/clip_names.h"
#include "scene/level_facts.h"
#include "sinew/crowd/planner.h"
#include "viewer/viewer.h"

namespace sinew::app {
namespace {

int32_t first_joint_with(const Skeleton& skeleton, std::span<const std::string_view> words) {
  for (uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (has_word(skeleton.joint_names[joint], words)) return int32_t(joint);
  }
  return kNoJoint;
}

}  // namespace

int32_t upper_body_joint(const Skeleton& skeleton) {
  constexpr std::string_view kWords[] = {" spine ", " chest ", " torso ", " upper body "};
  return first_joint_with(skeleton, kWords);
}

int32_t head_joint(const Skeleton& skeleton) {
  constexpr std::string_view kWords[] = {" head "};
  return first_joint_with(skeleton, kWords);
}

/// Of the selected character in its pose.
std::vector<Vec3> Viewer::positions_in_world() const {
  const PoseData& pose = poses_[selected()];
  const Posed placed = posed(selected());
  std::vector<Vec3> positions = posed_vertices(model(), 0, pose.palette, pose.weights).positions;
  for (Vec3& position : positions) position = transform_point(placed.world_from_model, position);
  return positions;
}

void Viewer::frame_selected() {
  camera = frame_box(bounding_box(positions_in_world()), camera, free_aspect);
  shown.own_size = false, scene_.clear_meters = 0;
  scene_.grid_meters = grid_for(models_.front()).world_meters;
}

void Viewer::zoom(float factor) {
  const std::vector<Vec3> positions = positions_in_world();
  const Character& character = model().character;
  const int32_t joint_of_head = head_joint(character.skeleton);
  const JointRange head = joint_of_head == kNoJoint ? JointRange() : joints_below(character.skeleton, joint_of_head);
  std::vector<Vec3> kept;
  for (uint32_t vertex = 0; vertex < positions.size(); ++vertex) {
    const int32_t joint = character.skin.entries[character.mesh.influences_of(vertex)[0].entry].joint;
    if (joint != kNoJoint && head.contains(uint32_t(joint))) kept.push_back(positions[vertex]);
  }
  camera = zoomed(camera, 1 / factor, kept, free_aspect);
}

void Viewer::set_own_size(bool own_size) {
  frame_selected();
  shown.own_size = own_size;
  const float error = facts_of(model(), level_of(selected())).error_meters;
  if (!own_size || error == 0) return;
  scene_.grid_meters = 0;  // lines would cover the figure
  Orbit near = camera;
  near.distance = 1;
  camera.distance = scene_.clear_meters = error / crowd::kLevelHysteresis / meters_per_pixel(near, picture_height);
}

void Viewer::set_level(uint32_t level) {
  shown.level = level;
  if (shown.own_size) set_own_size(true);
}

}  // namespace sinew::app
