#include "scene/scene.h"

#include <algorithm>
#include <numeric>

#include "scene/person_colors.h"
#include "sinew/animation/pose.h"

namespace sinew::app {
namespace {

constexpr LightColors kColors[] = {
    {{0.62f, 0.62f, 0.28f},
     {2.9f, 2.3f, 1.5f},
     {0.06f, 0.26f, 0.85f},
     {0.62f, 0.86f, 1.15f},
     {0.24f, 0.35f, 0.60f},
     {0.22f, 0.17f, 0.11f},
     0.55f},
    {{0.80f, 0.24f, -0.38f},
     {1.9f, 0.86f, 0.36f},
     {0.035f, 0.05f, 0.17f},
     {0.90f, 0.40f, 0.22f},
     {0.12f, 0.125f, 0.22f},
     {0.07f, 0.05f, 0.045f},
     1.05f},
    {{0.50f, 0.75f, -0.40f},
     {0.16f, 0.22f, 0.38f},
     {0.004f, 0.007f, 0.022f},
     {0.025f, 0.04f, 0.085f},
     {0.03f, 0.042f, 0.085f},
     {0.012f, 0.011f, 0.012f},
     1.5f},
};

constexpr double kFadeSeconds = 0.4;
constexpr float kOverlayShare = 0.4f;  // of the instances
constexpr double kOverlaySeconds = 4;
/// Largest weight of the overlay on the arm's joints. The other layers have the rest of the weight there, which must
/// not be 0.
constexpr double kMaxOverlayWeight = 0.95;

/// When an instance changes its clip.
struct Course {
  double interval_seconds, offset;

