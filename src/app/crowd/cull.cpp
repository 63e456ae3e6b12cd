#include "crowd/cull.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "shared/crowd.h"

namespace sinew::app {
namespace {

constexpr float kSlack = 1e-3f;  // meters; margin for float rounding, as coordinates are hundreds of meters at most

float distance_to(const glm::vec4& plane, Vec3 p) { return plane.x * p.x + plane.y * p.y + plane.z * p.z + plane.w; }

/// The largest scale of a matrix: its longest column. That is exact for instances, which scale uniformly.
float max_scale_of(const Matrix3x4& m) {
  float scale = 0;
  for (int c = 0; c < 3; ++c) scale = std::max(scale, std::hypot(m.m[0][c], m.m[1][c], m.m[2][c]));
  return scale;
}

/// The bounding sphere of the soft shadow's quad in soft_shadow.vert.
Sphere shadow_of(const CrowdInstance& instance) {
  const Vec3 away = normalize(Vec3{-kSun.x, 0, -kSun.z});
  const float r = instance.shadow_radius;
  return {instance.position + away * (r * (shared::kShadowHalfLength - shared::kShadowStart)),
          r * std::hypot(shared::kShadowHalfLength, 1.0f)};
}

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

float half_height_of(const OrientedBox& box) {
  return std::abs(box.half[0].y) + std::abs(box.half[1].y) + std::abs(box.half[2].y);
}

/// Tests a box that is swept along `sweep`: a body, and the way to the end of its shadow.
bool may_be_visible(const Frustum& frustum, const OrientedBox& box, Vec3 sweep = {}, float slack = kSlack) {
  return std::all_of(frustum.planes.begin(), frustum.planes.end(), [&](const glm::vec4& plane) {
    const Vec3 n{plane.x, plane.y, plane.z};
    float extent = std::max(dot(n, sweep), 0.0f) + slack;
    for (const Vec3& half : box.half) extent += std::abs(dot(n, half));
    return !(distance_to(plane, box.center) < -extent);
  });
}

/// The vector along the sun's rays from height `top` down to the floor.
Vec3 sweep_from(float top, const ShadowExtent& extent) { return kSun * (-std::max(top - extent.floor, 0.0f) / kSun.y); }

/// The bounding box of all poses that a model with bounds can play; model space.
Box box_of(const CharacterBounds& bounds) {
  Box box = merge(bounds.rest, merge(bounds.blended, bounds.layered));
  for (const Box& clip : bounds.clips) box = merge(box, clip);
  return box;
}

}  // namespace

/// Source: Gribb, Hartmann, "Fast Extraction of Viewing Frustum Planes from the World-View-Projection Matrix", 2001.
Frustum frustum_of(const glm::mat4& clip_from_world) {
  const auto row = [&](int r) {
    return glm::vec4(clip_from_world[0][r], clip_from_world[1][r], clip_from_world[2][r], clip_from_world[3][r]);
  };
  const glm::vec4 w = row(3);
  Frustum frustum{{w + row(0), w - row(0), w + row(1), w - row(1), row(2), w - row(2)}};
  for (glm::vec4& plane : frustum.planes) plane /= glm::length(glm::vec3(plane));
  return frustum;
}

Sphere sphere_of(const Model& model, const CrowdInstance& instance) {
  if (!model.bounds) return {instance.position, std::numeric_limits<float>::infinity()};
  const Box box = box_of(*model.bounds);
  Sphere sphere;
  sphere.center = transform_point(instance.world_from_model, (box.low + box.high) * 0.5f);
  sphere.radius = length(box.high - box.low) / 2 * max_scale_of(instance.world_from_model);
  const Sphere shadow = shadow_of(instance);
  sphere.radius = std::max(sphere.radius, length(shadow.center - sphere.center) + shadow.radius);
  return sphere;
}

bool may_be_visible(const Frustum& frustum, const Sphere& sphere) {
  return std::all_of(frustum.planes.begin(), frustum.planes.end(), [&](const glm::vec4& plane) {
    return !(distance_to(plane, sphere.center) < -sphere.radius - kSlack);
  });
}

bool may_be_visible(const Frustum& frustum, const Model& model, const CrowdInstance& instance,
                    const Playback& playback) {
  const Box box = bounds_of(*model.bounds, *model.bounded_clips(), playback);
  return may_be_visible(frustum, to_world(box, instance.world_from_model)) ||
         may_be_visible(frustum, shadow_of(instance));
}

ShadowExtent shadow_extent_of(const View& view, float floor) {
  float texel = 0;
  for (const ShadowView& shadow : view.shadows) texel = std::max(texel, shadow.texel);
  return {floor, kShadowTexels * texel};
}

float floor_of(const Model& model, const CrowdInstance& instance) {
  if (!model.bounds) return 0;
  const OrientedBox box = to_world(box_of(*model.bounds), instance.world_from_model);
  return box.center.y - half_height_of(box);
}

bool may_cast_visible_shadow(const Frustum& frustum, const Sphere& sphere, const ShadowExtent& extent) {
  const Vec3 sweep = sweep_from(sphere.center.y + sphere.radius, extent);
  return std::all_of(frustum.planes.begin(), frustum.planes.end(), [&](const glm::vec4& plane) {
    const float swept = std::max(dot(Vec3{plane.x, plane.y, plane.z}, sweep), 0.0f);
    return !(distance_to(plane, sphere.center) < -sphere.radius - swept - extent.margin - kSlack);
  });
}

bool may_cast_visible_shadow(const Frustum& frustum, const Model& model, const CrowdInstance& instance,
                             const Playback& playback, const ShadowExtent& extent) {
  const OrientedBox box =
      to_world(bounds_of(*model.bounds, *model.bounded_clips(), playback), instance.world_from_model);
  return may_be_visible(frustum, box, sweep_from(box.center.y + half_height_of(box), extent), extent.margin + kSlack);
}

}  // namespace sinew::app
