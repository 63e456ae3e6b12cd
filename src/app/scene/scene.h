// The crowd: the position of each instance, and what it plays at a time. All of it follows from the seed.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

#include "scene/camera.h"
#include "scene/model.h"
#include "scene/random.h"
#include "scene/terrain.h"
#include "sinew/animation/evaluator.h"
#include "sinew/animation/inverse_kinematics.h"
#include "sinew/asset/clip.h"
#include "sinew/asset/math.h"

namespace sinew::app {

inline constexpr float kPi = std::numbers::pi_v<float>;

// The light of a scene: sun or moon, sky, and small lamps. Colors are linear and in the scene's own scale; the shaders
// end with a film curve (shared/light.glsl).

enum class Light : uint8_t { kDay, kDusk, kNight };

/// A torch, a lantern. Its light fades to nothing at `reach`. Casts no shadow.
struct Lamp {
  Vec3 position;       // world space, meters
  float reach = 0;     // meters
  Vec3 color;          // of the light that a surface one meter away receives
  float flames = 0;    // meters: the height of a fire around it; 0: none. See burn()
  float strength = 1;  // of its light now
};

struct LightColors {
  Vec3 to_sun;           // world space, not normalized
  Vec3 sun;              // that a surface facing it receives
  Vec3 zenith, horizon;  // of the sky that is seen
  Vec3 sky, ground;      // that surfaces facing up and down receive from all sides
  float exposure = 1;    // before the film curve
};

const LightColors& colors_of(Light light);

// What a scene consists of: instances one by one, what they do, and what stands and drifts around them.

/// How an instance is turned, and how large it is.
struct Turn {
  float cosine = 1, sine = 0;  // of its heading, times its scale

  float scale() const { return std::sqrt(cosine * cosine + sine * sine); }
  /// From the upright space of its model to world space, without the position.
  Vec3 operator()(Vec3 v) const { return {cosine * v.x + sine * v.z, scale() * v.y, cosine * v.z - sine * v.x}; }
};

/// An instance as scenes place it. A Scene keeps its members in arrays.
struct CrowdInstance {
  Vec3 position;  // of its feet, meters
  Turn turn;
  uint32_t tint = 0;         // pack(PersonColors); 0: the colors of the file
  float speed = 1;           // of playback; 1 is the clip's own speed
  uint64_t random = 0;       // decides which clips it plays, and when
  uint8_t update_phase = 0;  // as in crowd::Instances::phases
  uint16_t role = 0;         // in Scene::roles
  int8_t stretch = 0;        // as Scene has it
  float start = 0;           // as Scene::Look has it
};

/// What some of the instances do, and where they walk.
struct Role {
  static constexpr float kNoWave = -1;

  uint8_t act = 0;              // in Model::acts
  float wave_at = kNoWave;      // seconds: a wave of spectators passes then, and every kWaveSeconds; kNoWave: none
  float meters_per_second = 0;  // 0: they stay where they are
  bool backward = false;        // along the loop
  Oval loop = {};               // around `center`
  Vec3 center = {};             // on the ground, meters
};
inline constexpr double kWaveSeconds = 24;
inline constexpr float kStretchSteps = 384;  // of Scene::stretches, in an instance's height

/// What decides when an instance plays what.
struct Pace {
  uint64_t random = 0;
  float speed = 1;                // as CrowdInstance has it
  float drift_seconds = 0;        // clip seconds by which it gets ahead of its mean speed, and falls behind
  uint8_t act = 0;                // in Model::acts
  float wave_at = Role::kNoWave;  // as Role has it
};

/// What all instances of one model have in common.
struct ModelPlace {
  Matrix3x4 upright_from_model;  // to y up, front along z, meters, feet at the origin
  float shadow_radius = 0;       // of the soft shadow of an instance of scale 1, meters; 0: it has none
  /// The clip that they walk with, where it moves the character by itself: by `in_clip` from its first frame to its
  /// last, in upright space. Null: it stays in place.
  const Clip* walked = nullptr;
  Vec3 in_clip;
};

/// A vertex of a stand. Three of them are a triangle.
struct StandVertex {
  Vec3 position;
  int8_t normal[4];  // of length 127
  uint32_t color;    // as pack_color() gives it
};

/// `normal` has unit length.
StandVertex stand_vertex(Vec3 position, Vec3 normal, uint32_t color);

/// A balloon that drifts over the middle of a scene.
struct Balloon {
  std::vector<StandVertex> mesh;  // its basket is at the origin
  float scale = 1;                // of its way: see Architecture

  /// Where its basket is, meters.
  Vec3 at(double seconds) const;
};

/// By how many meters an instance is lower than where its middle meets the ground, so that both feet reach it.
struct Lowered {
  uint32_t instance = 0;
  float meters = 0;
};

/// The instances of one model: a slice of the scene's.
struct Batch {
  uint32_t model = 0;
  uint32_t first_instance = 0, instance_count = 0;
};

/// 43 or 44 bytes an instance. With what CrowdInput adds it is at most 64.
struct Scene {
  /// What is read of an instance that is drawn, besides its position.
  struct Look {
    Turn turn;
    uint32_t tint = 0;
    float start = 0;  // where instances move: z of its position at scene time 0, without drift; or meters on its loop
  };
  // One element per instance, with the meaning that CrowdInstance has.
  std::vector<Vec3> positions;
  std::vector<Look> looks;
  std::vector<uint64_t> randoms;
  std::vector<float> speeds;
  std::vector<uint8_t> phases;
  std::vector<uint16_t> role_of;  // in `roles`
  std::vector<int8_t> stretches;  // steps by which it is taller than its scale alone makes it; empty: none is
  std::vector<uint64_t> outfits;  // what it wears, see crowd::Instances::outfits; empty: nothing

