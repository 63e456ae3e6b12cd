#include "crowd_world.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

#include "animation/rig.h"
#include "sinew/animation/bake.h"

namespace sinew::test {
namespace {

template <class T>
T value_of(Result<T> made) {
  if (made) return std::move(*made);
  std::fprintf(stderr, "%s\n", made.error().message.c_str());
  std::abort();
}

}  // namespace

RigActor::RigActor(uint32_t seed) : character(rig_with_triangles({.joints = 24, .clips = 2, .seed = seed})) {
  baked = value_of(bake(character));
  bounds = value_of(measure_bounds(character, baked));
  for (const float error : {0.0f, 0.002f, 0.005f, 0.012f, 0.03f, 0.07f, 0.15f, 0.3f}) {
    const uint32_t vertices = character.mesh.vertex_count() >> levels.size();
    const uint32_t own_palette = error < 0.03f ? 0 : levels.size() % 2 == 0 ? 16 : 17;
    levels.push_back({.error = error, .vertex_count = vertices, .static_bytes = 4096, .palette_size = own_palette});
    static constexpr uint32_t kWearables[] = {24, 0, 8};
    if (levels.size() < 7) levels.back().wearable_vertices = kWearables;
  }
}

crowd::ModelInfo RigActor::info() const {
  crowd::ModelInfo info;
  info.character = &character, info.bounds = &bounds, info.baked = &baked;
  info.clips = clips, info.levels = levels;
  info.height = 1.8f;
  info.middle = {0, 0.9f, 0};
  return info;
}

crowd::View camera_at_origin(float far) {
  crowd::View view;
  const float f = 1 / std::tan(float(std::numbers::pi) / 6), near = 0.1f;
  float* m = view.clip_from_world;
  std::fill(m, m + 16, 0.0f);
  m[0] = f, m[5] = -f;
  m[10] = far / (near - far), m[11] = -1, m[14] = near * far / (near - far);
  view.eye = {0, 1.7f, 0};
  m[13] = f * view.eye.y;
  view.pixels_per_radian = 900;
  return view;
}

void CrowdWorld::add(const crowd::ModelInfo& info, uint32_t character, Vec3 feet, float angle, float scale) {
  const float c = std::cos(angle) * scale, s = std::sin(angle) * scale;
  const auto index = uint32_t(characters.size());
  const Clip& clip = info.character->clips[0];
  clip_seconds[character] = clip.end_seconds - clip.start_seconds;
  characters.push_back(character);
  places.push_back({{{c, 0, s, feet.x}, {0, scale, 0, feet.y}, {-s, 0, c, feet.z}}});
  positions.push_back(feet), scales.push_back(scale);
  speeds.push_back(0.8f + 0.4f * float(index % 64) / 64), phases.push_back(uint8_t(index * 37));
  spheres.push_back(crowd::bounding_sphere(info, places.back()));
}

crowd::Instances CrowdWorld::instances() const {
  crowd::Instances all;
  all.models = characters, all.world_from_model = places;
  all.playback_source = {const_cast<CrowdWorld*>(this), play};
  all.speeds = speeds, all.positions = positions, all.scales = scales, all.spheres = spheres, all.phases = phases;
  return all;
}

Playback CrowdWorld::play(void* world, uint32_t instance, double seconds) {
  const auto& own = *static_cast<const CrowdWorld*>(world);
  const double clip_seconds = double(own.clip_seconds[own.characters[instance]]);
  const double rounds = (seconds * double(own.speeds[instance]) + 0.137 * double(instance % 1024)) / clip_seconds;
  const auto time = float((rounds - double(int64_t(rounds))) * clip_seconds);
  Playback playback;
  playback.layers[0] = {instance % 2, time, 1};
  if (instance % 16 == 3) playback.layers[0].weight = 0.5f, playback.layers[1] = {1 - instance % 2, time, 0.5f};
  return playback;
}

}  // namespace sinew::test
