// The crowd: who stands where, and what each plays at a moment. All of it follows from the seed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scene/model.h"
#include "sinew/animation/evaluator.h"

namespace sinew::app {

/// Towards the sun of every scene; of any length.
inline constexpr Vec3 kSun{0.62f, 0.62f, 0.28f};

struct CrowdInstance {
  Vec3 position;  // on the ground, meters
  Matrix3x4 world_from_model;
  float shadow_radius = 0;  // meters
  uint32_t tint = 0;        // sRGB-free: linear factors, red in the lowest byte
  uint64_t random = 0;      // decides what it plays and when
  float speed = 1;          // of playback
};

/// The members that share a model: a run of Scene::instances.
struct Batch {
  uint32_t model = 0;
  uint32_t first_instance = 0, instance_count = 0;
};

struct Scene {
  std::vector<CrowdInstance> instances;
  std::vector<Batch> batches;  // one a model that has members
  float radius = 0;            // meters, of the ground they cover
  float tallest = 0;           // meters
  float widest = 0;            // meters on the ground around their places
};

/// Spreads `count` characters over a round place, the models mixed evenly. `models` must not be empty.
Scene make_scene(std::span<const Model> models, uint32_t count, uint64_t seed);

/// What an instance plays `seconds` after the start: a clip for a while, then over a short cross-fade another;
/// on top of what is calm some make the model's gesture now and then.
Playback playback_at(const Model& model, const CrowdInstance& instance, double seconds);

/// The only layer, where nothing is blended or masked; else null.
const Layer* lone_layer(const Playback& playback);

}  // namespace sinew::app
