// The camera, and what a frame sees through it.
#pragma once

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <vector>

namespace sinew::app {

struct Scene;

/// A camera on a sphere around a target. Angles in radians, lengths in meters, world space.
struct Orbit {
  glm::vec3 target{0};
  float yaw = 0;    // around y; 0 looks along -z
  float pitch = 0;  // above the ground
  float distance = 1;
  float field_of_view = 0.72f;  // vertical
};

/// The camera of a scene at a scene time: it follows a crowd that moves.
Orbit frame_crowd(const Scene& scene, double seconds = 0);

/// The camera at `eye` that looks at `target`, another point.
Orbit orbit_between(const glm::vec3& eye, const glm::vec3& target);

/// The camera with its eye some decimeters above the ground of a scene, or higher. It looks at the same point.
Orbit above_ground(const Scene& scene, Orbit orbit);

/// Keeps the eye above the height of the target, and the camera upright.
void clamp_orbit(Orbit& orbit);

glm::vec3 eye_of(const Orbit& orbit);

/// Unit vectors of the camera in world space.
struct Axes {
  glm::vec3 right{1, 0, 0}, up{0, 1, 0}, forward{0, 0, -1};
};
Axes axes_of(const Orbit& orbit);

/// What a pixel covers at the distance of the target, in a picture of `height` pixels.
float meters_per_pixel(const Orbit& orbit, uint32_t height);

/// To Vulkan's clip space: y down, depth from 0 to 1. `aspect` is width / height.
glm::mat4 clip_from_world(const Orbit& orbit, float aspect);

/// The light at a point may depend on this many texels around it, because of the filter and the normal offset.
inline constexpr float kShadowTexels = 6;

/// The sun's view through one shadow map.
struct ShadowView {
  glm::mat4 clip_from_world{1};
  float texel = 0;  // meters per texel
  float end = 0;    // meters from the eye up to which the map is used; a point uses the first map that reaches it
};

/// The camera's view of a frame.
struct View {
  glm::mat4 clip_from_world{1};
  glm::vec3 eye{0};
  float pixels_per_radian = 1;      // in the middle of the picture: 1 m at a distance of 10 m covers a tenth of this
  uint32_t width = 1, height = 1;   // of the picture, pixels
  std::vector<ShadowView> shadows;  // of each shadow map, the nearest first; empty without shadow maps
};

/// The view of a picture of `width` * `height` pixels, without shadows.
View view_of(const Orbit& orbit, uint32_t width, uint32_t height);

}  // namespace sinew::app
