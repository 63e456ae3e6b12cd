// Characters of random rigs with levels of detail, and arrays of instances, for tests and benchmarks of the planner.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/animation/bounds.h"
#include "sinew/asset/character.h"
#include "sinew/crowd/planner.h"

namespace sinew::test {

/// A character with two clips and a triangle on each joint; eight levels whose errors grow from 0 to 0.3 meters.
struct RigActor {
  explicit RigActor(uint32_t seed);
  RigActor(const RigActor&) = delete;
  crowd::ModelInfo info() const;

  Character character;
  BakedCharacter baked;
  CharacterBounds bounds;
  std::vector<uint32_t> clips{0, 1};
  std::vector<crowd::Level> levels;  // the first ones have wearables 0 and 2 of three
};

/// A camera at eye height at the origin that looks along -z, with a field of view of 60 degrees.
crowd::View camera_at_origin(float far = 400);

/// A view of the box around `center` with these half sizes; it looks down.
inline crowd::View view_of(Vec3 center, Vec3 half) {
  crowd::View view;
  float* m = view.clip_from_world;
  std::fill(m, m + 16, 0.0f);
  m[0] = 1 / half.x, m[12] = -center.x / half.x;
  m[9] = 1 / half.z, m[13] = -center.z / half.z;
  m[6] = 0.5f / half.y, m[14] = 0.5f - 0.5f * center.y / half.y;
  m[15] = 1;
  view.eye = {center.x, center.y + half.y, center.z};
  view.pixels_per_radian = 1000;
  return view;
}

/// Such bounds that are one box, whatever is played.
inline CharacterBounds bounds_like(CharacterBounds bounds, const Box& box) {
  bounds.rest = bounds.blended = bounds.layered = box;
  std::fill(bounds.clips.begin(), bounds.clips.end(), box);
  std::fill(bounds.pairs.begin(), bounds.pairs.end(), box);
  return bounds;
}

/// The arrays of a host. Each instance plays a clip of its own, at its own pace; every 16th blends two.
struct CrowdWorld {
  explicit CrowdWorld(uint32_t character_count) : clip_seconds(character_count, 1.0f) {}

  /// Adds an instance that stands at a place, turned by an angle.
  void add(const crowd::ModelInfo& info, uint32_t character, Vec3 feet, float angle, float scale = 1);
  /// With spheres, positions, scales, speeds, phases, and playbacks by a function.
  crowd::Instances instances() const;
  static Playback play(void* world, uint32_t instance, double seconds);

  std::vector<float> clip_seconds;  // of both clips of each character
  std::vector<uint32_t> characters;
  std::vector<Matrix3x4> places;
  std::vector<Vec3> positions;
  std::vector<float> scales, speeds;
  std::vector<crowd::Sphere> spheres;
  std::vector<uint8_t> phases;
};

}  // namespace sinew::test
