#include "scene/gait.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <variant>

#include "scene/exact_poses.h"
#include "scene/moving.h"
#include "sinew/animation/pose.h"

namespace sinew::app {
namespace {

constexpr float kMaxLowered = 0.4f;     // of the reach of a leg
constexpr float kSoftMinimum = 0.035f;  // likewise: what lowers sets in and ends softly
constexpr uint32_t kSamplesPerSecond = 60;
constexpr double kStepSeconds = 0.045;         // between the moments that are looked at
constexpr float kWeights[] = {1, 2, 3, 2, 1};  // of the mean
constexpr int kMoments = 4;                    // before and after: two of the mean, and two of the largest

/// Never above the smaller one, and smooth.
float soft_minimum(float a, float b, float width) {
  const float share = std::max(width - std::abs(a - b), 0.0f) / width;
  return std::min(a, b) - share * share * width / 4;
}

AnkleGoal goal_on(const Terrain& terrain, Vec3 at, float height) {
  const Vec3 normal = terrain.normal(at.x, at.z);
  return {terrain.ground(at.x, at.z) + normal * height, normal};
}

Vec3 mix(Vec3 a, Vec3 b, float share) { return a + (b - a) * share; }

/// What the two legs of a walker need at a time.
float lowering_at(const Model& model, const Scene& scene, uint32_t instance, double seconds) {
  const Gait& gait = model.gait;
  const Clip& clip = model.character.clips[model.acts[scene.roles[scene.role_of[instance]].act].clips.front()];
  const double played = clip_seconds_at(scene.pace(instance), seconds);
  const float in_clip = clip_time(clip, played, Looping::kLoop) - clip.start_seconds;
  const float at = in_clip / clip.duration_seconds() * float(gait.samples.size() - 1);
  const auto index = std::min(size_t(at), gait.samples.size() - 2);
  const float share = at - float(index), scale = scene.looks[instance].turn.scale();
  const double way = way_of(scene, instance, seconds);
  const Place place = place_on_way(scene, scene.role_of[instance], way);
  const Turn turn{place.along.z * scale, place.along.x * scale};
  float raised[2];
  for (size_t leg = 0; leg < 2; ++leg) {
    const Gait::Leg &before = gait.samples[index][leg], &after = gait.samples[index + 1][leg];
    const Vec3 hip = place.position + turn(mix(before.hip, after.hip, share));
    const AnkleGoal goal = walking_goal(scene, instance, way, mix(before.ankle, after.ankle, share));
    raised[leg] = max_raised(hip, goal.position, gait.reach[leg] * scale);
  }
  return lowering(raised, gait.reach[0] * scale);
}

}  // namespace

AnkleGoal standing_goal(const Scene& scene, uint32_t instance, Vec3 upright) {
  const Turn turn = scene.looks[instance].turn;
  return goal_on(*scene.terrain, scene.positions[instance] + turn(upright), upright.y * turn.scale());
}

AnkleGoal walking_goal(const Scene& scene, uint32_t instance, double way, Vec3 upright) {
  const float scale = scene.looks[instance].turn.scale();
  const Place place = place_on_way(scene, scene.role_of[instance], way + double(upright.z * scale));
  const Vec3 right{place.along.z, 0, -place.along.x};
  return goal_on(*scene.terrain, place.position + right * (upright.x * scale), upright.y * scale);
}

float max_raised(Vec3 hip, Vec3 goal, float reach) {
  const float across = std::hypot(goal.x - hip.x, goal.z - hip.z);
  const float raised = goal.y + std::sqrt(std::max(reach * reach - across * across, 0.0f)) - hip.y;
  return std::max(raised, -kMaxLowered * reach);
}

float lowering(std::span<const float> raised, float reach) {
  float least = 0;
  for (const float one : raised) least = soft_minimum(least, one, kSoftMinimum * reach);
  return -least;
}

Legs legs_of(const Model& model) {
  Legs legs;
  for (uint32_t chain = 0; chain < model.chains.size() && legs.count < std::size(legs.chains); ++chain) {
    if (std::holds_alternative<TwoBoneChain>(model.chains[chain].kind)) legs.chains[legs.count++] = chain;
  }
  return legs;
}

float reach_share(const TwoBoneChain& chain) { return chain.reach * (1 - chain.soft); }

Gait gait_of(const Model& model, uint32_t index) {
  const Legs legs = legs_of(model);
  if (legs.count != 2) return {};
  const Clip& clip = model.character.clips[index];
  const auto steps = std::max(uint32_t(std::ceil(clip.duration_seconds() * kSamplesPerSecond)), 1u);
  Gait gait;
  EvaluationScratch scratch;
  std::vector<Matrix3x4> palette(model.character.skin.palette_size());
  for (uint32_t i = 0; i <= steps; ++i) {
    Playback playback;
    playback.layers[0] = {index, clip.start_seconds + clip.duration_seconds() * float(i) / float(steps), 1};
    evaluate_exact_or_throw(model.character, {&playback, 1}, uint32_t(palette.size()), palette, scratch);
    const auto place = [&](uint32_t joint) {
      const auto& m = scratch.model_from_joint[joint].m;
      return transform_point(model.world_from_model, Vec3{float(m[0][3]), float(m[1][3]), float(m[2][3])});
    };
    auto& sample = gait.samples.emplace_back();
    for (size_t leg = 0; leg < 2; ++leg) {
      const auto& chain = std::get<TwoBoneChain>(model.chains[legs.chains[leg]].kind);
      sample[leg] = {place(chain.upper), place(chain.end)};
      const float bones =
          length(place(chain.middle) - place(chain.upper)) + length(place(chain.end) - place(chain.middle));
      gait.reach[leg] = bones * reach_share(chain);
    }
  }
  return gait;
}

float walking_lowering(const Model& model, const Scene& scene, uint32_t instance, double seconds) {
  float needed[2 * kMoments + 1];
  for (int i = -kMoments; i <= kMoments; ++i)
    needed[i + kMoments] = lowering_at(model, scene, instance, seconds + i * kStepSeconds);
  // The mean of the largest of five: each of those is at least what is needed now.
  float sum = 0, weights = 0;
  for (size_t i = 0; i < std::size(kWeights); ++i) {
    sum += kWeights[i] * *std::max_element(needed + i, needed + i + 5);
    weights += kWeights[i];
  }
  return sum / weights;
}

}  // namespace sinew::app
