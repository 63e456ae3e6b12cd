// Legs on a terrain: where an ankle goes, and by how much a person is lowered so that its legs reach.
#pragma once

#include <span>

#include "scene/model.h"
#include "scene/scene.h"

namespace sinew::app {

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

}  // namespace sinew::app
