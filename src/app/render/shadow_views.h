// The view of each shadow map: the sun's view of a part of what the camera sees.
#pragma once

#include <cstdint>
#include <vector>

#include "scene/camera.h"
#include "scene/scene.h"

namespace sinew::app {

/// The views of `count` maps of `size` texels per side, the nearest first. Together they cover all distances at which
/// an instance may stand, up to a limit: no map is used beyond the end of the last one. When the camera turns, a map
/// moves by whole texels, so that the edges of shadows do not flicker.
std::vector<ShadowView> shadow_views(const Scene& scene, const View& view, uint32_t count, uint32_t size);

}  // namespace sinew::app
