#include "scene/lines.h"

#include <algorithm>

#include "scene/exact_poses.h"
#include "sinew/animation/pose.h"

namespace sinew::app {
namespace {

constexpr uint32_t kBone = line_color(0xf2c14e, 230), kJoint = line_color(0xfff3d0), kSelected = line_color(0xff5a36),
                   kHovered = line_color(0xffffff), kNormal = line_color(0x5ad1ff, 200),
                   kTangent = line_color(0xff7ad9, 200);
constexpr float kBoneWidth = 3, kJointWidth = 6, kSelectedWidth = 11, kThin = 1.2f, kBoxWidth = 2, kAxisWidth = 3;

Vec3 to_world(const Posed& posed, Vec3 in_model) { return transform_point(posed.world_from_model, in_model); }

Vec3 direction_in_world(const Posed& posed, Vec3 in_model) {
  return normalize(to_world(posed, in_model) - to_world(posed, {}));
}

/// Lines from vertices, along `directions` in model space.
template <class Directions>
void add_directions(const Posed& posed, std::span<const Vec3> positions, const Directions& directions, float length,
                    uint32_t color, Lines& lines) {
  for (size_t i = 0; i < directions.size(); ++i) {
    const Vec3 from = to_world(posed, positions[i]);
    const Vec3 along = direction_in_world(posed, {directions[i].x, directions[i].y, directions[i].z});
    lines.tested.push_back(make_line(from, from + along * length, color, kThin * posed.thickness));
  }
}

}  // namespace

PoseData pose_data(const Model& model, const Playback& playback, std::span<const ChainTarget> targets) {
  const Character& character = model.character;
  PoseData data;
  data.palette.resize(character.skin.palette_size());
  EvaluationScratch scratch;
  throw_if_failed(evaluate_exact(character, {&playback, 1}, uint32_t(data.palette.size()), data.palette, scratch,
                                 factors_of(model.masks), {model.chains, targets}));
  data.weights.resize(character.mesh.target_count());
  throw_if_failed(evaluate_weights_exact(character, {&playback, 1}, uint32_t(data.weights.size()), data.weights));
  data.local = std::move(scratch.poses[0]);
  data.model_from_joint = std::move(scratch.model_from_joint);
  return data;
}

std::vector<Matrix3x4> palette_of(const Model& model, uint32_t level, const PoseData& pose) {
  std::vector<Matrix3x4> palette = pose.palette;
  if (!model.has_palette(level)) return palette;
  palette.resize(model.skin(level).palette_size());
  build_palette(model.skin(level), pose.model_from_joint, palette);
  return palette;
}

PosedVertices posed_vertices(const Model& model, uint32_t level, std::span<const Matrix3x4> palette,
                             std::span<const float> weights) {
  const Mesh& mesh = model.mesh(level);
  PosedVertices posed;
  posed.positions.resize(mesh.vertex_count());
  posed.normals.resize(mesh.vertex_count());
  posed.tangents.resize(mesh.tangents.size());
  skin_on_cpu(mesh, palette, posed.positions, posed.normals, posed.tangents,
              weights.first(std::min<size_t>(weights.size(), mesh.target_count())));
  return posed;
}

std::vector<bool> moving_joints(const Character& character) {
  std::vector<bool> moving(character.skeleton.joint_count());
  for (const Influence& influence : character.mesh.influences) {
    const int32_t joint = character.skin.entries[influence.entry].joint;
    if (joint != kNoJoint) moving[size_t(joint)] = true;
  }
  for (size_t joint = moving.size(); joint-- > 0;) {  // children follow their parents
    const int32_t parent = character.skeleton.parents[joint];
    if (moving[joint] && parent != kNoJoint) moving[size_t(parent)] = true;
  }
  return moving;
}

Vec3 joint_position(const Posed& posed, uint32_t joint) {
  return to_world(posed, transform_point(matrix_cast<float>(posed.model_from_joint[joint]), {}));
}

void add_bones(const Posed& posed, const std::vector<bool>& moving, int32_t selected, int32_t hovered, Lines& lines) {
  const Skeleton& skeleton = posed.skeleton;
  for (uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    const int32_t parent = skeleton.parents[joint];
    if (!moving[joint] || parent == kNoJoint) continue;
    lines.through.push_back(make_line(joint_position(posed, uint32_t(parent)), joint_position(posed, joint), kBone,
                                      kBoneWidth * posed.thickness));
  }
  for (uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    const bool is_selected = int32_t(joint) == selected, is_hovered = int32_t(joint) == hovered;
    if (!moving[joint] && !is_selected && !is_hovered) continue;
    const uint32_t color = is_selected ? kSelected : is_hovered ? kHovered : kJoint;
    const float width = is_selected || is_hovered ? kSelectedWidth : kJointWidth;
    lines.through.push_back(make_dot(joint_position(posed, joint), color, width * posed.thickness));
  }
}

void add_axes(const Posed& posed, uint32_t joint, float axis_length, Lines& lines) {
  constexpr uint32_t kColors[] = {line_color(0xff4d4d), line_color(0x5fe05f), line_color(0x5c8dff)};
  const Matrix3x4d& m = posed.model_from_joint[joint];
  const Vec3 from = joint_position(posed, joint);
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 along{float(m.m[0][axis]), float(m.m[1][axis]), float(m.m[2][axis])};
    if (!(length(along) > 0)) continue;
    const Vec3 to = from + direction_in_world(posed, along) * axis_length;
    lines.through.push_back(make_line(from, to, kColors[axis], kAxisWidth * posed.thickness));
  }
}

void add_normals(const Posed& posed, const PosedVertices& vertices, float length, Lines& lines) {
  add_directions(posed, vertices.positions, vertices.normals, length, kNormal, lines);
}

void add_tangents(const Posed& posed, const PosedVertices& vertices, float length, Lines& lines) {
  add_directions(posed, vertices.positions, vertices.tangents, length, kTangent, lines);
}

void add_box(const Posed& posed, const Box& box, uint32_t color, Lines& lines) {
  const auto corners = corners_of(box);
  for (size_t from = 0; from < 8; ++from) {
    for (size_t bit : {1, 2, 4}) {
      if (from & bit) continue;
      lines.tested.push_back(make_line(to_world(posed, corners[from]), to_world(posed, corners[from | bit]), color,
                                       kBoxWidth * posed.thickness));
    }
  }
}

}  // namespace sinew::app
