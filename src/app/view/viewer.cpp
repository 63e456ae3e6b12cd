#include "view/viewer.h"

#include <algorithm>
#include <cmath>
#include <glm/vec4.hpp>

#include "scene/exact_poses.h"
#include "view/data_colors.h"

namespace sinew::app {
namespace {

constexpr uint32_t kClipBoundsColor = line_color(0x6fd06f), kPoseBoundsColor = line_color(0xffc04d);
constexpr float kAxisLength = 0.12f, kSmallAxisLength = 0.045f;  // of the character's size
constexpr uint32_t kClipSamples = 60;                            // poses that clip bounds are measured from

}  // namespace

Viewer::Viewer(std::vector<Model> models) : models_(std::move(models)), scene_(make_view_scene(models_)) {
  for (Model& model : models_) {
    model.arm_overlay.reset();
    playings_.emplace_back(model.character);
    moving_.push_back(app::moving_joints(model.character));
  }
  poses_.resize(models_.size());
  start_radius_ = scene_.radius;
  update();
}

void Viewer::select(uint32_t index) {
  if (index == selected_ || index >= models_.size()) return;
  selected_ = index;
  shown.selected_joint = shown.hovered_joint = kNoJoint;
}

void Viewer::advance(double seconds) {
  for (Playing& playing : playings_) playing.advance(seconds);
  update();
}

void Viewer::update() {
  scene_.radius = start_radius_;
  for (uint32_t i = 0; i < models_.size(); ++i) {
    scene_.playbacks[i] = playings_[i].playback();
    const auto masks = playings_[i].masks();
    models_[i].masks.resize(masks.size());
    for (size_t m = 0; m < masks.size(); ++m) models_[i].masks[m] = {std::to_string(m + 1), masks[m]};
    move_instance(models_, i, playings_[i].model_from_moved(), scene_);
    poses_[i] = pose_data(models_[i], scene_.playbacks[i]);
    const Matrix3x4& placed = scene_.instances[i].world_from_model;
    scene_.radius = std::max(scene_.radius, std::hypot(placed.m[0][3], placed.m[2][3]) + models_[i].size());
  }
}

PosedModel Viewer::posed(size_t index) const {
  return {models_[index], poses_[index], matrix_cast<double>(scene_.instances[index].world_from_model), thickness};
}

uint32_t Viewer::level_of(size_t index) const { return std::min(shown.level, uint32_t(models_[index].levels.size())); }

void Viewer::make_lines(Lines& lines) const {
  lines.clear();
  for (uint32_t i = 0; i < models_.size(); ++i) {
    const PosedModel pose = posed(i);
    const int32_t selected = i == selected_ ? shown.selected_joint : kNoJoint;
    const int32_t hovered = i == selected_ ? shown.hovered_joint : kNoJoint;
    if (shown.clip_bounds) add_box(pose, clip_bounds(i), kClipBoundsColor, lines);
    if (shown.pose_bounds || shown.normals || shown.tangents) add_vertex_lines(i, lines);
    if (shown.bones) add_bones(pose, moving_[i], selected, hovered, lines);
    if (!shown.axes) continue;
    if (selected != kNoJoint) {
      add_axes(pose, uint32_t(selected), kAxisLength * models_[i].size(), lines);
      continue;
    }
    for (uint32_t joint = 0; joint < moving_[i].size(); ++joint) {
      if (moving_[i][joint]) add_axes(pose, joint, kSmallAxisLength * models_[i].size(), lines);
    }
  }
}

void Viewer::add_vertex_lines(size_t index, Lines& lines) const {
  const PosedModel pose = posed(index);
  const PosedVertices skinned = vertices(index);
  if (shown.pose_bounds) add_box(pose, bounding_box(skinned.positions), kPoseBoundsColor, lines);
  if (shown.normals) add_normals(pose, skinned, lines);
  if (shown.tangents) add_tangents(pose, skinned, lines);
}

std::vector<uint32_t> Viewer::vertex_colors(size_t index, uint32_t level) const {
  const Model& model = models_[index];
  const Mesh& mesh = model.mesh(level);
  if (shown.colors == DataColors::kInfluences) return influence_colors(mesh);
  if (shown.colors == DataColors::kLostWeight) return lost_weight_colors(mesh, kUsualInfluences);
  const int32_t joint = index == selected_ ? shown.selected_joint : kNoJoint;
  return joint_weight_colors(mesh, model.character.skin, joint);
}

int32_t Viewer::joint_at(const View& view, float x, float y, float reach) const {
  const PosedModel pose = posed(selected_);
  const std::vector<bool>& moving = moving_[selected_];
  int32_t nearest = kNoJoint;
  for (uint32_t joint = 0; joint < moving.size(); ++joint) {
    if (!moving[joint]) continue;
    const auto at = to_picture(view, joint_position(pose, joint));
    if (!at) continue;
    const float distance = std::hypot(at->x - x, at->y - y);
    if (distance > reach) continue;
    reach = distance;
    nearest = int32_t(joint);
  }
  return nearest;
}

Box Viewer::clip_bounds(size_t index) const {
  const uint32_t clip = playings_[index].played().value_or(UINT32_MAX);
  for (const MeasuredClip& known : measured_) {
    if (known.model == index && known.clip == clip) return known.box;
  }
  const Character& character = models_[index].character;
  Box box = kEmptyBox;
  for (uint32_t sample = 0; sample <= kClipSamples; ++sample) {
    Playback playback;
    if (clip < character.clips.size()) {
      const Clip& played = character.clips[clip];
      const float share = float(sample) / kClipSamples;
      playback.layers[0] = {clip, played.start_seconds + share * played.duration_seconds(), 1};
    }
    for (const Vec3 position : exact_positions(character, playback)) include(box, position);
  }
  measured_.push_back({uint32_t(index), clip, box});
  return measured_.back().box;
}

std::optional<Vec2> to_picture(const View& view, Vec3 position) {
  const glm::vec4 clip = view.clip_from_world * glm::vec4(position.x, position.y, position.z, 1);
  if (!(clip.w > 0)) return {};
  return Vec2{(clip.x / clip.w * 0.5f + 0.5f) * float(view.width),
              (clip.y / clip.w * 0.5f + 0.5f) * float(view.height)};
}

}  // namespace sinew::app
