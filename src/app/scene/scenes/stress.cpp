// A plain grid where every clip of people on their feet is played: for figures, and to see each character by itself.
#include <algorithm>
#include <cmath>

#include "scene/clip_names.h"
#include "scene/scenes/placing.h"
#include "scene/scenes/scenes.h"

namespace sinew::app {
namespace {

constexpr float kMinSpacing = 1.4f, kMaxSpacing = 3.2f;  // meters

float spacing_of(std::span<const Model> models) {
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
  const float spacing = spacing_of(models);
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
