#include "cull.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "shared/crowd.h"

namespace sinew::app {
namespace {

constexpr float kSlack = 1e-3f;  // metres; floats round, and coordinates are hundreds of metres at most

float distance_to(const glm::vec4& plane, Vec3 p) { return plane.x * p.x + plane.y * p.y + plane.z * p.z + plane.w; }

Box around(const Box& a, const Box& b) {
  return {{std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y), std::min(a.low.z, b.low.z)},
          {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y), std::max(a.high.z, b.high.z)}};
}

/// How much a matrix stretches at most: crowds scale evenly.
float stretch_of(const Matrix3x4& m) {
  float stretch = 0;
  for (int c = 0; c < 3; ++c) stretch = std::max(stretch, std::hypot(m.m[0][c], m.m[1][c], m.m[2][c]));
  return stretch;
}

/// Holds the quad of shadow.vert.
Sphere shadow_of(const CrowdInstance& instance) {
  const Vec3 away = normalize(Vec3{-kSun.x, 0, -kSun.z});
  const float r = instance.shadow_radius;
  return {instance.position + away * (r * (shared::kShadowStretch - shared::kShadowStart)),
          r * std::hypot(shared::kShadowStretch, 1.0f)};
}

/// `box` in model space.
bool may_see(const Frustum& frustum, const Box& box, const Matrix3x4& world_from_model) {
  const Vec3 centre = transform_point(world_from_model, (box.low + box.high) * 0.5f),
             half = (box.high - box.low) * 0.5f;
  const auto& m = world_from_model.m;
  return std::all_of(frustum.planes.begin(), frustum.planes.end(), [&](const glm::vec4& n) {
    const auto along = [&](int c) { return std::abs(n.x * m[0][c] + n.y * m[1][c] + n.z * m[2][c]); };
    const float reach = along(0) * half.x + along(1) * half.y + along(2) * half.z;
    return !(distance_to(n, centre) < -reach - kSlack);
  });
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
  Box box = around(model.bounds->rest, around(model.bounds->blended, model.bounds->layered));
  for (const Box& clip : model.bounds->clips) box = around(box, clip);
  Sphere sphere;
  sphere.centre = transform_point(instance.world_from_model, (box.low + box.high) * 0.5f);
  sphere.radius = length(box.high - box.low) / 2 * stretch_of(instance.world_from_model);
  const Sphere shadow = shadow_of(instance);
  sphere.radius = std::max(sphere.radius, length(shadow.centre - sphere.centre) + shadow.radius);
  return sphere;
}

bool may_see(const Frustum& frustum, const Sphere& sphere) {
  return std::all_of(frustum.planes.begin(), frustum.planes.end(), [&](const glm::vec4& plane) {
    return !(distance_to(plane, sphere.centre) < -sphere.radius - kSlack);
  });
}

bool may_see(const Frustum& frustum, const Model& model, const CrowdInstance& instance, const Playback& playback) {
  const Box box = bounds_of(*model.bounds, *model.bounded_clips(), playback);
  return may_see(frustum, box, instance.world_from_model) || may_see(frustum, shadow_of(instance));
}

}  // namespace sinew::app