  explicit Course(const Pace& pace) {
    Random random{pace.random};
    interval_seconds = random.between(3, 9), offset = random.between(0, 100);
  }
};

/// How far an instance is ahead of its mean speed, in clip seconds.
double drift_at(const Pace& pace, double seconds) {
  Random random{mix(pace.random ^ 0x6472696674)};
  const double period = random.between(9, 21), phase = random.between(0, 2 * kPi);
  return pace.drift_seconds * std::sin(seconds * (2 * std::numbers::pi / period) + phase);
}

double clip_seconds_at(const Pace& pace, const Course& course, double seconds) {
  double clip_seconds = (seconds + course.offset) * pace.speed;
  if (pace.drift_seconds != 0) clip_seconds += drift_at(pace, seconds);
  return clip_seconds;
}

/// What an instance chooses its clips from.
struct Choice {
  std::span<const uint32_t> clips;
  bool changes = true;
  std::optional<uint32_t> wave;
};

Choice choice_of(const Model& model, const Pace& pace) {
  if (pace.act >= model.acts.size()) return {model.clips, model.changes_clips, {}};
  const Act& act = model.acts[pace.act];
  return {act.clips, act.changes_clips && model.changes_clips, act.wave};
}

uint32_t clip_of(const Choice& choice, uint64_t random, int64_t interval) {
  return choice.clips[mix(random ^ mix(uint64_t(interval))) % choice.clips.size()];
}

/// The weight of the clip of a wave of spectators: it rises and falls once while the wave passes.
float wave_weight_at(const Pace& pace, double seconds) {
  constexpr double kPasses = 2.4, kFade = 0.5;  // seconds
  if (pace.wave_at < 0) return 0;
  const double since = std::fmod(seconds + kWaveSeconds - pace.wave_at, kWaveSeconds);
  return float(std::clamp(std::min(since, kPasses - since) / kFade, 0.0, 1.0));
}

/// The weight of an instance's arm overlay at a time: it rises and falls now and then. It has random numbers of its
/// own, so that a model plays the same clips with and without an overlay.
double overlay_weight_at(uint64_t instance_random, double seconds) {
  Random random{mix(instance_random ^ 0x67657374757265)};
  if (random.unit() >= kOverlayShare) return 0;
  const double period = random.between(7, 16), offset = random.between(0, 100);
  const double since = std::fmod(seconds + offset, period);
  return kMaxOverlayWeight * std::clamp(std::min(since, kOverlaySeconds - since) / kFadeSeconds, 0.0, 1.0);
}

/// 1 for a clip that the arm overlay may be played over, else 0.
double allows_overlay(const Model& model, uint32_t clip) {
  const auto& base_clips = model.arm_overlay->base_clips;
  return std::find(base_clips.begin(), base_clips.end(), clip) != base_clips.end() ? 1 : 0;
}

}  // namespace

const LightColors& colors_of(Light light) { return kColors[size_t(light)]; }

uint32_t make_tint(const Model& model, Random& random, std::optional<uint8_t> top) {
  const PersonColors colors = pick_colors(random, top);
  return model.tinted ? pack(colors) : 0;
}

uint32_t pack_color(float r, float g, float b) {
  const auto byte = [](float value) { return uint32_t(std::clamp(value, 0.0f, 1.0f) * 255 + 0.5f); };
  return byte(r) | byte(g) << 8 | byte(b) << 16;
}

StandVertex stand_vertex(Vec3 position, Vec3 normal, uint32_t color) {
  const auto byte = [](float value) { return int8_t(std::lround(value * 127)); };
  return {position, {byte(normal.x), byte(normal.y), byte(normal.z), 0}, color};
}

CrowdInstance place_instance(Vec3 position, float heading, float scale) {
  CrowdInstance instance;
  instance.position = position, instance.start = position.z;
  instance.turn = {std::cos(heading) * scale, std::sin(heading) * scale};
  return instance;
}

void Scene::reserve(size_t instances) {
  positions.reserve(instances), looks.reserve(instances), randoms.reserve(instances);
  speeds.reserve(instances), phases.reserve(instances), role_of.reserve(instances);
}

void Scene::add(const CrowdInstance& instance) {
  if (instance.stretch != 0) stretches.resize(positions.size());
  if (instance.stretch != 0 || !stretches.empty()) stretches.push_back(instance.stretch);
  positions.push_back(instance.position);
  looks.push_back({instance.turn, instance.tint, instance.start});
  randoms.push_back(instance.random);
  speeds.push_back(instance.speed);
  phases.push_back(instance.update_phase);
  role_of.push_back(instance.role);
}

uint32_t Scene::model_of(uint32_t index) const {
  const auto after = std::ranges::upper_bound(batches, index, {}, &Batch::first_instance);
  return (after - 1)->model;
}

ModelPlace place_of(const Model& model) {
  ModelPlace place;
  place.upright_from_model = model.world_from_model;
  place.shadow_radius = std::clamp(model.radius * 0.8f, model.height * 0.2f, model.height * 0.8f);
  return place;
}

Vec3 origin_at(const Scene& scene, uint32_t model, uint32_t instance, Vec3 position, double seconds) {
  const ModelPlace& place = scene.models[model];
  if (place.walked == nullptr) return position;
  const Clip& clip = *place.walked;
  const float time = clip_time(clip, clip_seconds_at(scene.pace(instance), seconds), Looping::kLoop);
  const Vec3 in_clip = place.in_clip * ((time - clip.start_seconds) / clip.duration_seconds());
  return position - scene.looks[instance].turn(in_clip);
}

Matrix3x4 world_from_model(const Scene& scene, uint32_t model, uint32_t instance) {
  const Turn turn = scene.looks[instance].turn;
  const Vec3 origin = origin_of(scene, model, instance);
  const auto& upright = scene.models[model].upright_from_model.m;
  const float upward = turn.scale() * (1 + float(scene.stretch_of(instance)) / kStretchSteps);
  Matrix3x4 world;
  for (int c = 0; c < 4; ++c) {
    world.m[0][c] = turn.cosine * upright[0][c] + turn.sine * upright[2][c];
    world.m[1][c] = upward * upright[1][c];
    world.m[2][c] = turn.cosine * upright[2][c] - turn.sine * upright[0][c];
  }
  world.m[0][3] += origin.x, world.m[1][3] += origin.y, world.m[2][3] += origin.z;
  return world;
}

void set_random(uint64_t random, CrowdInstance& instance) {
  instance.random = random;
  instance.update_phase = uint8_t(random);
}

std::vector<uint32_t> deal_models(uint32_t count, uint32_t model_count, uint64_t seed) {
  std::vector<uint32_t> models(count), round(model_count);
  std::iota(round.begin(), round.end(), 0);
  Random random{mix(seed ^ 0x6d6f64656c)};
  for (uint32_t i = 0; i < count; ++i) {
    if (i % model_count == 0) {
      for (uint32_t j = model_count - 1; j > 0; --j) std::swap(round[j], round[random.next() % (j + 1)]);
    }
    models[i] = round[i % model_count];
  }
  return models;
}

double clip_seconds_at(const Pace& pace, double seconds) { return clip_seconds_at(pace, Course(pace), seconds); }

double passed_clip_seconds_at(const Pace& pace, double seconds) {
  return seconds * pace.speed + (pace.drift_seconds != 0 ? drift_at(pace, seconds) : 0);
}

Playback playback_at(const Model& model, const Pace& pace, double seconds) {
  Playback playback;
  if (model.clips.empty()) return playback;
  const uint64_t instance_random = pace.random;
  const Choice choice = choice_of(model, pace);
  const Course course(pace);
  const double local = (seconds + course.offset) / course.interval_seconds;
  const int64_t interval = int64_t(std::floor(local));
  const double remaining = (double(interval) + 1 - local) * course.interval_seconds;
  const double clip_seconds = clip_seconds_at(pace, course, seconds);
  const auto layer = [&](uint32_t clip, float weight) {
    const Clip& source = model.character.clips[clip];
    return Layer{clip, clip_time(source, clip_seconds, Looping::kLoop), weight};
  };
  if (const float wave = choice.wave ? wave_weight_at(pace, seconds) : 0; wave > 0) {
    const uint32_t still = clip_of(choice, instance_random, 0);
    playback.layers[0] = layer(*choice.wave, still == *choice.wave ? 1 : wave);
    if (still != *choice.wave && wave < 1) playback.layers[1] = layer(still, 1 - wave);
    return playback;
  }
  if (!choice.changes) {
    playback.layers[0] = layer(clip_of(choice, instance_random, 0), 1);
    return playback;
  }
  const float fade = float(std::clamp(1 - remaining / kFadeSeconds, 0.0, 1.0));
  const uint32_t now = clip_of(choice, instance_random, interval);
  const uint32_t next = fade > 0 ? clip_of(choice, instance_random, interval + 1) : now;
  float overlay = 0;
  if (model.arm_overlay) {
    const double allowed = (1 - fade) * allows_overlay(model, now) + fade * allows_overlay(model, next);
    overlay = allowed > 0 ? float(allowed * overlay_weight_at(instance_random, seconds)) : 0;
  }
  uint32_t count = 0;
  const bool fading = now != next && fade > 0;
  playback.layers[count++] = layer(now, (fading ? 1 - fade : 1) * (1 - overlay));
  if (fading) playback.layers[count++] = layer(next, fade * (1 - overlay));
  if (overlay > 0) {
    playback.layers[count] = layer(model.arm_overlay->clip, overlay);
    playback.layers[count].mask = kArmMask;
  }
  return playback;
}

Model make_stand_in() {
  Model model;
  Character& character = model.character;
  character.skeleton = {{"stand-in"}, {kNoJoint}, {Transform()}, {}};
  character.skin.entries = {{0, {}}};
  Mesh& mesh = character.mesh;
  mesh.positions.resize(3), mesh.uvs.resize(3);
  mesh.normals.assign(3, {0, 1, 0});
  mesh.indices = {0, 1, 2};
  mesh.first_influence = {0, 1, 2, 3};
  mesh.influences.assign(3, {0, 1});
  mesh.parts = {{"stand-in", PartKind::kRigid, 0, 0, 3, 0, 3}};
  character.materials.resize(1);
  model.name = "stand-in";
  model.height = 1.8f, model.radius = 0.3f, model.diagonal = 2;
  return model;
}

void clear_scene(Scene& scene) {
  scene.positions.resize(1), scene.looks.resize(1), scene.randoms.resize(1);
  scene.speeds.resize(1), scene.phases.resize(1), scene.playbacks.resize(scene.playbacks.empty() ? 0 : 1);
  scene.batches = {{scene.batches.front().model, 0, 1}};
  for (ModelPlace& place : scene.models) place.shadow_radius = 0;
}

}  // namespace sinew::app
