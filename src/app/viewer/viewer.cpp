#include "viewer/viewer.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <glm/geometric.hpp>
#include <glm/vec4.hpp>
#include <variant>

#include "scene/data_colors.h"
#include "scene/exact_poses.h"
#include "scene/names.h"
#include "sinew/animation/footsteps.h"
#include "sinew/crowd/planner.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr uint32_t kClipBoundsColor = line_color(0x6fd06f), kPoseBoundsColor = line_color(0xffc04d);
constexpr float kAxisLength = 0.12f, kSmallAxisLength = 0.045f, kNormalLength = 0.025f;  // of the character's size
constexpr size_t kMaxDigits = 9;                                                         // of a clip's number
constexpr double kTypingSeconds = 0.7;  // after a digit, for the next one
constexpr uint32_t kClipSamples = 60;   // poses that clip bounds are measured from

/// The box around all poses of a clip, in model space; without such a clip, around the rest pose.
Box bounds_of_clip(const Character& character, uint32_t clip) {
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
  return box;
}

/// Of `count` points, some of which may not be there, the one that is drawn nearest to a point of the picture, within
/// `reach` pixels.
std::optional<uint32_t> nearest_of(const View& view, Vec2 point, float reach, uint32_t count, const auto& position_of) {
  std::optional<uint32_t> found;
  for (uint32_t i = 0; i < count; ++i) {
    const std::optional<Vec3> position = position_of(i);
    const auto at = position ? to_picture(view, *position) : std::nullopt;
    const float distance = at ? std::hypot(at->x - point.x, at->y - point.y) : INFINITY;
    if (distance <= reach) reach = distance, found = i;
  }
  return found;
}

int32_t first_joint_with(const Skeleton& skeleton, std::string_view words) {
  for (uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (has_word(skeleton.joint_names[joint], words)) return int32_t(joint);
  }
  return kNoJoint;
}

constexpr uint32_t kHandle = line_color(0x4fc3ff), kDragged = line_color(0xff5c3c);
constexpr float kHandlePixels = 11;
constexpr float kMinDepth = 0.01f;  // meters before the eye

}  // namespace

std::vector<uint32_t> filtered_clips(std::span<const Clip> clips, std::string_view filter) {
  std::vector<uint32_t> left;
  for (uint32_t i = 0; i < clips.size(); ++i) {
    if (contains_any_case(clips[i].name, filter)) left.push_back(i);
  }
  return left;
}

uint32_t neighbor(std::span<const uint32_t> list, uint32_t clip, int offset) {
  const auto at = std::ranges::lower_bound(list, clip);
  int64_t index = at - list.begin();
  if (offset > 0 && (at == list.end() || *at != clip)) --index;
  const int64_t count = int64_t(list.size());
  return list[size_t(((index + offset) % count + count) % count)];
}

size_t shared_front(std::span<const Clip> clips) {
  if (clips.size() < 2) return 0;
  std::string_view shared = clips.front().name;
  for (const Clip& clip : clips) {
    const auto differs = std::ranges::mismatch(shared, clip.name).in1;
    shared = shared.substr(0, size_t(differs - shared.begin()));
  }
  return shared.rfind('|') + 1;  // npos + 1 is 0
}

bool show(Shown& shown, std::string_view word) {
  for (const ShownSwitch& each : kShownSwitches) {
    if (each.word == word) return shown.*each.flag = true;
  }
  for (size_t colors = 1; colors < std::size(kShownColors); ++colors) {
    if (kShownColors[colors].word != word) continue;
    shown.colors = DataColors(colors);
    return true;
  }
  return false;
}

std::string show_words() {
  std::string words;
  for (const ShownSwitch& each : kShownSwitches) words += each.word + std::string(", ");
  for (size_t colors = 1; colors < std::size(kShownColors); ++colors)
    words += (colors > 1 ? ", " : "") + std::string(kShownColors[colors].word);
  return words;
}

Viewer::Viewer(std::vector<Model> models) : models_(std::move(models)), scene_(make_view_scene(models_)) {
  for (Model& model : models_) {
    model.arm_overlay.reset();
    model.masks.clear();
    for (uint32_t mask = 1; mask <= kMaxLayers; ++mask)
      model.masks.push_back({std::to_string(mask), std::vector<float>(model.character.skeleton.joint_count())});
    if (auto chains = find_chains(model.character)) model.chains = std::move(*chains);
    playings_.emplace_back(model.character);
    moving_.push_back(app::moving_joints(model.character));
    weights_.emplace_back(model.character.mesh.target_count());
  }
  poses_.resize(models_.size()), held_.resize(models_.size());
  update();
}

void Viewer::report(const Status& status) {
  message = status ? "" : status.error().message;
  update();
}

void Viewer::choose_clip(uint32_t clip) { report(playing().choose(clip, double(fade_seconds))); }

void Viewer::choose_neighbor(int offset) {
  const std::vector<uint32_t> clips = shown_clips();
  if (!clips.empty()) choose_clip(neighbor(clips, *playing().clip(), offset));
}

