// A dense field of runners, all in one direction.
#include <algorithm>
#include <cmath>

#include "scene/scenes/placing.h"
#include "scene/scenes/scenes.h"

namespace sinew::app {
namespace {

constexpr float kRunningSpeed = 3;                        // meters per second, of a person
constexpr float kLaneSpacing = 2.2f, kRowSpacing = 4.2f;  // in body widths
constexpr float kLaneJitter = 0.5f, kRowJitter = 0.85f;   // to either side, in body widths
constexpr float kDrift = 0.5f;                            // body widths that a runner gets ahead or falls behind
constexpr float kRowsPerLane = 3;

}  // namespace

void choose_marathon_clips(Model& model) { keep_walking_clip(model, kRunningSpeed); }

Scene make_marathon(std::span<const Model> models, uint32_t count, uint64_t seed) {
  const Walkers walkers = find_walkers(models);
  const std::vector<uint32_t> dealt = deal_models(count, uint32_t(walkers.models.size()), seed);
  const float width = body_width(models), lane_meters = kLaneSpacing * width, row_meters = kRowSpacing * width;
  const uint32_t lanes = std::max(uint32_t(std::lround(std::sqrt(float(count) / kRowsPerLane))), 1u);
  const uint32_t rows = (count + lanes - 1) / lanes;
  const float across = float(lanes - 1) * lane_meters, along = float(rows - 1) * row_meters;
  std::vector<Placed> people;
  people.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t lane = i % lanes, row = i / lanes, model = walkers.models[dealt[i]];
    Random random{mix(seed ^ mix(i))};
    const float stagger = lane % 2 == 0 ? 0 : 0.5f;
    const Vec3 start{float(lane) * lane_meters - across / 2 + width * random.between(-kLaneJitter, kLaneJitter), 0,
                     along / 2 - (float(row) + stagger) * row_meters + width * random.between(-kRowJitter, kRowJitter)};
    Placed& person =
        people.emplace_back(place_walker(models, model, start, random.between(kShortest, kTallest), walkers));
    person.instance.tint = make_tint(models[model], random);
    set_random(random.next(), person.instance);
  }
  Scene scene = gather_walkers(models, people, walkers);
  if (scene.moves()) scene.drift_meters = kDrift * width;
  scene.radius = std::hypot(across, along) / 2 + row_meters;
  const float person = scene.tallest;
  const float inside = std::min(5 * person, along / 2);
  scene.camera = Orbit{{0, 0.6f * person, along / 2 - inside},
                       0.12f,
                       0.28f,
                       4.5f * person + inside / 3 + 0.2f * std::min(across, 16 * person)};
  return scene;
}

}  // namespace sinew::app
