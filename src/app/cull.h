// What a view can see, told by conservative bounds: what is not told to be out of sight may be in it.
#pragma once

#include <array>
#include <glm/mat4x4.hpp>
#include <glm/vec4.hpp>

#include "model.h"
#include "scene.h"
#include "sinew/crowd.h"
#include "sinew/math.h"

namespace sinew::app {

struct Sphere {
  Vec3 centre;
  float radius = 0;
};

/// A view's volume: what lies behind one of its planes is not seen.
struct Frustum {
  std::array<glm::vec4, 6> planes;  // unit normal inwards, and distance
};

Frustum frustum_of(const glm::mat4& clip_from_world);

/// Holds an instance and its soft shadow in world space, whatever it plays. Endless for a model without bounds.
Sphere sphere_of(const Model& model, const CrowdInstance& instance);

bool may_see(const Frustum& frustum, const Sphere& sphere);

/// Whether an instance of a model with bounds, or its soft shadow, may be seen while it plays this.
bool may_see(const Frustum& frustum, const Model& model, const CrowdInstance& instance, const Playback& playback);

}  // namespace sinew::app
