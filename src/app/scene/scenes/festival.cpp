// A feast at dusk: rings of people around a bonfire, lanes between the rings where people stroll, stalls and tents.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "scene/scenes/people.h"
#include "scene/scenes/town.h"

namespace sinew::app {
namespace {

enum FestivalAct : uint8_t { kDance, kCheer, kWatch, kStroll };
constexpr ActWish kWishes[] = {{" dance | dancing ", false},
                               {" cheer | cheering | wave | waving | dance | clap "},
                               {" idle | clap | wave "},
                               {kWalkWords, false, 1.1f}};

constexpr float kDanceRings[] = {4.0f, 5.2f, 6.4f};    // meters, of the people around the fire
constexpr float kDancers = 0.34f, kStrollers = 0.12f;  // shares of a small crowd
constexpr float kFirstRing = 9.7f;                     // meters: where those who watch begin
constexpr float kSpacing = 0.98f;
constexpr uint32_t kPaths = 6;  // from the lanes outward
constexpr float kPathWidth = 1.9f;
constexpr float kTorches = 9.25f, kPoles = 14.7f;  // meters from the fire
constexpr float kInside = 17;                      // a larger crowd has the stalls in it
constexpr float kCameraYaw = kPi / 6;              // between two torches

struct Lane {
  float inner = 0, outer = 0;

  float middle() const { return (inner + outer) / 2; }
};

/// Lane by lane, outward.
Lane lane_of(uint32_t index) {
  constexpr Lane kFirst[] = {{7.1f, 8.9f}, {15.2f, 17.2f}, {26, 28.2f}};
  if (index < std::size(kFirst)) return kFirst[index];
  const float inner = 44 + 20 * float(index - std::size(kFirst));
  return {inner, inner + 2.4f};
}

/// Things of one size that stand around the fire, half a step beside the paths.
struct Ring {
  float radius = 1;  // meters
  uint32_t count = 1;
  float size = 1;  // people stand further from the middle of one

  float angle(uint32_t index) const { return 2 * kPi * (float(index) + 0.5f) / float(count); }
  Vec3 at(uint32_t index) const { return polar(radius, angle(index)); }
  bool is_free(float from_fire, float at_angle) const {
    if (std::abs(from_fire - radius) > size) return true;
    const float step = 2 * kPi / float(count);
    return std::hypot(from_fire - radius, radius * std::remainder(at_angle - step / 2, step)) > size;
  }
};

/// Everything around the people, for a crowd of about some radius.
struct Ground {
  float crowd;
  Ring torches{kTorches, 2 * kPaths, 0.45f}, poles{kPoles, 2 * kPaths, 0.5f}, stalls, tents;
  float houses;  // meters from the fire