  std::vector<Role> roles;          // what instances do; empty: all the same, and those that move walk along z
  std::vector<ModelPlace> models;   // one per model
  std::vector<Batch> batches;       // one per model that has instances
  float radius = 0;                 // meters, of the circle on the ground that the instances cover
  float tallest = 0;                // meters: the largest Model::height
  float widest = 0;                 // meters: the largest Model::radius
  float clear_meters = 0;           // fog hides nothing that is nearer; 0: the radius alone says where fog is
  float grid_meters = 0;            // between the lines of a grid on the ground; 0: the ground is paved
  std::vector<Playback> playbacks;  // what each instance plays, whatever the time is; empty: playback_at()
  std::optional<Orbit> camera;      // at scene time 0; none: chosen by frame_crowd()
  std::vector<StandVertex> stands;  // what the instances sit or stand on, besides the ground
  float highest_stand = 0;          // meters
  Light light = Light::kDay;        // unless the user chooses
  std::vector<Lamp> lamps;          // a frame has the light of those nearest to what the camera looks at

  // Where instances move: see move_scene(). They walk along z or on the loops of roles, in step with the ground.
  float meters_per_second = 0;             // mean velocity of each that moves, or of the fastest; 0: none moves
  double course_meters = 4096;             // walked along z before all begin again: coordinates stay small
  float drift_meters = 0;                  // by which each gets ahead of the others, and falls behind
  Vec3 center;                             // the middle of the instances now
  double seconds = 0, seconds_before = 0;  // scene time that they are placed for, now and before the last move

  // Where the ground is not flat: see place_scene().
  std::optional<Terrain> terrain;                // what instances stand and walk on; none: the plane y = 0, and stands
  std::vector<GroundWay> ways;                   // one per role: of its loop on the terrain
  std::optional<Balloon> balloon;                // what heads follow
  uint32_t near_people = 0;                      // so many have their feet on the ground
  std::vector<ChainTarget> targets;              // as crowd::Instances has them
  std::vector<Lowered> lowered, lowered_before;  // ascending by instance; now, and before the last move
  std::vector<StandVertex> props;                // what is drawn like stands, and changes from frame to frame

  bool moves() const { return meters_per_second > 0; }
  /// Mean meters per second of an instance.
  float speed_of(uint32_t index) const {
    return roles.empty() ? meters_per_second : roles[role_of[index]].meters_per_second;
  }
  bool moves(uint32_t index) const { return speed_of(index) > 0; }
  uint32_t count() const { return uint32_t(positions.size()); }
  int8_t stretch_of(uint32_t index) const { return stretches.empty() ? int8_t(0) : stretches[index]; }

  void reserve(size_t instances);
  void add(const CrowdInstance& instance);
  CrowdInstance instance(uint32_t index) const {
    const Look& look = looks[index];
    return {positions[index], look.turn,      look.tint,         speeds[index], randoms[index],
            phases[index],    role_of[index], stretch_of(index), look.start};
  }
  Pace pace(uint32_t index) const {
    const float speed = speeds[index];
    Pace pace{randoms[index], speed};
    if (drift_meters > 0 && moves(index)) pace.drift_seconds = drift_meters / (speed_of(index) / speed);
    if (roles.empty()) return pace;
    pace.act = roles[role_of[index]].act, pace.wave_at = roles[role_of[index]].wave_at;
    return pace;
  }
  /// The model of an instance. Searches the batches.
  uint32_t model_of(uint32_t index) const;
};

/// What the instances of a model have in common in most scenes.
ModelPlace place_of(const Model& model);

/// Where an instance has the origin of its upright space when it is at a position: there, less what its clip moves it
/// by. `model` is that of the instance.
Vec3 origin_at(const Scene& scene, uint32_t model, uint32_t instance, Vec3 position, double seconds);
inline Vec3 origin_of(const Scene& scene, uint32_t model, uint32_t instance) {
  if (scene.models[model].walked == nullptr) return scene.positions[instance];
  return origin_at(scene, model, instance, scene.positions[instance], scene.seconds);
}

Matrix3x4 world_from_model(const Scene& scene, uint32_t model, uint32_t instance);
inline Matrix3x4 world_from_model(const Scene& scene, uint32_t instance) {
  return world_from_model(scene, scene.model_of(instance), instance);
}

/// The radius of the soft shadow of an instance, meters.
inline float shadow_radius(const Scene& scene, uint32_t model, uint32_t instance) {
  const float of_one = scene.models[model].shadow_radius;
  return of_one > 0 ? of_one * scene.looks[instance].turn.scale() : 0;
}

/// An instance on the ground, or above it. Heading in radians; 0 looks along z.
CrowdInstance place_instance(Vec3 position, float heading, float scale);

/// Sets what depends on the instance's random number.
void set_random(uint64_t random, CrowdInstance& instance);

/// Red, green and blue, linear, 8 bits each, red lowest; the highest byte is 0.
uint32_t pack_color(float r, float g, float b);

/// Colors of a person at random, for CrowdInstance::tint; with a given top, as a team has it. 0 where the model is not
/// tinted; the random numbers do not depend on that.
uint32_t make_tint(const Model& model, Random& random, std::optional<uint8_t> top = {});

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

/// A model of a person's size without a surface: for the scene that a window shows while its models are loaded.
Model make_stand_in();

/// Keeps one instance, and no soft shadows. Ground, stands and the place of the camera stay.
void clear_scene(Scene& scene);

}  // namespace sinew::app
