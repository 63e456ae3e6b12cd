#include "render/frame_uniforms.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace sinew::app {
namespace {

constexpr float kLampsBefore = 12;  // meters from the eye to the middle of the lamps that count

/// Per meter. Fog hides what is far behind the crowd, or too far away to be told apart.
float fog_density(const Scene& scene) {
  const float distance = std::max(std::clamp(2 * scene.radius + 20, 45.0f, 320.0f), scene.clear_meters);
  return 0.25f / distance;
}

glm::vec4 to_vec4(Vec3 v, float w) { return {v.x, v.y, v.z, w}; }

void set_light(const Scene& scene, shared::FrameUniforms& uniforms) {
  const LightColors& colors = colors_of(scene.light);
  uniforms.sun = to_vec4(normalize(colors.to_sun), 0);
  uniforms.sun_light = to_vec4(colors.sun, colors.exposure);
  uniforms.zenith = to_vec4(colors.zenith, 0), uniforms.horizon = to_vec4(colors.horizon, 0);
  uniforms.sky_light = to_vec4(colors.sky, 0), uniforms.ground_light = to_vec4(colors.ground, 0);
}

/// The lamps nearest to a point before the eye.
void set_lamps(const Scene& scene, const View& view, shared::FrameUniforms& uniforms) {
  const glm::mat4& m = view.clip_from_world;
  const glm::vec3 forward = glm::normalize(glm::vec3(m[0][3], m[1][3], m[2][3]));
  const glm::vec3 at = view.eye + forward * kLampsBefore;
  const auto distance = [&](const Lamp& lamp) { return length(lamp.position - Vec3{at.x, at.y, at.z}); };
  std::array<const Lamp*, shared::kMaxLamps> nearest{};  // in order; a frame allocates nothing
  size_t count = 0;
  for (const Lamp& lamp : scene.lamps) {
    if (count == nearest.size() && distance(lamp) >= distance(*nearest[count - 1])) continue;
    size_t i = count < nearest.size() ? count++ : count - 1;
    for (; i > 0 && distance(lamp) < distance(*nearest[i - 1]); --i) nearest[i] = nearest[i - 1];
    nearest[i] = &lamp;
  }
  for (size_t i = 0; i < count; ++i) {
    uniforms.lamps[2 * i] = to_vec4(nearest[i]->position, nearest[i]->reach);
    uniforms.lamps[2 * i + 1] = to_vec4(nearest[i]->color, 0);
  }
  uniforms.lamp_count.x = float(count);
}

}  // namespace

// As std140 has it.
static_assert(offsetof(shared::FrameUniforms, fog_density) == 448 &&
              offsetof(shared::FrameUniforms, previous_clip_from_world) == 464 &&
              offsetof(shared::FrameUniforms, sun_light) == 528 &&
              sizeof(shared::FrameUniforms) == 640 + 32 * shared::kMaxLamps);

shared::FrameUniforms make_uniforms(const Scene& scene, const View& view) {
  shared::FrameUniforms uniforms{};
  uniforms.clip_from_world = view.clip_from_world;
  uniforms.world_from_clip = glm::inverse(uniforms.clip_from_world);
  uniforms.eye = glm::vec4(view.eye, 1);
  set_light(scene, uniforms), set_lamps(scene, view, uniforms);
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
