// How the instances of a scene move over the ground.
#pragma once

#include "scene/scene.h"
#include "sinew/asset/parallel.h"

namespace sinew::app {

/// Scales of instances that walk on loops are multiples of 1 / kScaleSteps.
inline constexpr float kScaleSteps = 256;

/// A place on a way, and the direction of the way there.
struct Place {
  Vec3 position, along;
};

/// Where someone of a role that walks is after `meters` of its loop.
Place place_on_loop(const Role& role, double meters);

/// The same of a role of a scene: on a terrain `meters` are those along the ground.
Place place_on_way(const Scene& scene, uint16_t role, double meters);

/// How many meters an instance that walks on a loop has gone on it, from where the loop begins.
double way_of(const Scene& scene, uint32_t instance, double seconds);

/// How far a crowd that walks along z has moved since scene time 0; 0 for a scene with roles.
Vec3 displacement_at(const Scene& scene, double seconds);

/// Places the instances where they are at a scene time: as far from their start as the clip that they play walks. Does
/// nothing where no instance moves. Allocates nothing.
void move_scene(double seconds, const ParallelFor& parallel_for, Scene& scene);

/// By how much the last call of move_scene() moved the origin of an instance's upright space. World space.
Vec3 moved_by(const Scene& scene, uint32_t model, uint32_t instance);

}  // namespace sinew::app
