// The distance between a clip and the curves that it was made from.
#pragma once

#include "fbx/fbx_nodes.h"
#include "fbx/fbx_stack.h"
#include "reach.h"
#include "scene.h"

namespace sinew::internal {

/// The largest distance of a vertex from where the curves have it, in the scene's units: measured at the corners of the
/// boxes that `reach` has for the nodes, at up to 400 times between keys, fewer where there are many nodes, and at 32
/// times spread over the clip. Morph targets are not measured.
double fbx_clip_error(const FbxNodes& nodes, const FbxStack& stack, const SceneClip& clip, const Scene& scene,
                      const Reach& reach);

}  // namespace sinew::internal
