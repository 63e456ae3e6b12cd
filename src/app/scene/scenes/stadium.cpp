// A stadium: rows of people on the steps of a stand around a field.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene/clip_names.h"
#include "scene/scenes/placing.h"
#include "scene/scenes/scenes.h"
#include "scene/scenes/seat.h"
#include "scene/scenes/stand.h"

namespace sinew::app {
namespace {

constexpr std::string_view kSpectators[] = {" idle ", " cheer ", " cheering ", " wave ", " waving ", " clap "};
constexpr float kFilled = 0.94f;                           // share of the seats that are taken
constexpr float kSeatWidth = 1.5f, kStandingWidth = 1.9f;  // of a place, in body widths: standing people wave
constexpr float kRowsPerRoot = 0.32f;                      // rows of people, for the square root of their number
constexpr uint32_t kMinRows = 4, kMaxRows = 80;
constexpr float kStraightShare = 0.55f;  // half a straight side of the field, as a share of its radius
constexpr float kOnEdge = 0.17f;         // meters from the edge of the step to the middle of a seated body
constexpr float kMinFieldRadius = 3;     // meters

/// The seat of a model that plays seated clips only.
std::optional<Seat> seat_of(const Model& model) {
  if (model.clips.empty()) return {};
  const auto sits = [&](uint32_t clip) { return has_word(model.character.clips[clip].name, kSeatedWords); };
  if (!std::all_of(model.clips.begin(), model.clips.end(), sits)) return {};
  return measure_seat(model, model.clips.front());
}

uint32_t seats_in(const Stand& stand, uint32_t row, float place_meters) {
  return uint32_t(stand.edge_of(row + 1).perimeter() / place_meters);
}

uint32_t seats_in(const Stand& stand, float place_meters) {
  uint32_t seats = 0;
  for (uint32_t row = 0; row < stand.rows; ++row) seats += seats_in(stand, row, place_meters);
  return seats;
}

/// The smallest stand for `count` people.
Stand stand_for(uint32_t count, float place_meters, float step_height) {
  Stand stand;
  stand.height = step_height;
  stand.rows = std::clamp(uint32_t(std::lround(std::sqrt(float(count)) * kRowsPerRoot)), kMinRows, kMaxRows);
  stand.field_radius = kMinFieldRadius;
  for (;;) {
    stand.half_straight = kStraightShare * stand.field_radius;
    if (float(seats_in(stand, place_meters)) * kFilled >= float(count)) return stand;
    stand.field_radius *= 1.02f;
  }
}

CrowdInstance place_spectator(const std::optional<Seat>& seat, const Stand& stand, uint32_t row, float meters) {
  const Oval::Point edge = stand.edge_of(row + 1).at(meters);
  const float heading = std::atan2(-edge.outward.x, -edge.outward.z);
  Vec3 position = edge.position - edge.outward * (stand.depth / 2);  // in the middle of the step before the edge
  position.y = stand.top_of(row);
  if (seat) {
    position = edge.position + edge.outward * (kOnEdge + seat->middle);
    position.y = stand.top_of(row + 1) - seat->height - seat->feet;
  }
  return place_instance(position, heading, 1);
}

/// Where a ray from the middle of an oval leaves it, at `yaw` from z towards x.
float leaves_at(const Oval& oval, float yaw) {
  const float x = std::abs(std::sin(yaw)), z = std::abs(std::cos(yaw));
  if (oval.radius * x <= oval.half_straight * z) return oval.radius / z;  // through a straight side
  const float along = x * oval.half_straight, across = z * oval.half_straight;
  return along + std::sqrt(oval.radius * oval.radius - across * across);
}

/// From the field of a small stadium, at those opposite; from among the people of a large one, over all of it.
Orbit camera_of(const Stand& stand, float yaw) {
  constexpr float kSmallField = 15, kAbove = 2.5f;  // meters; above the people around the camera
  constexpr float kRow = 0.85f, kTarget = 0.15f;    // of all rows; share of the stand's height
  const float highest = stand.top_of(stand.rows);
  if (stand.field_radius < kSmallField) return {{0, 0.55f * highest, 0}, yaw, 0.06f, 0.6f * stand.field_radius};
  const auto row = uint32_t(kRow * float(stand.rows));
  const float flat = leaves_at(stand.edge_of(row), yaw), up = stand.top_of(row) + kAbove - kTarget * highest;
  return {{0, kTarget * highest, 0}, yaw, std::atan2(up, flat), std::hypot(up, flat)};
}

/// Looks at the people from the other side of the field: in the light of the sun, or where they are only on one side.
float camera_yaw(std::span<const Placed> people, float radius) {
  constexpr float kSunny = 0.35f, kOneSide = 0.3f;  // radians; share of the radius
  Vec3 mean;
  for (const Placed& person : people) mean = mean + person.instance.position * (1 / float(people.size()));
  return std::hypot(mean.x, mean.z) < kOneSide * radius ? kSunny : std::atan2(-mean.x, -mean.z);
}

}  // namespace

void choose_stadium_clips(Model& model) {
  const bool sits = std::any_of(model.clips.begin(), model.clips.end(), [&](uint32_t clip) {
    return has_word(model.character.clips[clip].name, kSeatedWords) && measure_seat(model, clip);
  });
  keep_named_clips(model, sits ? std::span(kSeatedWords) : std::span<const std::string_view>(kSpectators));
}

Scene make_stadium(std::span<const Model> models, uint32_t count, uint64_t seed) {
  std::vector<std::optional<Seat>> seats;
  float step_height = 0;
  for (const Model& model : models) {
    seats.push_back(seat_of(model));
    if (seats.back()) step_height = std::max(step_height, seats.back()->height);
  }
  const float place_meters = (step_height > 0 ? kSeatWidth : kStandingWidth) * body_width(models);
  const Stand stand = stand_for(count, place_meters, step_height > 0 ? step_height : Stand().height);
  const std::vector<uint32_t> dealt = deal_models(count, uint32_t(models.size()), seed);
  std::vector<Placed> people;
  people.reserve(count);
  uint32_t left = seats_in(stand, place_meters);
  for (uint32_t row = 0; row < stand.rows; ++row) {
    const uint32_t places = seats_in(stand, row, place_meters);
    const float place = stand.edge_of(row + 1).perimeter() / float(places);
    for (uint32_t i = 0; i < places; ++i, --left) {
      Random random{mix(seed ^ mix(left))};
      if (random.unit() * float(left) >= float(count - people.size())) continue;  // an empty seat
      const uint32_t model = dealt[people.size()];
      const float meters = (float(i) + 0.5f + random.between(-0.08f, 0.08f)) * place;
      Placed& person = people.emplace_back(Placed{model, place_spectator(seats[model], stand, row, meters)});
      person.instance.tint = make_tint(models[model], random);
      set_random(random.next(), person.instance);
      person.instance.speed = random.between(0.9f, 1.1f);
    }
  }
  Scene scene = gather(models, people);
  for (ModelPlace& place : scene.models) place.shadow_radius = 0;  // they lie on the ground, below the stand
  scene.stands = build_stand(stand);
  scene.highest_stand = stand.top_of(stand.rows);
  const Oval back = stand.edge_of(stand.rows + 1);
  scene.radius = back.radius + back.half_straight;
  scene.camera = camera_of(stand, camera_yaw(people, stand.field_radius));
  return scene;
}

}  // namespace sinew::app
