// How the instances of a scene move over the ground.
#pragma once

#include <span>

#include "scene/scene.h"
#include "sinew/asset/parallel.h"

namespace sinew::app {

/// A crowd walks so far, then begins again at its start: coordinates stay small, and so precise.
inline constexpr double kCourseMeters = 4096;

/// How far a crowd has moved since scene time 0.
Vec3 displacement_at(const Scene& scene, double seconds);

/// Places the instances where they are at a scene time: as far from their start as the clip that they play walks. Does
/// nothing where no instance moves. Allocates nothing.
void move_scene(double seconds, const ParallelFor& parallel_for, Scene& scene);

/// By how much the last call of move_scene() moved the origin of an instance's upright space. World space.
Vec3 moved_by(const Scene& scene, uint32_t model, uint32_t instance);

}  // namespace sinew::app
