#include "festival.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/animation/pose.h"

namespace festival {
namespace {

using sinew::Matrix3x4;
using sinew::Vec3;

constexpr float kTossRadius = 4.6f, kTosserDistance = 1.15f;  // meters
constexpr float kFirstRadius = 7.5f, kSpacing = 0.78f;
constexpr float kWalkSpeed = 1.05f;  // of the clip, in meters per second
constexpr float kBodyRadius = 3;     // contains a limp body in any pose

/// Lanes in which characters walk around the middle.
constexpr struct { float inner, outer; } kLanes[] = {{7.3f, 9.6f}, {13.4f, 15.4f}, {22, 25}, {38, 42}, {58, 62}};

constexpr Vec3 kTints[] = {{0.16f, 0.38f, 0.42f}, {0.50f, 0.14f, 0.10f}, {0.55f, 0.36f, 0.08f}, {0.14f, 0.20f, 0.42f},
                           {0.24f, 0.36f, 0.13f}, {0.40f, 0.14f, 0.32f}, {0.55f, 0.50f, 0.42f}, {0.12f, 0.12f, 0.15f}};

bool in_lane(float radius) {
  return std::any_of(std::begin(kLanes), std::end(kLanes),
                     [&](const auto& lane) { return radius > lane.inner && radius < lane.outer; });
}

/// The clip with this name, or one of the others.
uint32_t clip_of(const sinew::Character& character, const char* name, uint32_t otherwise) {
  const auto clip = sinew::find_clip(character.clips, name);
  return clip ? *clip : otherwise % uint32_t(character.clips.size());
}

}  // namespace

Clips clips_of(const sinew::Character& character) {
  return {clip_of(character, "walk", 1), clip_of(character, "idle", 0), clip_of(character, "dance", 2),
          clip_of(character, "cheer", 3), clip_of(character, "wave", 4)};
}

Festival::Festival(const sinew::Model& model, uint32_t count)
    : character_(model.character),
      clips_(clips_of(model.character)),
      walk_mask_(sinew::find_mask(model, "all but the arm").value_or(0)),
      arm_mask_(sinew::find_mask(model, "arm").value_or(0)) {
  for (uint32_t i = 0; i < kTossPlaces && i < count; ++i) add(Role::kBody, {});
  for (uint32_t i = 0; i < kTossPlaces * kTossersPerPlace && roles_.size() < count; ++i) {
    const Vec3 middle = toss_place(i / kTossersPerPlace);
    const float turn = float(i) * 2 * std::numbers::pi_v<float> / kTossersPerPlace;
    const float x = middle.x + kTosserDistance * std::sin(turn), z = middle.z + kTosserDistance * std::cos(turn);
    add(Role::kTosser, {std::hypot(x, z), std::atan2(x, z), turn + std::numbers::pi_v<float>});
  }
  // Points of a sunflower: equally dense everywhere, and in no rows.
  for (uint32_t i = 0; roles_.size() < count; ++i) {
    const float radius = std::sqrt(kFirstRadius * kFirstRadius + kSpacing * kSpacing * float(i));
    const float angle = std::fmod(float(i) * 2.39996323f, 2 * std::numbers::pi_v<float>);
    const uint32_t instance = uint32_t(roles_.size());
    const bool walks = in_lane(radius);
    const float turned = (random(instance, 1) - 0.5f) * 0.9f;
    const Role role = !walks ? Role::kSpectator : random(instance, 2) < 0.45f ? Role::kTorchbearer : Role::kWalker;
    const float quarter = std::numbers::pi_v<float> / 2;
    add(role, {radius, angle, walks ? angle + quarter : angle + 2 * quarter + turned});
  }
}

void Festival::add(Role role, const Place& where) {
  const uint32_t instance = uint32_t(roles_.size());
  roles_.push_back(role), places_.push_back(where), characters_.push_back(0);
  world_from_model_.emplace_back();
  host_posed_.push_back(role == Role::kBody);
  extra_spheres_.emplace_back();
  tints.push_back(kTints[size_t(random(instance, 3) * float(std::size(kTints)))]);
  const bool walks = role == Role::kWalker || role == Role::kTorchbearer;
  // All walkers of a lane need the same time for a round; feet do not slide.
  const auto lane = std::find_if(std::begin(kLanes), std::end(kLanes),
                                 [&](const auto& candidate) { return where.radius < candidate.outer; });
  speeds_.push_back(walks ? 2 * where.radius / (lane->inner + lane->outer) : 0.85f + 0.3f * random(instance, 4));
  if (role == Role::kTorchbearer) torchbearers.push_back(instance);
  place(instance);
}

/// A number from 0 to 1 that depends on the arguments only. Source: none; multiplication and shifts of the bits.
float Festival::random(uint32_t instance, uint32_t salt) const {
  uint32_t bits = (instance + 1) * 0x9e3779b9u + salt * 0x85ebca6bu;
  bits = (bits ^ bits >> 15) * 0x2c1b3c6du;
  bits = (bits ^ bits >> 13) * 0x297a2d39u;
  return float((bits ^ bits >> 16) >> 8) / float(1u << 24);
}

void Festival::place(uint32_t instance) {
  const Place& where = places_[instance];
  const float size = 0.94f + 0.12f * random(instance, 5);
  const float c = size * std::cos(where.facing), s = size * std::sin(where.facing);
  world_from_model_[instance] = {{{c, 0, s, where.radius * std::sin(where.angle)},
                                  {0, size, 0, 0},
                                  {-s, 0, c, where.radius * std::cos(where.angle)}}};
}

void Festival::advance(double step_seconds) {
  for (uint32_t i = 0; i < roles_.size(); ++i) {
    if (roles_[i] != Role::kWalker && roles_[i] != Role::kTorchbearer) continue;
    const float turn = float(step_seconds) * kWalkSpeed * speeds_[i] / places_[i].radius;
    places_[i].angle += turn, places_[i].facing += turn;
    place(i);
  }
}

Vec3 Festival::toss_place(uint32_t body) {
  const float angle = (float(body) + 0.5f) * 2 * std::numbers::pi_v<float> / kTossPlaces;
  return {kTossRadius * std::sin(angle), 0, kTossRadius * std::cos(angle)};
}

void Festival::set_body(uint32_t body, const Matrix3x4& world_from_model, Vec3 middle) {
  world_from_model_[body] = world_from_model;
  extra_spheres_[body] = {middle, kBodyRadius};  // the bounds of its clips say nothing about its pose
}

sinew::Playback Festival::playback(uint32_t instance, double seconds) const {
  const double own_seconds = seconds * double(speeds_[instance]) + double(random(instance, 6)) * 10;
  const auto layer = [&](uint32_t clip, uint32_t mask = 0) {
    return sinew::Layer{clip, sinew::clip_time(character_.clips[clip], own_seconds, sinew::Looping::kLoop), 1, mask};
  };
  sinew::Playback playback;
  switch (roles_[instance]) {
    case Role::kBody:
      break;
    case Role::kTosser:
      playback.layers[0] = layer(clips_.cheer);
      break;
    case Role::kWalker:
      playback.layers[0] = layer(clips_.walk);
      break;
    case Role::kTorchbearer:
      playback.layers[0] = layer(clips_.walk, walk_mask_);
      if (arm_mask_ != 0) playback.layers[1] = raised_arm(seconds + instance);
      break;
    case Role::kSpectator: {
      const uint32_t choices[] = {clips_.dance, clips_.cheer, clips_.wave, clips_.idle, clips_.dance};
      playback.layers[0] = layer(choices[size_t(random(instance, 7) * 5)]);
      break;
    }
  }
  return playback;
}

/// The arm stays near the middle of the clip, where it is raised.
sinew::Layer Festival::raised_arm(double seconds) const {
  const sinew::Clip& clip = character_.clips[clips_.wave];
  const float middle = (clip.start_seconds + clip.end_seconds) / 2;
  return {clips_.wave, middle + 0.06f * float(std::sin(seconds * 2.1)), 1, arm_mask_};
}

sinew::crowd::Instances Festival::instances() {
  sinew::crowd::Instances instances;
  instances.characters = characters_;
  instances.world_from_model = world_from_model_;
  // A function of the time: a pose that is shown in four frames is evaluated for their middle.
  instances.playback_source = {this, [](void* self, uint32_t instance, double seconds) {
                                 return static_cast<const Festival*>(self)->playback(instance, seconds);
                               }};
  instances.speeds = speeds_;
  instances.host_posed = host_posed_;
  instances.extra_spheres = extra_spheres_;
  return instances;
}

}  // namespace festival
