// Frustum culling with conservative bounds: a culled instance is invisible for certain, others may be visible.
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

/// The frustum of a view in world space. What lies behind one of its planes is invisible.
struct Frustum {
  std::array<glm::vec4, 6> planes;  // unit normal that points inwards, and distance in meters
};

/// The planes of a clip space whose depth is from 0 to 1.
Frustum frustum_of(const glm::mat4& clip_from_world);

/// The bounding sphere of an instance and its soft shadow for all poses; world space. Its radius is infinite for a
/// model without bounds.
Sphere sphere_of(const Model& model, const CrowdInstance& instance);

bool may_be_visible(const Frustum& frustum, const Sphere& sphere);

/// Whether an instance or its soft shadow may be visible with this playback. The model must have bounds.
bool may_be_visible(const Frustum& frustum, const Model& model, const CrowdInstance& instance,
                    const Playback& playback);

/// How far the shadows in shadow maps are followed.
struct ShadowExtent {
  float floor = 0;   // y, meters: no surface that receives a shadow lies lower
  float margin = 0;  // meters: margin by which a shadow may be displaced and still be visible
};

/// The extent for a view with shadow maps. `floor` is that of ShadowExtent.
ShadowExtent shadow_extent_of(const View& view, float floor);

/// The lowest y in meters that an instance reaches in any pose; 0 for a model without bounds.
float floor_of(const Model& model, const CrowdInstance& instance);

/// As may_be_visible(), for the volume between a body and the end of its shadow.
bool may_cast_visible_shadow(const Frustum& frustum, const Sphere& sphere, const ShadowExtent& extent);
bool may_cast_visible_shadow(const Frustum& frustum, const Model& model, const CrowdInstance& instance,
                             const Playback& playback, const ShadowExtent& extent);

}  // namespace sinew::app
