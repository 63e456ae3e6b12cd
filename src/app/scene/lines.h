// Lines in a frame, such as bones and boxes, and the poses that they show. World space; widths are in pixels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scene/model.h"
#include "shared/crowd.h"
#include "sinew/animation/evaluator.h"
#include "sinew/asset/math.h"

namespace sinew::app {

using Line = shared::LineAttributes;

/// A color as Line has it, from 0xRRGGBB.
constexpr uint32_t line_color(uint32_t rgb, uint32_t alpha = 255) {
  return (rgb >> 16 & 255) | (rgb & 0xff00) | (rgb & 255) << 16 | alpha << 24;
}

inline Line make_line(Vec3 from, Vec3 to, uint32_t color, float width) {
  return {{from.x, from.y, from.z}, {to.x, to.y, to.z}, color, width};
}
inline Line make_dot(Vec3 at, uint32_t color, float width) { return make_line(at, at, color, width); }

struct Lines {
  std::vector<Line> tested;   // hidden by what is in front of them
  std::vector<Line> through;  // drawn after those, over everything

  void clear() { tested.clear(), through.clear(); }
};

// One character at one moment, on the CPU: its joints, its palette and its skinned vertices; and the lines that show
// them: bones, axes, normals, boxes. Lines are in world space.

/// A pose. All in model space but for `local`.
struct PoseData {
  std::vector<Transform> local;  // of each joint, relative to its parent
  std::vector<Matrix3x4d> model_from_joint;
  std::vector<Matrix3x4> palette;  // of the character
  std::vector<float> weights;      // of the morph targets
};

/// Evaluates the clips as the file has them, with the exact evaluator, and moves Model::chains to `targets`, those of
/// one instance: all but `local` follow. Allocates.
PoseData pose_data(const Model& model, const Playback& playback, std::span<const ChainTarget> targets = {});

/// The vertices of a level of detail, in model space.
struct PosedVertices {
  std::vector<Vec3> positions, normals;
  std::vector<Vec4> tangents;  // empty if the file has none
};

/// The palette of a level of detail in a pose: that of the pose, or the level's own. Allocates.
std::vector<Matrix3x4> palette_of(const Model& model, uint32_t level, const PoseData& pose);

/// Skins a level of detail with the CPU skinner. `palette` is that of the level; of `weights` it takes as many as it
/// has targets. Allocates.
PosedVertices posed_vertices(const Model& model, uint32_t level, std::span<const Matrix3x4> palette,
                             std::span<const float> weights);

/// Of each joint: whether it, or a joint below it, moves a vertex.
std::vector<bool> moving_joints(const Character& character);

/// Where the lines of one character come from.
struct Posed {
  const Skeleton& skeleton;
  std::span<const Matrix3x4d> model_from_joint;
  Matrix3x4 world_from_model;
  float thickness = 1;  // multiplies widths, which are in pixels
};

/// The position of a joint in world space.
Vec3 joint_position(const Posed& posed, uint32_t joint);

/// A line from each joint to its parent, and a dot on each joint; through the mesh. Of the joints in `moving` (see
/// moving_joints()), and the selected and the hovered one.
void add_bones(const Posed& posed, const std::vector<bool>& moving, int32_t selected, int32_t hovered, Lines& lines);

/// The axes of one joint: x red, y green, z blue; through the mesh.
void add_axes(const Posed& posed, uint32_t joint, float length, Lines& lines);

/// A line along the normal, or the tangent, of each vertex.
void add_normals(const Posed& posed, const PosedVertices& vertices, float length, Lines& lines);
void add_tangents(const Posed& posed, const PosedVertices& vertices, float length, Lines& lines);

/// The edges of a box in model space.
void add_box(const Posed& posed, const Box& box, uint32_t color, Lines& lines);

}  // namespace sinew::app
