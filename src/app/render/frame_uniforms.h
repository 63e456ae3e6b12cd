// What all shaders of a frame read of it.
#pragma once

#include "scene/camera.h"
#include "scene/scene.h"
#include "shared/crowd.h"

namespace sinew::app {

/// The camera's. Those of a shadow map's pass differ in clip_from_world alone.
shared::FrameUniforms make_uniforms(const Scene& scene, const View& view);

}  // namespace sinew::app
