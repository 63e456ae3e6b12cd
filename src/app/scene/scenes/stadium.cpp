// A stadium: rows of people on the steps of a stand around a field, or along one side of it, and two teams.
#include <algorithm>
#include <array>
#include <cmath>

#include "scene/clip_motion.h"
#include "scene/names.h"
#include "scene/scenes/people.h"
#include "scene/scenes/stand.h"
#include "scene/scenes/town.h"

namespace sinew::app {
namespace {

enum StadiumAct : uint8_t { kSpectate, kRun, kPlay };
constexpr ActWish kWishes[] = {
    {" idle | cheer | cheering | wave | waving | clap ", true, 0, true}, {kRunWords, false, 2.8f}, {" idle | clap "}};

constexpr float kFilled = 0.93f;                           // share of the seats that are taken
constexpr float kSeatWidth = 1.5f, kStandingWidth = 1.9f;  // of a place, in body widths: standing people wave
constexpr uint32_t kOneSide = 1400;                        // fewer people have a stand along one side only
constexpr float kStraightShare = 0.55f;  // half a straight side of the field, as a share of its radius
constexpr float kOnEdge = 0.17f;         // meters from the edge of the step to the middle of a seated body
constexpr float kMinFieldRadius = 20;    // meters: who runs on smaller circles slips
constexpr uint32_t kTeam = 11;
constexpr uint32_t kWaveParts = 64;
constexpr uint32_t kMaxSeats = 12'000;  // that are built one by one

/// The seat of a model whose spectators play seated clips only.
std::optional<Seat> seat_of(const Model& model) {
  if (model.acts.empty()) return {};
  const std::vector<uint32_t>& clips = model.acts[kSpectate].clips;
  const auto sits = [&](uint32_t clip) { return has_word(model.character.clips[clip].name, kSeatedWords); };
  if (clips.empty() || !std::all_of(clips.begin(), clips.end(), sits)) return {};
  return measure_seat(model, clips.front());
}

/// All places of a stand, row by row, without those in an aisle.
std::vector<StandPlace> places_of(const Stand& stand, float place_meters) {
  std::vector<StandPlace> places;
  for (uint32_t row = 0; row < stand.rows; ++row) {
    const Oval edge = stand.edge_of(row + 1);
    const float length = stand.length_of(edge);
    const auto in_row = uint32_t(length / place_meters);
    for (uint32_t i = 0; i < in_row; ++i) {
      const float meters = (float(i) + 0.5f) * length / float(in_row);
      if (stand.to_aisle(edge, meters) > kHalfAisle + place_meters * 0.4f) places.push_back({row, meters});
    }
  }
  return places;
}

/// The smallest stand for `count` people.
Stand stand_for(uint32_t count, float place_meters, float step_height) {
  Stand stand;
  stand.height = step_height > 0 ? step_height : stand.height;
  stand.seats = step_height > 0;
  stand.one_side = count < kOneSide;
  const float root = std::sqrt(float(count));
  stand.rows =
      stand.one_side ? std::clamp(uint32_t(root * 0.36f), 3u, 14u) : std::clamp(uint32_t(root * 0.2f), 6u, 240u);
  stand.field_radius = kMinFieldRadius, stand.half_straight = stand.one_side ? 2 : kStraightShare * kMinFieldRadius;
  const float wanted = float(count) / kFilled * place_meters;  // meters of all edges
  const auto meters_of = [&] {
    const float length = stand.length_of(stand.edge_of(stand.rows / 2 + 1)) * float(stand.rows);
    return length * (1 - (2 * kHalfAisle + 0.8f * place_meters) / 9);
  };
  const auto grow = [&](float factor) {
    if (stand.one_side) {
      stand.half_straight *= factor;
    } else {
      stand.field_radius *= factor, stand.half_straight = kStraightShare * stand.field_radius;
    }
  };
  while (meters_of() < wanted) grow(1.02f);
  while (float(places_of(stand, place_meters).size()) * kFilled < float(count)) grow(1.02f);
  return stand;
}

/// Who is taller than the seat is made for has the feet a little below the step, and the body as much above the seat.
/// Who is much smaller, a child, sits on it, and the feet hang.
CrowdInstance place_spectator(const std::optional<Seat>& seat, const Stand& stand, const StandPlace& place,
                              float scale) {
  const Oval::Point edge = stand.at(stand.edge_of(place.row + 1), place.meters);
  const float heading = std::atan2(-edge.outward.x, -edge.outward.z);
  Vec3 position = edge.position - edge.outward * (stand.depth / 2);  // in the middle of the step before the edge
  position.y = stand.top_of(place.row);
  if (seat) {
    position = edge.position + edge.outward * (kOnEdge + seat->middle * scale);
    const float above_step = (scale < kShortest ? 1 : 0.5f) * seat->height * (1 - scale);
    position.y = stand.top_of(place.row + 1) - seat->height - seat->feet * scale + above_step;
  }
  return place_instance(position, heading, scale);
}

/// Fans wear the color of their block, most of them.
std::optional<uint8_t> fan_top(float share, Random& random) {
  const float own = random.unit();
  if (own < 0.22f) return {};
  return own < 0.4f ? kCreamTop : seat_color(share).top;
}

void seat_people(const Stand& stand, std::span<const Model> models, std::span<const StandPlace> places,
                 People& people) {
  std::vector<std::optional<Seat>> seats;
  for (const Model& model : models) seats.push_back(seat_of(model));
  std::vector<uint16_t> roles;
  for (uint32_t part = 0; part < kWaveParts; ++part)
    roles.push_back(people.add_role({.act = kSpectate, .wave_at = float(kWaveSeconds) * float(part) / kWaveParts}));
  auto left = uint32_t(places.size());
  for (const StandPlace& place : places) {
    Random random = people.random(mix(left));
    if (random.unit() * float(left--) >= float(people.missing())) continue;  // an empty seat
    const float share = place.meters / stand.length_of(stand.edge_of(place.row + 1));
    StandPlace at = place;
    at.meters += random.between(-0.04f, 0.04f);
    const auto part = std::min(uint32_t(share * kWaveParts), kWaveParts - 1);
    people.place(roles[part], place_spectator(seats[people.next()], stand, at, people.next_scale()),
                 {fan_top(share, random)});
  }
}

/// Of a stand all around.
float camera_x(const Stand& stand) { return 0.85f * stand.half_straight; }

/// Two teams: some run their rounds, a keeper stands in each goal, and the others wait for the ball.
void add_players(const Stand& stand, uint32_t wanted, People& people) {
  constexpr Outfit kKits[] = {{kRedTop, kWhiteTrousers}, {kBlueTop, kDarkTrousers}};
  constexpr float kPlayerScales[] = {1.05f, 0.97f, 1.01f, 1.07f};  // of those who wait
  const Pitch pitch = pitch_of(stand);
  const uint16_t waiting = people.add_role({.act = kPlay});
  const float outer = stand.field_radius - 3.7f;
  for (uint32_t team = 0; team < 2; ++team) {
    const float side = team == 0 ? -1.0f : 1.0f;
    // Of the same straight sides: otherwise the loops would meet at the ends, and the teams run towards each other.
    const float straight = stand.one_side ? std::max(0.75f * pitch.length - outer, 1.0f) : stand.half_straight;
    const Oval loop{straight, outer - 1.8f * float(team)};
    const uint16_t running = people.add_walk(kRun, loop, team == 1);
    // The first of them are on the straight side at -z, at x before the camera.
    const float x = stand.one_side ? -1 : camera_x(stand) - 12;
    const float first =
        0.5f * loop.perimeter() + (team == 0 ? loop.half_straight - x - 4 : x - loop.half_straight - 14);
    for (uint32_t i = 0; i < (wanted + 1 - team) / 2 && !people.full(); ++i) {
      if (i % 4 != 0) {
        people.walk(running, first + 2.9f * float(i) + 0.9f * float(i * 7 % 3), kKits[team], Who::kAthlete);
        continue;
      }
      Vec3 at{side * (pitch.length - 0.8f), 0, 0};  // of the keeper
      if (i > 0)
        at = {side * (2 + 1.5f * float(i)) * pitch.length / 40, 0,
              (float(i) / float(kTeam) - 0.5f) * 0.5f * pitch.width};
      people.place(waiting, place_instance(at, side * -kPi / 2, kPlayerScales[(i / 4 + 2 * team) % 4]), kKits[team],
                   Who::kAthlete);
    }
  }
}

/// Behind the stand of few people.
void add_village(const Stand& stand, uint64_t seed, Architecture& built) {
  Random random{mix(seed ^ 0x76696c6c)};
  const float back = -stand.edge_of(stand.rows + 1).radius;
  built.move_to({});
  const Vec3 green{0, -0.06f, 0}, left{-90, 0, 0}, right{90, 0, 0}, far{0, 0, -70};
  const Vec3 front{0, 0, -stand.field_radius};
  built.add_quad(left + front + green, right + front + green, right + far + green, left + far + green,
                 {0.075f, 0.14f, 0.045f});
  add_house_row(built, {-75, 0, back - 26}, {75, 0, back - 26}, random, false);
  for (uint32_t i = 0; i < 44; ++i) {
    built.move_to({random.between(-75, 75), 0, back - random.between(5, 22)}, random.between(0, kPi));
    built.add_tree(random.between(5, 10), Color{0.06f, 0.17f, 0.03f} * random.between(0.8f, 1.3f), i % 3 == 0);
  }
  built.move_to({});
}

/// Before the stand, so that people fill the picture and players pass.
Orbit camera_of(const Stand& stand) {
  const float highest = stand.top_of(stand.rows);
  if (stand.one_side) {
    const float back = std::clamp(0.9f * stand.half_straight, 10.2f, 12.0f),
                right = std::min(0.5f * stand.half_straight, 5.0f);
    return orbit_between({right, 2.7f + 0.1f * back, -stand.field_radius + back},
                         {-0.3f * right, 0.35f * highest + 0.5f, -stand.field_radius});
  }
  // Before the first row, turned to the stand. In a large place it is in the stand, and turned to the field and the
  // other side.
  const float along = camera_x(stand), size = float(std::min(stand.rows, 24u));
  const float large = std::clamp((float(stand.rows) - 24) / 40, 0.0f, 1.0f), row = 0.42f * large * float(stand.rows);
  const float inward = 1.5f + 2 * large, turn = -0.42f + 0.78f * large;
  // Not so high that the plain behind the stand is seen.
  const float height = stand.wall + 1 + (row + (1 - 0.3f * large) * size) * stand.height;
  const float ahead = 16 + size, z = -stand.field_radius - row * stand.depth + inward;
  return orbit_between({along, height, z}, {along - ahead * std::cos(turn), height - (0.28f - 0.07f * large) * ahead,
                                            z + ahead * std::sin(turn)});
}

Scene make_stadium(std::span<const Model> models, const SceneRequest& request) {
  float step_height = 0;
  for (const Model& model : models) {
    if (const auto seat = seat_of(model)) step_height = std::max(step_height, seat->height);
  }
  const uint32_t players = std::min(request.count / 6, 2 * kTeam), fans = request.count - players;
  const float place_meters = (step_height > 0 ? kSeatWidth : kStandingWidth) * body_width(models);
  const Stand stand = stand_for(fans, place_meters, step_height);
  const Orbit camera = camera_of(stand);
  const std::vector<StandPlace> all = places_of(stand, place_meters);
  std::vector<StandPlace> places = all;
  std::erase_if(places,
                [&](const StandPlace& place) { return crops(camera, place_spectator({}, stand, place, 1).position); });
  if (places.size() < fans) places = all;
  People people(models, request, 1);  // lengths are those of its models
  add_players(stand, players, people);
  seat_people(stand, models, places, people);
  Architecture built;
  add_field(stand, built);
  add_stand(stand, built);
  if (stand.one_side) add_village(stand, request.seed, built);
  if (stand.seats && all.size() <= kMaxSeats) add_seats(stand, all, built);
  const Oval back = stand.edge_of(stand.rows + 1);
  Scene scene = people.scene({.built = built,
                              .radius = back.radius + back.half_straight,
                              .clear_meters = std::max(90.0f, 1.5f * stand.field_radius),
                              .camera = camera});
  for (ModelPlace& place : scene.models) place.shadow_radius = 0;  // they lie on the ground, below the stand
  return scene;
}

void choose_stadium(Model& model) {
  const std::vector<uint32_t> seated = clips_with(model, kSeatedWords);
  const bool sits = std::ranges::any_of(seated, [&](uint32_t clip) { return measure_seat(model, clip).has_value(); });
  auto wishes = std::to_array(kWishes);
  if (sits) wishes[kSpectate].words = kSeatedWords;
  choose_acts(model, wishes);
}

}  // namespace

SceneKind stadium_scene() {
  return {.name = "stadium",
          .characters = 2000,
          .made_for = 50'000,
          .description =
              "a football ground: fans in tiers of seats under a roof, waves that run around them, two teams on the "
              "field",
          .looks = " farmer | merchant | player | runner ",
          .choose_clips = choose_stadium,
          .make = make_stadium,
          .has_children = true};
}

}  // namespace sinew::app
