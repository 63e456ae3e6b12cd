// The crowd: the position of each instance, and what it plays at a time. All of it follows from the seed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scene/camera.h"
#include "scene/model.h"
#include "scene/random.h"
#include "sinew/animation/evaluator.h"

namespace sinew::app {

/// The direction to the sun in every scene, in world space; not normalized.
inline constexpr Vec3 kSun{0.62f, 0.62f, 0.28f};

struct CrowdInstance {
  Vec3 position;  // on the ground, meters
  Matrix3x4 world_from_model;
  float shadow_radius = 0;   // of its soft shadow, meters
  uint32_t tint = 0;         // factors of the color, linear, 8 bits each, red lowest; highest: 255 tinted, 0 not
  uint64_t random = 0;       // decides which clips it plays, and when
  float speed = 1;           // of playback; 1 is the clip's own speed
  float drift_seconds = 0;   // clip seconds by which it gets ahead of its mean speed, and falls behind
  uint8_t update_phase = 0;  // as in crowd::Instances::phases
};

/// What decides when an instance plays what. The members are those of CrowdInstance.
struct Pace {
  uint64_t random = 0;
  float speed = 1, drift_seconds = 0;
};

inline Pace pace_of(const CrowdInstance& instance) { return {instance.random, instance.speed, instance.drift_seconds}; }

/// How an instance moves over the ground while it plays the only clip of its model. World space, meters.
struct Walk {
  Vec3 start;     // its position at scene time 0, without drift
  Vec3 offset;    // from its position to the origin of model space
  Vec3 velocity;  // per second of the clip
  Vec3 in_clip;   // what the clip itself moves it by, from its first frame to its last
  Vec3 moved;     // by which the last call of move_scene() moved its origin of model space
};

/// A vertex of a stand. Three of them are a triangle.
struct StandVertex {
  Vec3 position;
  int8_t normal[4];  // of length 127
  uint32_t color;    // as CrowdInstance::tint
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
  std::optional<Orbit> camera;      // at scene time 0; none: chosen by frame_crowd()
  std::vector<StandVertex> stands;  // what the instances sit or stand on, besides the ground
  float highest_stand = 0;          // meters

  // Where instances move: see move_scene().
  std::vector<Walk> walks;  // of each instance; empty: none moves
  Vec3 travel;              // mean velocity of all instances, meters per second of scene time
  Vec3 center;              // the middle of the instances now
  double seconds = 0;       // scene time that they are placed for

  bool moves() const { return !walks.empty(); }
};

/// An instance on the ground, or above it. Heading in radians; 0 looks along z.
CrowdInstance place_instance(const Model& model, Vec3 position, float heading, float scale);

/// Sets what depends on the instance's random number.
void set_random(uint64_t random, CrowdInstance& instance);

/// Red, green and blue as CrowdInstance::tint has them; its highest byte is 0.
uint32_t pack_color(float r, float g, float b);

/// The color of a cloth, a little lighter or darker at random. It shows only where the model is tinted; the random
/// numbers do not depend on that.
uint32_t make_tint(const Model& model, Random& random);

/// The model of each instance, in shuffled rounds: all models have the same share in every part of the crowd.
std::vector<uint32_t> deal_models(uint32_t count, uint32_t model_count, uint64_t seed);

/// Spreads `count` instances over a circle on the ground, with the models evenly mixed. `models` must not be empty.
Scene make_scene(std::span<const Model> models, uint32_t count, uint64_t seed);

/// The time that an instance has played, in seconds of its clips, and what of that has passed since scene time 0.
double clip_seconds_at(const Pace& pace, double seconds);
double passed_clip_seconds_at(const Pace& pace, double seconds);

/// What an instance plays `seconds` after the start: a clip for some seconds, then after a short cross-fade another.
/// Some instances play the model's arm overlay over calm clips now and then. Without Model::changes_clips: one clip for
/// ever, and nothing else. Allocates nothing.
Playback playback_at(const Model& model, const Pace& pace, double seconds);

inline Playback playback_at(const Model& model, const CrowdInstance& instance, double seconds) {
  return playback_at(model, pace_of(instance), seconds);
}

}  // namespace sinew::app
