// The handles of limbs, and the markers of clips: what Viewer does with sinew/animation/inverse_kinematics.h and
// footsteps.h.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <variant>

#include "sinew/animation/footsteps.h"
#include "viewer/viewer.h"

namespace sinew::app {
namespace {

constexpr uint32_t kHandle = line_color(0x4fc3ff), kDragged = line_color(0xff5c3c);
constexpr float kHandlePixels = 11;
constexpr float kMinDepth = 0.01f;  // meters before the eye

/// A position of world space in model space.
Vec3 in_model(const Matrix3x4& world_from_model, Vec3 position) {
  Matrix3x4d wide;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) wide.m[row][column] = world_from_model.m[row][column];
  }
  return transform_point(inverse(wide), position);
}

}  // namespace

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
  std::optional<uint32_t> nearest;
  const auto& chains = model().chains;
  for (uint32_t chain = 0; chain < chains.size(); ++chain) {
    if (!std::holds_alternative<TwoBoneChain>(chains[chain].kind)) continue;
    const auto at = to_picture(view, handle_position(chain));
    const float distance = at ? std::hypot(at->x - x, at->y - y) : INFINITY;
    if (distance > reach) continue;
    reach = distance, nearest = chain;
  }
  return nearest;
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
  found->position = in_model(placed, from + Vec3{moved.x, moved.y, moved.z});
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
