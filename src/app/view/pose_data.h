// One character at one moment, on the CPU: its joints, its palette and its skinned vertices.
#pragma once

#include <span>
#include <vector>

#include "scene/model.h"
#include "sinew/animation/evaluator.h"

namespace sinew::app {

/// All in model space but for `local`.
struct PoseData {
  std::vector<Transform> local;  // of each joint, relative to its parent
  std::vector<Matrix3x4d> model_from_joint;
  std::vector<Matrix3x4> palette;
  // Of each vertex of a level of detail:
  std::vector<Vec3> positions, normals;
  std::vector<Vec4> tangents;  // empty if the file has none
};

/// Computes all from the clips as the file has them, with the exact evaluator and the CPU skinner. Allocates.
PoseData pose_data(const Model& model, uint32_t level, const Playback& playback);

/// The largest distance between two skinned positions of the same vertex, in model units.
float largest_distance(std::span<const Vec3> a, std::span<const Vec3> b);

/// The skinned positions under another palette.
std::vector<Vec3> positions_with(const Model& model, uint32_t level, std::span<const Matrix3x4> palette);

}  // namespace sinew::app
