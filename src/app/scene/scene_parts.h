// What a scene consists of: instances one by one, what they do, and what stands and drifts around them.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "scene/oval.h"
#include "sinew/asset/clip.h"
#include "sinew/asset/math.h"

namespace sinew::app {

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

}  // namespace sinew::app
