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

// Legs on a terrain: where an ankle goes, and by how much a person is lowered so that its legs reach.

/// Where an ankle goes on the ground, and the normal there. World space.
struct AnkleGoal {
  Vec3 position, normal;
};

/// The goal of an ankle that the clip has at `upright`, in the upright space of an instance that stays at its position:
/// the same height above the ground, along the normal.
AnkleGoal standing_goal(const Scene& scene, uint32_t instance, Vec3 upright);

/// The same of one that walks, and is `way` meters along its way: the ankle is as far ahead along the way. A foot that
/// is planted stays where it is, however the way bends.
AnkleGoal walking_goal(const Scene& scene, uint32_t instance, double way, Vec3 upright);

/// By how much the hip may be higher, so that a leg reaches its goal; negative: lower. Limited to a share of `reach`.
float max_raised(Vec3 hip, Vec3 goal, float reach);

/// By how much a person is lowered for its legs: at least as much as the least of `raised`, and not less than 0.
/// Smooth. `reach` is that of a leg.
float lowering(std::span<const float> raised, float reach);

/// Whether two chains of the model are legs: those that gait_of() and place_scene() take.
struct Legs {
  uint32_t chains[2] = {};
  uint32_t count = 0;
};
Legs legs_of(const Model& model);

/// How far the end of a leg gets from its hip without lag, as a share of the length of its bones.
float reach_share(const TwoBoneChain& chain);

/// The legs of a clip, for Model::gait. Empty unless the model has two legs. Allocates.
Gait gait_of(const Model& model, uint32_t clip);

/// By how much a person who walks with the clip of Model::gait is lowered. It looks ahead and back for some tenths of a
/// second: hips go down before a foot lands that is low, and no faster than people do. World space, meters.
float walking_lowering(const Model& model, const Scene& scene, uint32_t instance, double seconds);

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

// People on a ground that is not flat: feet on it by inverse kinematics, hips lowered so that both reach it, and heads
// that follow a balloon.

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