  explicit Ground(float about) : crowd(about) {
    const auto ring = [](float radius, float step, float size) {
      return Ring{radius, std::max(uint32_t(2 * kPi * radius / (step * kPaths)), 1u) * kPaths, size};
    };
    stalls = ring(crowd < kInside ? crowd + 3.6f : 19.9f, 6.6f, kStallRadius + 0.65f);
    tents = ring(stalls.radius + (crowd < kInside ? 6.5f : 11.5f), 8.5f, kTentRadius + 0.4f);
    houses = std::max(crowd + 5, tents.radius + 4.5f);
  }
  /// Whether people may stand there.
  bool is_free(Vec3 at) const {
    const float radius = std::hypot(at.x, at.z), angle = std::atan2(at.x, at.z);
    if (std::abs(radius * std::sin(std::remainder(angle, 2 * kPi / kPaths))) < kPathWidth / 2) return false;
    for (uint32_t i = 0; lane_of(i).inner < radius; ++i) {
      if (radius < lane_of(i).outer) return false;
    }
    return stalls.is_free(radius, angle) && tents.is_free(radius, angle) && poles.is_free(radius, angle) &&
           torches.is_free(radius, angle);
  }
};

void add_surroundings(const Ground& ground, Random& random, Architecture& town, std::vector<Lamp>& lamps) {
  const auto [crowd, torches, poles, stalls, tents, houses] = ground;
  add_bonfire(town, {}, lamps);
  for (uint32_t i = 0; i < poles.count; ++i) {
    add_torch(town, torches.at(i), 2.7f, lamps);
    town.move_to(poles.at(i));
    town.add_cylinder({}, 0.08f, 0.06f, 4.6f, 6, {0.09f, 0.05f, 0.03f});
    const Vec3 up{0, 4.5f, 0};
    add_lanterns(town, poles.at(i) + up, poles.at(i + 1) + up, 8, 4, lamps);
  }
  for (uint32_t i = 0; i < stalls.count; ++i) {
    add_stall(town, stalls.at(i), stalls.angle(i) + kPi, random);
    if (i % 2 == 0) lamps.push_back({polar(stalls.radius - 0.6f, stalls.angle(i), 2), 5, {1.2f, 0.7f, 0.3f}});
  }
  for (uint32_t i = 0; i < tents.count; ++i) add_tent(town, tents.at(i), tents.angle(i) + kPi, random);
  for (float far = tents.radius + 30.4f; far < std::min(crowd, 130.0f) + 6.4f; far += 20) {
    for (uint32_t i = 0; i < 12; ++i) add_torch(town, Ring{far, 12}.at(i), 3.4f, lamps);
  }
  if (crowd > 160) return;
  for (uint32_t i = 0; i < 2 * kPaths; ++i) {
    const float from = kPi * float(i) / kPaths + 0.06f, to = from + kPi / kPaths - 0.1f;
    add_house_row(town, polar(houses, to), polar(houses, from), random, true);
  }
  for (uint32_t i = 0; i < 12 * kPaths; ++i) {
    const float angle = 2 * kPi * random.unit();
    town.move_to(polar(houses + random.between(10, 30), angle));
    town.add_tree(random.between(8, 14), {0.05f, 0.12f, 0.035f}, i % 3 == 0);
  }
}

/// People around the fire who look outward, at it or at each other.
void add_dancers(uint32_t left, People& people) {
  for (uint32_t ring = 0; ring < std::size(kDanceRings) && left > 0; ++ring) {
    const float radius = kDanceRings[ring];
    const bool is_last = ring + 1 == std::size(kDanceRings);
    const uint32_t here = std::min(uint32_t(2 * kPi * radius / 1.25f), is_last ? left : std::max(left * 2 / 5, 3u));
    for (uint32_t i = 0; i < here && !people.full(); ++i, --left) {
      Random random = people.random(0x64616e6365);
      const float angle = 2 * kPi * (float(i) + 0.5f * float(ring) + random.between(-0.12f, 0.12f)) / float(here);
      const float heading = angle + (random.unit() < 0.5f ? 0 : kPi) + random.between(-0.7f, 0.7f);
      people.stand(random.unit() < 0.8f ? kDance : kCheer, polar(radius, angle), heading);
    }
  }
}

void add_strollers(const Lane& lane, uint32_t wanted, People& people) {
  people.pass_each_other(kStroll, {.loop = {0, lane.middle()}, .wanted = wanted, .with_children = true}, 0.42f);
}

/// All people without a place yet, and the lanes between them. The radius of the crowd.
float add_spectators(const Ground& ground, const Orbit& camera, uint32_t count, People& people) {
  uint32_t next_lane = 1;
  float radius = kFirstRing;
  for (auto i = uint32_t(kPi * kFirstRing * kFirstRing / (kSpacing * kSpacing)); !people.full(); ++i) {
    Random random = people.random(mix(i));
    const Vec3 seed = sunflower_position(i, kSpacing);
    radius = std::hypot(seed.x, seed.z);
    if (const Lane lane = lane_of(next_lane); radius > lane.outer) {
      const float share = std::min(1.0f, float(count) * kStrollers / 120);
      add_strollers(lane, uint32_t(share * 2 * kPi * lane.middle() / 2), people);
      ++next_lane;
    }
    const float x = random.between(-0.12f, 0.12f);
    const Vec3 at = seed + Vec3{x, 0, random.between(-0.12f, 0.12f)};
    if (!ground.is_free(at) || crops(camera, at)) continue;
    const float eager = random.unit();
    const bool may_be_armed = random.unit() < 0.03f;
    const uint16_t role = may_be_armed || eager >= 0.68f ? kWatch : eager < 0.3f ? kDance : kCheer;
    people.stand(role, at, std::atan2(-at.x, -at.z) + random.between(-0.6f, 0.6f), {},
                 may_be_armed ? Who::kAnyone : Who::kTownsfolk);
  }
  return radius;
}

/// Above the lane around the dancers: they are near, and those who watch are opposite.
Orbit camera_of(float crowd) {
  const float more = std::clamp(crowd * 0.045f, 0.0f, 5.0f), back = 12.2f + std::min(more, 1.6f);
  return orbit_between({back * std::sin(kCameraYaw), 3.2f + 0.5f * more, back * std::cos(kCameraYaw)},
                       {0.0f, 1.2f - 0.12f * more, 0.0f});
}

Scene make_festival(std::span<const Model> models, const SceneRequest& request) {
  const uint32_t count = request.count;
  People people(models, request);
  for (const uint8_t act : {kDance, kCheer, kWatch}) people.add_role({.act = act});  // the role has the act's number
  const float about = std::sqrt(kFirstRing * kFirstRing + 0.66f * float(count) * kSpacing * kSpacing * 1.5f / kPi);
  const Ground ground(about);
  const Orbit camera = camera_of(about);
  Random random{mix(request.seed ^ 0x66656173740a)};
  Architecture town(people.scale());
  std::vector<Lamp> lamps;
  add_surroundings(ground, random, town, lamps);
  add_dancers(std::min(uint32_t(float(count) * kDancers) + 1, 60u), people);
  add_strollers(lane_of(0), std::min(uint32_t(float(count) * kStrollers), 40u), people);
  const float radius = add_spectators(ground, camera, count, people);
  Scene scene = people.scene({.built = town, .radius = radius, .clear_meters = 60, .camera = camera, .lamps = lamps});
  scene.light = Light::kDusk;
  return scene;
}

}  // namespace

SceneKind festival_scene() {
  return {.name = "festival",
          .made_for = 20'000,
          .description =
              "a feast at dusk around a bonfire: rings of people who dance, cheer, watch and stroll by torches "
              "and lanterns",
          .looks = " farmer | merchant | swordsman | weaver ",
          .choose_clips = [](Model& model) { choose_acts(model, kWishes); },
          .make = make_festival,
          .has_children = true};
}

}  // namespace sinew::app
