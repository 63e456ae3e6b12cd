// A camera that looks at a point from a distance. World space is in meters, y is up.
#pragma once

#define GLM_FORCE_DEPTH_ZERO_TO_ONE  // Vulkan's
#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

namespace host {

struct Camera {
  glm::vec3 target{0, 1, 0};
  float distance = 6;
  float yaw = 0, pitch = 0.2f;  // radians; 0 looks along -z, and horizontally
  float field_of_view = 0.7f;   // radians, vertical

  glm::vec3 eye() const {
    const float level = std::cos(pitch);
    return target + distance * glm::vec3(level * std::sin(yaw), std::sin(pitch), level * std::cos(yaw));
  }
  glm::mat4 clip_from_world(float width, float height) const {
    glm::mat4 clip_from_view = glm::perspective(field_of_view, width / height, 0.1f, 1000.0f);
    clip_from_view[1][1] *= -1;  // in Vulkan y of clip space points down
    return clip_from_view * glm::lookAt(eye(), target, glm::vec3(0, 1, 0));
  }
  /// Stays above the ground, and below the zenith.
  void turn(float by_yaw, float by_pitch) {
    yaw += by_yaw;
    pitch = std::clamp(pitch + by_pitch, 0.02f, 1.5f);
  }
};

}  // namespace host