void Viewer::blend_with(std::optional<uint32_t> clip) {
  if (clip) return report(playing().blend_with(*clip, double(fade_seconds)));
  if (const ViewLayer* blend = playing().blend()) drop_layer(size_t(blend - playing().layers().data()));
}

void Viewer::set_root_motion(RootMotion mode) { report(playing().set_root_motion(mode)); }

void Viewer::add_layer(uint32_t clip) {
  report(playing().add_layer({.clip = clip, .joint = joint_of_new_layer()}, double(fade_seconds)));
}

int32_t Viewer::joint_of_new_layer() const {
  return shown.selected_joint != kNoJoint ? shown.selected_joint : upper_body_joint(model().character.skeleton);
}

void Viewer::set_weight(size_t target, std::optional<float> weight) {
  weights_[selected()][target] = weight;
  update();
}

void Viewer::reset_weights() {
  for (std::optional<float>& weight : weights_[selected()]) weight.reset();
  update();
}

void Viewer::type_digit(uint32_t digit) {
  if (playing().clip_count() == 0 || typed.size() == kMaxDigits) return;
  typed += char('0' + digit);
  typing_seconds = std::stoul(typed) * 10 >= playing().clip_count() ? 0 : kTypingSeconds;
}

void Viewer::take_number(double elapsed_seconds) {
  typing_seconds -= elapsed_seconds;
  if (typed.empty() || typing_seconds > 0) return;
  const uint32_t clip = uint32_t(std::stoul(std::exchange(typed, {})));
  std::exchange(typing_layer, false) ? add_layer(clip) : choose_clip(clip);
}

void Viewer::show_file_list() {
  hidden = help = false;
  file_list.emplace(files.empty() ? std::filesystem::path() : folder_of(files.front()));
}

void Viewer::advance(double seconds) {
  for (Playing& playing : playings_) playing.advance(seconds);
  update();
}

void Viewer::update() {
  scene_.radius = 0;
  scene_.targets.clear();
  for (uint32_t i = 0; i < models_.size(); ++i) {
    scene_.playbacks[i] = playings_[i].playback(models_[i].masks);
    move_instance(models_, i, playings_[i].model_from_moved(), scene_);
    poses_[i] = pose_data(models_[i], scene_.playbacks[i], held_[i]);
    override_weights(weights_[i], poses_[i].weights);
    for (ChainTarget target : held_[i]) {
      target.instance = i;
      scene_.targets.push_back(target);
    }
    const Matrix3x4 placed = world_from_model(scene_, i, i);
    const float away = std::max(std::abs(scene_.positions[i].x), std::hypot(placed.m[0][3], placed.m[2][3]));
    scene_.radius = std::max(scene_.radius, away + models_[i].size());
  }
}

Posed Viewer::posed(size_t index) const {
  return {models_[index].character.skeleton, poses_[index].model_from_joint,
          world_from_model(scene_, uint32_t(index), uint32_t(index)), thickness};
}

PosedVertices Viewer::vertices(size_t index) const {
  const std::vector<Matrix3x4> palette = palette_of(models_[index], level_of(index), poses_[index]);
  return posed_vertices(models_[index], level_of(index), palette, poses_[index].weights);
}

uint32_t Viewer::level_of(size_t index) const { return std::min(shown.level, models_[index].level_count() - 1); }

Lines Viewer::lines() const {
  Lines lines;
  for (uint32_t i = 0; i < models_.size(); ++i) {
    const bool own = i == selected();
    if (shown.clip_bounds) add_box(posed(i), clip_bounds(i), kClipBoundsColor, lines);
    if (shown.pose_bounds || shown.normals || shown.tangents) add_vertex_lines(i, lines);
    if (shown.bones)
      add_bones(posed(i), moving_[i], own ? shown.selected_joint : kNoJoint, own ? shown.hovered_joint : kNoJoint,
                lines);
    if (shown.axes) add_axes(i, lines);
  }
  if (shown.handles) add_handles(lines);
  return lines;
}

void Viewer::add_vertex_lines(size_t index, Lines& lines) const {
  const PosedVertices skinned = vertices(index);
  const float length = kNormalLength * models_[index].size();
  if (shown.pose_bounds) add_box(posed(index), bounding_box(skinned.positions), kPoseBoundsColor, lines);
  if (shown.normals) add_normals(posed(index), skinned, length, lines);
  if (shown.tangents) add_tangents(posed(index), skinned, length, lines);
}

void Viewer::add_axes(size_t index, Lines& lines) const {
  const float size = models_[index].size();
  if (index == selected() && shown.selected_joint != kNoJoint)
    return app::add_axes(posed(index), uint32_t(shown.selected_joint), kAxisLength * size, lines);
  for (uint32_t joint = 0; joint < moving_[index].size(); ++joint) {
    if (moving_[index][joint]) app::add_axes(posed(index), joint, kSmallAxisLength * size, lines);
  }
}

