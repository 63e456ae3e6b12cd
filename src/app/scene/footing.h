// People on a ground that is not flat: feet on it by inverse kinematics, hips lowered so that both reach it, and heads
// that follow a balloon.
#pragma once

#include <span>
#include <vector>

#include "scene/camera.h"
#include "scene/model.h"
#include "scene/scene.h"
#include "sinew/asset/parallel.h"

namespace sinew::app {

/// move_scene(); then, on a terrain, the feet and the heads of the people nearest to the eye of `camera`:
/// Scene::near_people of those before it, and a third as many whose feet are let go with the distance. All others
/// stand where their middle meets the ground. Writes Scene::targets, the heights of Scene::positions and what moves of
/// Scene::props. It depends on time and camera alone. `models` are those of the scene. A call like an earlier one
/// allocates nothing.
void place_scene(std::span<const Model> models, const Orbit& camera, double seconds, const ParallelFor& parallel_for,
                 Scene& scene);

/// The chains of a model that scenes with a terrain move: legs and head, as far as it has them. For Model::chains.
/// Allocates.
std::vector<Chain> walking_chains(const Character& character);

}  // namespace sinew::app
