// What all shaders of a frame read of it.
#pragma once

#include <span>

#include "camera.h"
#include "scene.h"
#include "shadow_views.h"
#include "shared/crowd.h"

namespace sinew::app {

/// The camera's. Those of a shadow map's pass differ in clip_from_world alone.
shared::FrameUniforms make_uniforms(const Scene& scene, const View& view, std::span<const ShadowView> shadows);

}  // namespace sinew::app
