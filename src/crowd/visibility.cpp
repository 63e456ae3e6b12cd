#include "visibility.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "asset/largest_scale.h"
#include "sinew/crowd/planner.h"
#include "sphere_test.h"

namespace sinew::crowd {
namespace internal {
namespace {

constexpr float kNeighborhood = 1.5f;    // around the rest pose, of its longest edge: who jumps or falls stays inside
constexpr float kMaxShadowSpheres = 16;  // a longer shadow counts as seen

float distance_to(const Vec4& plane, Vec3 p) { return plane.x * p.x + plane.y * p.y + plane.z * p.z + plane.w; }

/// An oriented box in world space.
struct OrientedBox {
  Vec3 center;
  std::array<Vec3, 3> half;  // half of each edge
};

/// `box` is in model space.
OrientedBox to_world(const Box& box, const Matrix3x4& world_from_model) {
  const Vec3 half = (box.high - box.low) * 0.5f;
  const auto& m = world_from_model.m;
  const auto column = [&](int c, float length) { return Vec3{m[0][c], m[1][c], m[2][c]} * length; };
  return {transform_point(world_from_model, (box.low + box.high) * 0.5f),
          {column(0, half.x), column(1, half.y), column(2, half.z)}};
}

OrientedBox box_of(const ModelInfo& model, const Matrix3x4& world_from_model, const Playback& playback) {
  return to_world(bounds_of(*model.bounds, *model.baked, playback), world_from_model);
}

float half_height_of(const OrientedBox& box, Vec3 up) {
  return std::abs(dot(box.half[0], up)) + std::abs(dot(box.half[1], up)) + std::abs(dot(box.half[2], up));
}

/// Tests a box that is swept along `sweep`: a body, and the way to the end of its shadow.
bool box_may_be_visible(const Frustum& frustum, const OrientedBox& box, Vec3 sweep = {}, float slack = kSlack) {
  return std::all_of(frustum.planes.begin(), frustum.planes.end(), [&](const Vec4& plane) {
    const Vec3 n{plane.x, plane.y, plane.z};
    float extent = std::max(dot(n, sweep), 0.0f) + slack;
    for (const Vec3& half : box.half) extent += std::abs(dot(n, half));
    return !(distance_to(plane, box.center) < -extent);
  });
}

}  // namespace

Box box_of(const CharacterBounds& bounds) {
  Box box = merge(bounds.rest, merge(bounds.blended, bounds.layered));
  for (const Box& clip : bounds.clips) box = merge(box, clip);
  return box;
}

Sphere sphere_of(const Box& box, const Matrix3x4& world_from_model, const Sphere& extra) {
  Sphere sphere;
  sphere.center = transform_point(world_from_model, (box.low + box.high) * 0.5f);
  sphere.radius = length(box.high - box.low) / 2 * sinew::internal::largest_scale(world_from_model);
  if (extra.radius > 0) sphere.radius = std::max(sphere.radius, length(extra.center - sphere.center) + extra.radius);
  return sphere;
}

std::vector<bool> find_roaming_clips(const ModelInfo& model) {
  if (!model.bounds || !model.baked) return {};
  const CharacterBounds& bounds = *model.bounds;
  const Vec3 edges = bounds.rest.high - bounds.rest.low;
  const float reach = std::max({edges.x, edges.y, edges.z}) * kNeighborhood;
  const Box near{bounds.rest.low - Vec3{reach, reach, reach}, bounds.rest.high + Vec3{reach, reach, reach}};
  const auto leaves = [&](const Box& box) {
    return box.low.x < near.low.x || box.low.y < near.low.y || box.low.z < near.low.z || box.high.x > near.high.x ||
           box.high.y > near.high.y || box.high.z > near.high.z;
  };
  const bool is_elsewhere = leaves(Box{});  // also at rest: the origin of model space is where an instance is
  std::vector<bool> roaming;
  for (const Box& box : bounds.clips) roaming.push_back(is_elsewhere || leaves(box));
  if (std::find(roaming.begin(), roaming.end(), true) == roaming.end()) roaming.clear();
  return roaming;
}

float distance_to_bounds(const ModelInfo& model, const Matrix3x4& world_from_model, const Playback& playback,
                         Vec3 point) {
  const OrientedBox box = box_of(model, world_from_model, playback);
  Vec3 from_box = point - box.center;  // then from the nearest point of the box
  for (const Vec3& half : box.half) {
    const float square = dot(half, half);
    const float along = square > 0 ? std::clamp(dot(from_box, half) / square, -1.0f, 1.0f) : 0;
    from_box = from_box - half * along;
  }
  return length(from_box);
}

/// Source: Gribb, Hartmann, "Fast Extraction of Viewing Frustum Planes from the World-View-Projection Matrix", 2001.
Frustum frustum_of(const View& view) {
  const float* m = view.clip_from_world;
  const auto row = [&](int r) { return Vec4{m[r], m[4 + r], m[8 + r], m[12 + r]}; };
  const auto sum = [](Vec4 a, Vec4 b) { return Vec4{a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; };
  const auto difference = [](Vec4 a, Vec4 b) { return Vec4{a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w}; };
  const Vec4 x = row(0), y = row(1), z = row(2), w = row(3);
  Frustum frustum{{sum(w, x), difference(w, x), sum(w, y), difference(w, y), z, difference(w, z)}};
  for (Vec4& plane : frustum.planes) {
    const float size = length(Vec3{plane.x, plane.y, plane.z});
    plane = {plane.x / size, plane.y / size, plane.z / size, plane.w / size};
  }
  return frustum;
}

bool may_be_visible(const Frustum& frustum, const Sphere& sphere) {
  return std::all_of(frustum.planes.begin(), frustum.planes.end(),
                     [&](const Vec4& plane) { return !(distance_to(plane, sphere.center) < -sphere.radius - kSlack); });
}

void Visibility::set(const PlanFrame& frame) {
  frusta_.clear();
  for (const View& view : frame.views) frusta_.push_back(frustum_of(view));
  shadows_ = frame.shadows;
  occlusion_ = frame.occlusion;
  up_ = frame.up;
}

/// The vector along the sun's rays from height `top` down to the lowest ground.
Vec3 Visibility::sweep_from(float top) const {
  return shadows_->to_sun * (-std::max(top - shadows_->lowest_ground, 0.0f) / dot(shadows_->to_sun, up_));
}

SphereBits Visibility::test(std::span<const Sphere> spheres) const {
  return test_spheres({frusta_, shadows_ ? &*shadows_ : nullptr, up_}, spheres);
}

bool Visibility::may_be_visible(const ModelInfo& model, const Matrix3x4& world_from_model, const Playback& playback,
                                const Sphere& extra) const {
  const OrientedBox box = box_of(model, world_from_model, playback);
  return std::any_of(frusta_.begin(), frusta_.end(), [&](const Frustum& frustum) {
    return box_may_be_visible(frustum, box) || (extra.radius > 0 && internal::may_be_visible(frustum, extra));
  });
}

bool Visibility::may_cast_visible_shadow(const ModelInfo& model, const Matrix3x4& world_from_model,
                                         const Playback& playback) const {
  if (!shadows_) return false;
  const OrientedBox box = box_of(model, world_from_model, playback);
  const Vec3 sweep = sweep_from(dot(box.center, up_) + half_height_of(box, up_));
  return box_may_be_visible(frusta_.front(), box, sweep, shadows_->margin + kSlack);
}

bool Visibility::is_occluded(const Sphere& sphere) const {
  for (uint32_t view = 0; view < frusta_.size(); ++view) {
    if (!is_hidden(sphere, view)) return false;
  }
  return !shadows_ || is_shadow_hidden(sphere);
}

/// A view hides what is outside of it, too.
bool Visibility::is_hidden(const Sphere& sphere, uint32_t view) const {
  return !internal::may_be_visible(frusta_[view], sphere) || occlusion_.is_hidden(occlusion_.user_data, sphere, view);
}

/// A surface that receives the shadow is on the way of the sphere along the sun's rays. Larger spheres cover that way.
bool Visibility::is_shadow_hidden(const Sphere& sphere) const {
  const Vec3 sweep = sweep_from(dot(sphere.center, up_) + sphere.radius);
  const float radius = sphere.radius + shadows_->margin, steps = std::ceil(length(sweep) / radius);
  if (!(steps <= kMaxShadowSpheres)) return false;
  const float radius_between = radius * 1.1181f;  // of the ends of a step, at its middle: sqrt(1 + 1/4), rounded up
  for (float i = 0; i <= steps; ++i) {
    if (!is_hidden({sphere.center + sweep * (steps > 0 ? i / steps : 0), radius_between}, 0)) return false;
  }
  return true;
}

}  // namespace internal

View View::from_camera(std::span<const float, 16> clip_from_world, Vec3 eye, float field_of_view, float height) {
  View view;
  std::copy(clip_from_world.begin(), clip_from_world.end(), view.clip_from_world);
  const bool is_angle = field_of_view > 0 && field_of_view < std::numbers::pi_v<float>;
  view.eye = eye, view.pixels_per_radian = is_angle ? height / (2 * std::tan(field_of_view / 2)) : 0;
  return view;
}

View View::for_culling(std::span<const float, 16> clip_from_world) {
  View view;
  std::copy(clip_from_world.begin(), clip_from_world.end(), view.clip_from_world);
  view.pixels_per_radian = kNoDetail;
  return view;
}

Sphere bounding_sphere(const ModelInfo& model, const Matrix3x4& world_from_model, const Sphere& extra) {
  const Vec3 position{world_from_model.m[0][3], world_from_model.m[1][3], world_from_model.m[2][3]};
  if (!model.bounds || !model.baked) return {position, std::numeric_limits<float>::infinity()};
  return internal::sphere_of(internal::box_of(*model.bounds), world_from_model, extra);
}

float lowest_point(const ModelInfo& model, const Matrix3x4& world_from_model, Vec3 up) {
  if (!model.bounds || !model.baked) return 0;
  const internal::OrientedBox box = internal::to_world(internal::box_of(*model.bounds), world_from_model);
  return dot(box.center, up) - internal::half_height_of(box, up);
}

}  // namespace sinew::crowd
