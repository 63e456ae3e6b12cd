// People on a ground that is not flat: feet on it by inverse kinematics, hips lowered so that both reach it,
// footprints, and heads that follow a balloon.
#pragma once

#include <span>
#include <vector>

#include "scene/camera.h"
#include "scene/model.h"
#include "scene/scene.h"
#include "sinew/asset/parallel.h"

namespace sinew::app {

/// The legs of a clip, for Model::gait. Empty unless the model has two legs. Allocates.
Gait gait_of(const Model& model, uint32_t clip);

// Footprints of people on a terrain. They follow from the scene time alone: no frame has to see a foot land.

/// The steps of a clip of a model: find_footsteps(), and where the soles are then. For Model::steps. Empty where no
/// feet are found. Allocates.
std::vector<Step> steps_of(const Model& model, uint32_t clip);

/// A footprint, in world space. The directions have unit length, and are at right angles.
struct Footprint {
  Vec3 at, ahead, normal;
  float scale = 1;  // of the person
  float age_seconds = 0;
};
inline constexpr float kFootprintSeconds = 9;  // until it has faded

/// Appends the footprints of a person who walks that are younger than kFootprintSeconds. The walker passes the markers
/// of its clip where the feet land: its clip and its way advance at the same constant speed.
void add_footprints(const Model& model, const Scene& scene, uint32_t instance, double seconds,
                    std::vector<Footprint>& prints);

/// Appends what is drawn of a footprint: triangles just above the ground that fade to the color of a path.
void draw_footprint(const Footprint& print, std::vector<StandVertex>& vertices);

/// move_scene(); then, on a terrain, the feet and the heads of the people nearest to the eye of `camera`:
/// Scene::near_people of those before it, and a third as many whose feet are let go with the distance. All others
/// stand where their middle meets the ground. Writes Scene::targets, the heights of Scene::positions and what moves of
/// Scene::props, fires too. It depends on time and camera alone. `models` are those of the scene. A call like an
/// earlier one allocates nothing.
void place_scene(std::span<const Model> models, const Orbit& camera, double seconds, const ParallelFor& parallel_for,
                 Scene& scene);

/// The chains of a model that scenes with a terrain move: legs and head, as far as it has them. For Model::chains.
/// Allocates.
std::vector<Chain> walking_chains(const Character& character);

}  // namespace sinew::app
