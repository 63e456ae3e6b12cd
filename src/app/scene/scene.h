// The crowd: the position of each instance, and what it plays at a time. All of it follows from the seed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scene/model.h"
#include "sinew/animation/evaluator.h"

namespace sinew::app {

/// The direction to the sun in every scene, in world space; not normalized.
inline constexpr Vec3 kSun{0.62f, 0.62f, 0.28f};

struct CrowdInstance {
  Vec3 position;  // on the ground, meters
  Matrix3x4 world_from_model;
  float shadow_radius = 0;  // of its soft shadow, meters
  uint32_t tint = 0;        // factors of the color, linear, 8 bits each, red lowest; highest: 255 tinted, 0 not
  uint64_t random = 0;      // decides which clips it plays, and when
  float speed = 1;          // of playback; 1 is the clip's own speed
};

/// The instances of one model: a slice of Scene::instances.
struct Batch {
  uint32_t model = 0;
  uint32_t first_instance = 0, instance_count = 0;
};

struct Scene {
  std::vector<CrowdInstance> instances;
  std::vector<Batch> batches;       // one per model that has instances
  float radius = 0;                 // meters, of the circle on the ground that the instances cover
  float tallest = 0;                // meters: the largest Model::height
  float widest = 0;                 // meters: the largest Model::radius
  float grid_meters = 0;            // between the lines of a grid on the ground; 0: the ground is paved
  std::vector<Playback> playbacks;  // what each instance plays, whatever the time is; empty: playback_at()
};

/// Spreads `count` instances over a circle on the ground, with the models evenly mixed. `models` must not be empty.
Scene make_scene(std::span<const Model> models, uint32_t count, uint64_t seed);

/// What an instance plays `seconds` after the start: a clip for some seconds, then after a short cross-fade another.
/// Some instances play the model's arm overlay over calm clips now and then. Without Model::changes_clips: one clip for
/// ever, and nothing else. Allocates nothing.
/// `random` and `speed` are those of the instance.
Playback playback_at(const Model& model, uint64_t random, float speed, double seconds);

inline Playback playback_at(const Model& model, const CrowdInstance& instance, double seconds) {
  return playback_at(model, instance.random, instance.speed, seconds);
}

}  // namespace sinew::app
