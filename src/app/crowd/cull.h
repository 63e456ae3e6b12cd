// What a view can see, told by conservative bounds: what is not told to be out of sight may be in it.
#pragma once

#include <array>
#include <glm/mat4x4.hpp>
#include <glm/vec4.hpp>

#include "scene/camera.h"
#include "scene/model.h"
#include "scene/scene.h"
#include "sinew/animation/evaluator.h"
#include "sinew/asset/math.h"

namespace sinew::app {

struct Sphere {
  Vec3 center;
  float radius = 0;
};

/// A view's volume: what lies behind one of its planes is not seen.
struct Frustum {
  std::array<glm::vec4, 6> planes;  // unit normal inwards, and distance
};

Frustum frustum_of(const glm::mat4& clip_from_world);

/// Holds an instance and its soft shadow in world space, whatever it plays. Endless for a model without bounds.
Sphere sphere_of(const Model& model, const CrowdInstance& instance);

bool may_be_visible(const Frustum& frustum, const Sphere& sphere);

/// Whether an instance of a model with bounds, or its soft shadow, may be seen while it plays this.
bool may_be_visible(const Frustum& frustum, const Model& model, const CrowdInstance& instance,
                    const Playback& playback);

/// How far shadows that maps have are followed.
struct ShadowExtent {
  float floor = 0;   // y, meters: where nothing is that they could fall on below
  float beside = 0;  // meters by which they may be off, and be seen nevertheless
};

/// Of views with shadows, over what stands above `floor`.
ShadowExtent reach_of(const View& view, float floor);

/// Lowest y that an instance reaches whatever it plays; 0 for a model without bounds.
float floor_of(const Model& model, const CrowdInstance& instance);

/// As may_be_visible, of what is between a body and the end of its shadow.
bool may_cast_visible_shadow(const Frustum& frustum, const Sphere& sphere, const ShadowExtent& reach);
bool may_cast_visible_shadow(const Frustum& frustum, const Model& model, const CrowdInstance& instance,
                             const Playback& playback, const ShadowExtent& reach);

}  // namespace sinew::app
