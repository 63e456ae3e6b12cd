// The uniforms that all shaders of a frame read.
#pragma once

#include "scene/camera.h"
#include "scene/scene.h"
#include "shared/crowd.h"

namespace sinew::app {

/// The uniforms of the camera's passes. Those of a shadow map differ only in clip_from_world.
shared::FrameUniforms make_uniforms(const Scene& scene, const View& view);

}  // namespace sinew::app
