// Two plain scenes: a round crowd that faces all ways, and a grid where every clip of people on their feet is played:
// for figures, and to see each character by itself.
#include <algorithm>
#include <cmath>

#include "scene/names.h"
#include "scene/scenes/placing.h"
#include "scene/scenes/scenes.h"

namespace sinew::app {
namespace {

/// People with random numbers of their own. `place(index, random)` gives where each is.
template <class Place>
Scene scatter(std::span<const Model> models, uint32_t count, uint64_t seed, Place place) {
  const std::vector<uint32_t> dealt = deal_models(count, uint32_t(models.size()), seed);
  std::vector<Placed> people;
  people.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    Random random{mix(seed ^ mix(i))};
    CrowdInstance instance = place(i, random);
    instance.tint = make_tint(models[dealt[i]], random);
    set_random(random.next(), instance);
    instance.speed = random.between(0.9f, 1.1f);
    people.push_back({dealt[i], instance});
  }
  return gather(models, people);
}

/// Meters between neighbors: room for wide models, but not so much that the crowd looks empty.
float spacing_of(std::span<const Model> models) {
  float area = 0;
  for (const Model& model : models) area += std::pow(std::clamp(2.0f * model.radius, 0.95f, 3.2f), 2.0f);
  return std::sqrt(area / float(models.size()));
}

Scene make_stress(std::span<const Model> models, const SceneRequest& request) {
  const auto [count, seed, children] = request;
  const uint32_t columns = uint32_t(std::ceil(std::sqrt(double(count)))), rows = (count + columns - 1) / columns;
  float spacing = 1.4f;  // meters
  for (const Model& model : models) spacing = std::max(spacing, 1.7f * model.radius);
  spacing = std::min(spacing, 3.2f);
  Scene scene = scatter(models, count, seed, [&](uint32_t i, Random&) {
    const float x = float(i % columns) - float(columns - 1) / 2, z = float(rows - 1) / 2 - float(i / columns);
    return place_instance({spacing * x, 0, spacing * z}, 0, 1);
  });
  scene.radius = spacing / 2 * std::hypot(float(columns), float(rows));
  scene.grid_meters = 10;
  return scene;
}

}  // namespace

Scene make_scene(std::span<const Model> models, uint32_t count, uint64_t seed) {
  const float spacing = spacing_of(models), base = Random{mix(seed)}.unit() * 2 * kPi;
  Scene scene = scatter(models, count, seed, [&](uint32_t i, Random& random) {
    Vec3 at = sunflower_position(i, spacing);  // even, but without rows
    at.x += spacing * random.between(-0.22f, 0.22f), at.z += spacing * random.between(-0.22f, 0.22f);
    // Neighbors face roughly the same way, like people who talk.
    const float drift = 1.7f * std::sin(at.x * 0.21f + base) + 1.7f * std::cos(at.z * 0.17f - base * 2);
    const float scale = random.between(kShortest, kTallest);
    return place_instance(at, base + drift + random.between(-0.9f, 0.9f), scale);
  });
  scene.radius = spacing * std::sqrt(float(count) / kPi);
  return scene;
}

SceneKind crowd_scene() {
  return {.name = "crowd",
          .description = "a plain round crowd that faces all ways, with mixed clips, cross-fades and waving arms",
          .choose_clips = [](Model& model) { keep_clips(model, clips_with(model, kGaitWords, false)); },
          .make = [](std::span<const Model> models,
                     const SceneRequest& request) { return make_scene(models, request.count, request.seed); }};
}

SceneKind stress_scene() {
  return {.name = "stress",
          .made_for = 100'000,
          .description = "a plain grid where every clip is played, cross-faded and layered: for figures",
          .looks = " farmer | merchant | swordsman ",
          .choose_clips = [](Model& model) { keep_clips(model, clips_with(model, kSeatedWords, false)); },
          .make = make_stress,
          .tints_armed = false};
}

}  // namespace sinew::app
