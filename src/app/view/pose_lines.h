// Lines that show what a pose consists of: bones, axes, normals, boxes. World space.
#pragma once

#include <span>
#include <vector>

#include "scene/lines.h"
#include "sinew/asset/skeleton.h"
#include "view/pose_data.h"

namespace sinew::app {

/// Where the lines of one character's joints come from.
struct PosedJoints {
  const Skeleton& skeleton;
  std::span<const Matrix3x4d> model_from_joint;
  Matrix3x4d world_from_model;
  float thickness = 1;  // multiplies widths, which are in pixels
};

/// Where the lines of one character come from.
struct PosedModel {
  const Model& model;
  const PoseData& pose;
  Matrix3x4d world_from_model;
  float thickness = 1;  // as PosedJoints has it

  operator PosedJoints() const {
    return {model.character.skeleton, pose.model_from_joint, world_from_model, thickness};
  }
};

/// The position of a joint in world space.
Vec3 joint_position(const PosedJoints& posed, uint32_t joint);

/// A line from each joint to its parent, and a dot on each joint; through the mesh. Of the joints in `moving` (see
/// moving_joints()), and the selected and the hovered one.
void add_bones(const PosedJoints& posed, const std::vector<bool>& moving, int32_t selected, int32_t hovered,
               Lines& lines);

/// The axes of one joint: x red, y green, z blue; through the mesh.
void add_axes(const PosedJoints& posed, uint32_t joint, float length, Lines& lines);

/// A line along the normal, or the tangent, of each vertex.
void add_normals(const PosedModel& posed, const PosedVertices& vertices, Lines& lines);
void add_tangents(const PosedModel& posed, const PosedVertices& vertices, Lines& lines);

/// The edges of a box in model space.
void add_box(const PosedModel& posed, const Box& box, uint32_t color, Lines& lines);

/// Of each joint: whether it, or a joint below it, moves a vertex.
std::vector<bool> moving_joints(const Character& character);

}  // namespace sinew::app
