// Where the crowd is seen from.
#pragma once

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "scene/scene.h"

namespace sinew::app {

/// A camera on a sphere around a point. Angles in radians, lengths in meters.
struct Orbit {
  glm::vec3 target{0};
  float yaw = 0;    // around y; 0 looks along -z
  float pitch = 0;  // above the ground
  float distance = 1;
};

/// Frames the crowd: people in front fit_to_ground large, the rest fills the picture to the horizon.
Orbit frame_crowd(const Scene& scene);

/// Never under the ground, never upside down.
void clamp_orbit(Orbit& orbit);

glm::vec3 eye_of(const Orbit& orbit);

/// Vulkan's clip space: y down, depth from 0 to 1.
glm::mat4 clip_from_world(const Orbit& orbit, float aspect);

/// What the light of a place may depend on: so many texels beside it, by the filter and by offsets from surfaces.
inline constexpr float kShadowTexels = 6;

/// The sun's view through one shadow map.
struct ShadowView {
  glm::mat4 clip_from_world{1};
  float texel = 0;  // meters
  float end = 0;    // meters from the eye to which the map is to be looked at; the first that reaches serves a place
};

/// What a frame is seen through.
struct View {
  glm::mat4 clip_from_world{1};
  glm::vec3 eye{0};
  float pixels_per_radian = 1;      // at the middle of the picture: a meter at ten meters is a tenth of that large
  std::vector<ShadowView> shadows;  // of each map, the nearest first; none where no shadows are cast
};

View view_of(const Orbit& orbit, uint32_t width, uint32_t height);

}  // namespace sinew::app