std::vector<uint32_t> Viewer::vertex_colors(size_t index, uint32_t level) const {
  const Model& model = models_[index];
  const Mesh& mesh = model.mesh(level);
  if (shown.colors == DataColors::kInfluences) return influence_colors(mesh);
  if (shown.colors == DataColors::kLostWeight) return lost_weight_colors(mesh, kUsualInfluences);
  const int32_t joint = index == selected() ? shown.selected_joint : kNoJoint;
  return joint_weight_colors(mesh, model.skin(level), joint);
}

int32_t Viewer::joint_at(const View& view, float x, float y, float reach) const {
  const std::vector<bool>& moving = moving_[selected()];
  const auto joint = nearest_of(view, {x, y}, reach, uint32_t(moving.size()), [&](uint32_t i) {
    return moving[i] ? std::optional(joint_position(posed(selected()), i)) : std::nullopt;
  });
  return joint ? int32_t(*joint) : kNoJoint;
}

/// Computed once for each clip.
const Box& Viewer::clip_bounds(size_t index) const {
  const std::optional<uint32_t> clip = playings_[index].played();
  const auto [known, is_new] = clip_bounds_.try_emplace({index, clip});
  if (is_new) known->second = bounds_of_clip(models_[index].character, clip.value_or(UINT32_MAX));
  return known->second;
}

std::optional<Vec2> to_picture(const View& view, Vec3 position) {
  const glm::vec4 clip = view.clip_from_world * glm::vec4(position.x, position.y, position.z, 1);
  if (!(clip.w > 0)) return {};
  return Vec2{(clip.x / clip.w * 0.5f + 0.5f) * float(view.width),
              (clip.y / clip.w * 0.5f + 0.5f) * float(view.height)};
}

// Where the camera of the viewer looks, and which joints it looks for.

int32_t upper_body_joint(const Skeleton& skeleton) {
  return first_joint_with(skeleton, " spine | chest | torso | upper body ");
}

int32_t head_joint(const Skeleton& skeleton) { return first_joint_with(skeleton, " head "); }

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

// The handles of limbs, and the markers of clips: what Viewer does with sinew/animation/inverse_kinematics.h and
// footsteps.h.

Vec3 Viewer::handle_position(uint32_t chain) const {
  const auto found = std::ranges::find(held_[selected()], chain, &ChainTarget::chain);
  const Posed pose = posed(selected());
  if (found != held_[selected()].end()) return transform_point(pose.world_from_model, found->position);
  return joint_position(pose, std::get<TwoBoneChain>(model().chains[chain].kind).end);
}

void Viewer::add_handles(Lines& lines) const {
  const auto& chains = model().chains;
  for (uint32_t chain = 0; chain < chains.size(); ++chain) {
    if (!std::holds_alternative<TwoBoneChain>(chains[chain].kind)) continue;
    const bool held = std::ranges::find(held_[selected()], chain, &ChainTarget::chain) != held_[selected()].end();
    lines.through.push_back(make_dot(handle_position(chain), held ? kDragged : kHandle, kHandlePixels * thickness));
  }
}

std::optional<uint32_t> Viewer::handle_at(const View& view, float x, float y, float reach) const {
  const auto& chains = model().chains;
  return nearest_of(view, {x, y}, reach, uint32_t(chains.size()), [&](uint32_t chain) {
    const bool has_handle = std::holds_alternative<TwoBoneChain>(chains[chain].kind);
    return has_handle ? std::optional(handle_position(chain)) : std::nullopt;
  });
}

void Viewer::drag_handle(const View& view, uint32_t chain, float x, float y) {
  const Vec3 from = handle_position(chain);
  const Axes axes = axes_of(camera);
  const float depth = glm::dot(glm::vec3(from.x, from.y, from.z) - view.eye, axes.forward);
  const float meters = std::max(depth, kMinDepth) / view.pixels_per_radian;
  const glm::vec3 moved = (axes.right * x - axes.up * y) * meters;
  const Matrix3x4 placed = posed(selected()).world_from_model;
  std::vector<ChainTarget>& held = held_[selected()];
  auto found = std::ranges::find(held, chain, &ChainTarget::chain);
  if (found == held.end()) {
    held.push_back({.chain = chain});
    found = held.end() - 1;
  }
  found->position = transform_point(inverse(matrix_cast<double>(placed)), from + Vec3{moved.x, moved.y, moved.z});
  update();
}

void Viewer::let_go_of_limbs() {
  held_[selected()].clear();
  update();
}

/// Found once for each clip.
std::span<const Marker> Viewer::markers() const {
  const std::optional<uint32_t> clip = playings_[selected()].clip();
  if (!clip) return {};
  const Character& character = model().character;
  const std::vector<Marker>& own = character.clips[*clip].markers;
  if (!own.empty()) return own;
  const auto [known, is_new] = markers_.try_emplace({selected(), *clip});
  if (!is_new) return known->second;
  if (auto found = find_footsteps(character, *clip, {}, StepMoments::kDownAndUp)) known->second = std::move(*found);
  return known->second;
}

}  // namespace sinew::app
