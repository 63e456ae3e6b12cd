#include "render/frame_uniforms.h"

#include <algorithm>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace sinew::app {
namespace {

/// Per meter. Fog hides what is far outside the crowd, or too far away to be told apart.
float fog_density(const Scene& scene) {
  const float distance = std::max(std::clamp(scene.radius, 12.0f, 70.0f), scene.clear_meters);
  return 0.25f / distance;
}

}  // namespace

// As std140 has it.
static_assert(offsetof(shared::FrameUniforms, fog_density) == 448 &&
              offsetof(shared::FrameUniforms, previous_clip_from_world) == 464 && sizeof(shared::FrameUniforms) == 544);

shared::FrameUniforms make_uniforms(const Scene& scene, const View& view) {
  shared::FrameUniforms uniforms{};
  uniforms.clip_from_world = view.clip_from_world;
  uniforms.world_from_clip = glm::inverse(uniforms.clip_from_world);
  uniforms.eye = glm::vec4(view.eye, 1);
  uniforms.sun = glm::vec4(glm::normalize(glm::vec3(kSun.x, kSun.y, kSun.z)), 0);
  uniforms.fog_density = fog_density(scene);
  uniforms.crowd_radius = std::max(scene.radius, 1.0f);
  uniforms.picture_width = float(view.width), uniforms.picture_height = float(view.height);
  uniforms.grid = {scene.grid_meters, scene.center.x, scene.center.z, 0};
  int map = 0;
  for (const ShadowView& shadow : view.shadows) {
    uniforms.shadow_from_world[map] = shadow.clip_from_world;
    uniforms.shadow_end[map] = shadow.end;
    uniforms.shadow_texel[map++] = shadow.texel;
  }
  return uniforms;
}

}  // namespace sinew::app
