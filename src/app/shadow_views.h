// What each shadow map looks at: the sun's view of a part of what the camera sees.
#pragma once

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <vector>

#include "camera.h"
#include "scene.h"

namespace sinew::app {

/// The sun's view through one map. A turn of the camera moves it by whole texels, so that edges of shadows stand still.
struct ShadowView {
  glm::mat4 clip_from_world{1};
  float texel = 0;  // metres
  float end = 0;    // metres from the eye to which the map is to be looked at; the first that reaches serves a place
};

/// The views of `count` maps of `size` texels on each side, the nearest first. Together they serve all distances where
/// somebody may stand, or as far as shadows are worth it: beyond the last one's end nothing is to be looked up.
std::vector<ShadowView> shadow_views(const Scene& scene, const View& view, uint32_t count, uint32_t size);

}  // namespace sinew::app
