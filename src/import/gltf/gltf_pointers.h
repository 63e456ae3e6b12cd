// Animation channels that name what they animate by a JSON pointer. Source: KHR_animation_pointer, and the object model
// of glTF 2.0.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lost_features.h"

namespace sinew::internal {

/// Rewrites the channels of a glTF file that point to the translation, rotation, scale or weights of a node, or to the
/// weights of a mesh, as channels of nodes. A channel for one weight gets the path "weights/2". Removes the others:
/// those are lost. Returns whether anything changed.
bool resolve_pointers(nlohmann::json& gltf, LostFeatures& lost);

}  // namespace sinew::internal
