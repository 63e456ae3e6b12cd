// One character at one moment, on the CPU: its joints, its palette, and its skinned vertices.
#pragma once

#include <span>
#include <vector>

#include "scene/model.h"
#include "sinew/animation/evaluator.h"

namespace sinew::app {

/// The joints of a pose. All in model space but for `local`.
struct PoseData {
  std::vector<Transform> local;  // of each joint, relative to its parent
  std::vector<Matrix3x4d> model_from_joint;
  std::vector<Matrix3x4> palette;
  std::vector<float> weights;  // of the morph targets
};

/// Evaluates the clips as the file has them, with the exact evaluator. Allocates.
PoseData pose_data(const Model& model, const Playback& playback);

/// The vertices of a level of detail, in model space.
struct PosedVertices {
  std::vector<Vec3> positions, normals;
  std::vector<Vec4> tangents;  // empty if the file has none
};

/// Skins a level of detail with the CPU skinner. Allocates.
PosedVertices posed_vertices(const Model& model, uint32_t level, std::span<const Matrix3x4> palette,
                             std::span<const float> weights);

/// The largest distance between two skinned positions of the same vertex, in model units.
float largest_distance(std::span<const Vec3> a, std::span<const Vec3> b);

}  // namespace sinew::app
