#include "scene/camera.h"

#include <algorithm>
#include <cmath>
#include <glm/ext/matrix_clip_space.hpp>
#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>

#include "scene/moving.h"
#include "scene/scene.h"

namespace sinew::app {
namespace {

constexpr float kNear = 0.1f, kFar = 2000;
constexpr float kEyeAboveGround = 0.3f;  // meters
constexpr float kNearShare = 0.05f;  // of the distance to the target: the near plane of cameras that are close to it

/// Of a crowd on a circle: instances in front are large, the rest fills the picture up to the horizon.
Orbit frame_circle(const Scene& scene) {
  const float person = std::max(scene.tallest, 0.5f);
  Orbit orbit;
  // The eye stays near the edge: from further out a large crowd is only dots, from further in its end is invisible.
  const float radius = std::min(scene.radius, 14 * person);
  orbit.target = {0, 0.45f * person, 0};
  orbit.pitch = 0.205f;
  orbit.yaw = 0.6f;
  orbit.distance = 1.6f * person + 1.02f * radius;
  return orbit;
}

}  // namespace

Orbit frame_crowd(const Scene& scene, double seconds) {
  Orbit orbit = scene.camera ? *scene.camera : frame_circle(scene);
  const Vec3 moved = displacement_at(scene, seconds);
  orbit.target += glm::vec3(moved.x, moved.y, moved.z);
  return orbit;
}

Orbit orbit_between(const glm::vec3& eye, const glm::vec3& target) {
  const glm::vec3 offset = eye - target;
  Orbit orbit{target};
  orbit.distance = glm::length(offset);
  orbit.pitch = std::asin(std::clamp(offset.y / orbit.distance, -1.0f, 1.0f));
  orbit.yaw = std::atan2(offset.x, offset.z);
  return orbit;
}

Orbit above_ground(const Scene& scene, Orbit orbit) {
  if (!scene.terrain) return orbit;
  glm::vec3 eye = eye_of(orbit);
  const float lowest = scene.terrain->height(eye.x, eye.z) + kEyeAboveGround;
  if (eye.y >= lowest) return orbit;
  eye.y = lowest;
  Orbit lifted = orbit_between(eye, orbit.target);
  lifted.field_of_view = orbit.field_of_view;
  return lifted;
}

void clamp_orbit(Orbit& orbit) {
  orbit.pitch = std::clamp(orbit.pitch, 0.02f, 1.5f);
  orbit.distance = std::clamp(orbit.distance, 0.05f, 500.0f);
}

glm::vec3 eye_of(const Orbit& orbit) {
  const float flat = std::cos(orbit.pitch);
  return orbit.target +
         orbit.distance * glm::vec3(flat * std::sin(orbit.yaw), std::sin(orbit.pitch), flat * std::cos(orbit.yaw));
}

Axes axes_of(const Orbit& orbit) {
  const glm::vec3 forward = glm::normalize(orbit.target - eye_of(orbit));
  const glm::vec3 right = glm::normalize(glm::cross(forward, glm::vec3(0, 1, 0)));
  return {right, glm::cross(right, forward), forward};
}

float meters_per_pixel(const Orbit& orbit, uint32_t height) {
  return 2 * std::tan(orbit.field_of_view / 2) * orbit.distance / float(std::max(height, 1u));
}

glm::mat4 clip_from_world(const Orbit& orbit, float aspect) {
  glm::mat4 projection =
      glm::perspectiveRH_ZO(orbit.field_of_view, aspect, std::min(kNear, kNearShare * orbit.distance), kFar);
  projection[1][1] = -projection[1][1];
  return projection * glm::lookAtRH(eye_of(orbit), orbit.target, glm::vec3(0, 1, 0));
}

View view_of(const Orbit& orbit, uint32_t width, uint32_t height) {
  View view;
  view.clip_from_world = clip_from_world(orbit, float(width) / float(height));
  view.eye = eye_of(orbit);
  view.pixels_per_radian = float(height) / (2 * std::tan(orbit.field_of_view / 2));
  view.width = width, view.height = height;
  return view;
}

}  // namespace sinew::app
