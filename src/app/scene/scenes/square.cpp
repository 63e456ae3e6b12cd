// A square with groups of people who face each other.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene/clip_names.h"
#include "scene/scenes/placing.h"
#include "scene/scenes/scenes.h"

namespace sinew::app {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr uint32_t kMaxGroup = 6;
constexpr float kShoulderToShoulder = 2.4f;  // between the people of a group, in body widths
constexpr float kBetweenGroups = 2;          // from the people of one group to those of the next, in body widths

/// Of the circle that a group stands on. A single person stands in its middle.
float group_radius(uint32_t size, float width) {
  if (size == 1) return 0;
  return std::max(float(size) * kShoulderToShoulder * width / (2 * kPi), 1.1f * width);
}

}  // namespace

void choose_square_clips(Model& model) {
  drop_named_clips(model, kGaitWords);
  drop_named_clips(model, kSeatedWords);
}

Scene make_square(std::span<const Model> models, uint32_t count, uint64_t seed) {
  const std::vector<uint32_t> dealt = deal_models(count, uint32_t(models.size()), seed);
  const float width = body_width(models);
  const float spacing = 2 * group_radius(kMaxGroup, width) + kBetweenGroups * width;
  std::vector<Placed> people;
  people.reserve(count);
  uint32_t group = 0;
  for (; people.size() < count; ++group) {
    Random random{mix(seed ^ mix(group))};
    const uint32_t size = 1 + uint32_t(random.next() % kMaxGroup);
    const float radius = group_radius(size, width), turn = random.between(0, 2 * kPi);
    for (uint32_t i = 0; i < size && people.size() < count; ++i) {
      const uint32_t model = dealt[people.size()];
      const float angle = turn + 2 * kPi * float(i) / float(size);
      const Vec3 position =
          sunflower_position(group, spacing) + Vec3{radius * std::sin(angle), 0, radius * std::cos(angle)};
      const float heading = angle + kPi + random.between(-0.35f, 0.35f), scale = random.between(kShortest, kTallest);
      Placed& person = people.emplace_back(Placed{model, place_instance(position, heading, scale)});
      person.instance.tint = make_tint(models[model], random);
      set_random(random.next(), person.instance);
      person.instance.speed = random.between(0.9f, 1.1f);
    }
  }
  Scene scene = gather(models, people);
  scene.radius = spacing * std::sqrt(float(group) / kPi);
  return scene;
}

}  // namespace sinew::app
