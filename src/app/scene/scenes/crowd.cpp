// A round crowd that faces all ways.

#include <algorithm>
#include <cmath>

#include "scene/names.h"
#include "scene/scenes/placing.h"
#include "scene/scenes/scenes.h"

namespace sinew::app {
namespace {

/// Even, but without rows.
Vec3 position_of(uint32_t index, float spacing, Random& random) {
  const Vec3 seed = sunflower_position(index, spacing);
  const float x = seed.x + spacing * random.between(-0.22f, 0.22f);
  return {x, 0, seed.z + spacing * random.between(-0.22f, 0.22f)};
}

/// A heading in radians. Neighbors face roughly the same way, like people who talk; headings vary slowly with position.
float heading_at(Vec3 p, float base_heading, Random& random) {
  const float drift = 1.7f * std::sin(p.x * 0.21f + base_heading) + 1.7f * std::cos(p.z * 0.17f - base_heading * 2);
  return base_heading + drift + random.between(-0.9f, 0.9f);
}

CrowdInstance make_instance(const Model& model, Vec3 position, float base_heading, Random& random) {
  const float scale = random.between(kShortest, kTallest), heading = heading_at(position, base_heading, random);
  CrowdInstance instance = place_instance(position, heading, scale);
  instance.tint = make_tint(model, random);
  set_random(random.next(), instance);
  instance.speed = random.between(0.9f, 1.1f);
  return instance;
}

/// Meters between neighbors: room for wide models, but not so much that the crowd looks empty.
float spacing_of(std::span<const Model> models) {
  float area = 0;
  for (const Model& model : models) area += std::pow(std::clamp(2.0f * model.radius, 0.95f, 3.2f), 2.0f);
  return std::sqrt(area / float(models.size()));
}

}  // namespace

void choose_crowd_clips(Model& model) { drop_named_clips(model, kGaitWords); }

Scene make_crowd(std::span<const Model> models, const SceneRequest& request) {
  return make_scene(models, request.count, request.seed);
}

Scene make_scene(std::span<const Model> models, uint32_t count, uint64_t seed) {
  const float spacing = spacing_of(models), base_heading = Random{mix(seed)}.unit() * 2 * kPi;
  const std::vector<uint32_t> dealt = deal_models(count, uint32_t(models.size()), seed);
  std::vector<Placed> people;
  people.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    Random random{mix(seed ^ mix(i))};
    const Vec3 position = position_of(i, spacing, random);
    people.push_back({dealt[i], make_instance(models[dealt[i]], position, base_heading, random)});
  }
  Scene scene = gather(models, people);
  scene.radius = spacing * std::sqrt(float(count) / kPi);
  return scene;
}

// A plain grid where every clip of people on their feet is played: for figures, and to see each character by itself.

namespace {

constexpr float kMinSpacing = 1.4f, kMaxSpacing = 3.2f;  // meters

float grid_spacing_of(std::span<const Model> models) {
  float spacing = kMinSpacing;
  for (const Model& model : models) spacing = std::max(spacing, 1.7f * model.radius);
  return std::min(spacing, kMaxSpacing);
}

}  // namespace

void choose_stress_clips(Model& model) { drop_named_clips(model, kSeatedWords); }

Scene make_stress(std::span<const Model> models, const SceneRequest& request) {
  const auto [count, seed, children] = request;
  const std::vector<uint32_t> dealt = deal_models(count, uint32_t(models.size()), seed);
  const uint32_t columns = uint32_t(std::ceil(std::sqrt(double(count)))), rows = (count + columns - 1) / columns;
  const float spacing = grid_spacing_of(models);
  std::vector<Placed> people;
  people.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    Random random{mix(seed ^ mix(i))};
    const Vec3 position{spacing * (float(i % columns) - float(columns - 1) / 2), 0,
                        spacing * (float(rows - 1) / 2 - float(i / columns))};
    Placed& person = people.emplace_back(Placed{dealt[i], place_instance(position, 0, 1)});
    person.instance.tint = make_tint(models[dealt[i]], random);
    set_random(random.next(), person.instance);
    person.instance.speed = random.between(0.9f, 1.1f);
  }
  Scene scene = gather(models, people);
  scene.radius = spacing / 2 * std::hypot(float(columns), float(rows));
  scene.grid_meters = 10;
  return scene;
}

}  // namespace sinew::app
