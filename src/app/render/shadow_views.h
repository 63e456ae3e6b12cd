// What each shadow map looks at: the sun's view of a part of what the camera sees.
#pragma once

#include <cstdint>
#include <vector>

#include "scene/camera.h"
#include "scene/scene.h"

namespace sinew::app {

/// The views of `count` maps of `size` texels on each side, the nearest first. Together they serve all distances where
/// somebody may fit_to_ground, or as far as shadows are worth it: nothing is to be looked up beyond the last one's end.
/// A turn of the camera moves a map by whole texels, so that edges of shadows fit_to_ground still.
std::vector<ShadowView> shadow_views(const Scene& scene, const View& view, uint32_t count, uint32_t size);

}  // namespace sinew::app
