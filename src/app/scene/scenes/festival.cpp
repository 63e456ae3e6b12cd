// A feast at dusk: rings of people around a bonfire, lanes between the rings where people stroll, stalls and tents.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "scene/scenes/people.h"
#include "scene/scenes/scenes.h"
#include "scene/scenes/town.h"

namespace sinew::app {
namespace {

enum FestivalAct : uint8_t { kDance, kCheer, kWatch, kStroll, kActs };

constexpr std::string_view kDanceWords[] = {" dance ", " dancing "};
constexpr std::string_view kCheerWords[] = {" cheer ", " cheering ", " wave ", " waving ", " dance ", " clap "};
constexpr std::string_view kWatchWords[] = {" idle ", " clap ", " wave "};

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

Vec3 polar(float radius, float angle) { return {radius * std::sin(angle), 0, radius * std::cos(angle)}; }

/// Everything around the people, for a crowd of about some radius.
struct Ground {
  float stalls, tents, houses;  // meters from the fire
  uint32_t stall_count, tent_count;

  explicit Ground(float crowd) {
    stalls = crowd < kInside ? crowd + 3.6f : 19.9f;
    tents = stalls + (crowd < kInside ? 6.5f : 11.5f);
    houses = std::max(crowd + 5, tents + 4.5f);
    stall_count = std::max(uint32_t(2 * kPi * stalls / (6.6f * kPaths)), 1u) * kPaths;
    tent_count = std::max(uint32_t(2 * kPi * tents / (8.5f * kPaths)), 1u) * kPaths;
  }
  float stall_angle(uint32_t i) const { return 2 * kPi * (float(i) + 0.5f) / float(stall_count); }
  float tent_angle(uint32_t i) const { return 2 * kPi * (float(i) + 0.5f) / float(tent_count); }

  /// Whether people may stand there.
  bool is_free(Vec3 at) const {
    const float radius = std::hypot(at.x, at.z), angle = std::atan2(at.x, at.z);
    const float turn = 2 * kPi / kPaths, from_path = std::remainder(angle, turn);
    if (std::abs(radius * std::sin(from_path)) < kPathWidth / 2) return false;
    for (uint32_t i = 0; lane_of(i).inner < radius; ++i) {
      if (radius < lane_of(i).outer) return false;
    }
    const auto misses = [&](float ring, uint32_t count, float size) {
      if (std::abs(radius - ring) > size) return true;
      const float step = 2 * kPi / float(count);
      return std::hypot(radius - ring, ring * std::remainder(angle - step / 2, step)) > size;
    };
    return misses(stalls, stall_count, kStallRadius + 0.65f) && misses(tents, tent_count, kTentRadius + 0.4f) &&
           misses(kPoles, 2 * kPaths, 0.5f) && misses(kTorches, 2 * kPaths, 0.45f);
  }
};

void add_surroundings(const Ground& ground, float crowd, Random& random, Architecture& town, std::vector<Lamp>& lamps) {
  add_bonfire(town, {}, lamps);
  for (uint32_t i = 0; i < 2 * kPaths; ++i) {
    const float angle = kPi * (float(i) + 0.5f) / kPaths, next = kPi * (float(i) + 1.5f) / kPaths;
    add_torch(town, polar(kTorches, angle), 2.7f, lamps);
    town.move_to(polar(kPoles, angle));
    town.add_cylinder({}, 0.08f, 0.06f, 4.6f, 6, {0.09f, 0.05f, 0.03f});
    const Vec3 up{0, 4.5f, 0};
    add_lanterns(town, polar(kPoles, angle) + up, polar(kPoles, next) + up, 8, 4, lamps);
  }
  for (uint32_t i = 0; i < ground.stall_count; ++i) {
    const float angle = ground.stall_angle(i);
    add_stall(town, polar(ground.stalls, angle), angle + kPi, random);
    if (i % 2 == 0) lamps.push_back({polar(ground.stalls - 0.6f, angle) + Vec3{0, 2, 0}, 5, {1.2f, 0.7f, 0.3f}});
  }
  for (uint32_t i = 0; i < ground.tent_count; ++i)
    add_tent(town, polar(ground.tents, ground.tent_angle(i)), ground.tent_angle(i) + kPi, random);
  for (float ring = ground.tents + 24; ring < std::min(crowd, 130.0f); ring += 20) {
    for (uint32_t i = 0; i < 12; ++i) add_torch(town, polar(ring + 6.4f, kPi * (float(i) + 0.5f) / 6), 3.4f, lamps);
  }
  if (crowd > 160) return;
  for (uint32_t i = 0; i < kPaths * 2; ++i) {
    const float from = kPi * float(i) / kPaths + 0.06f, to = from + kPi / kPaths - 0.1f;
    add_house_row(town, polar(ground.houses, to), polar(ground.houses, from), random, true);
  }
  for (uint32_t i = 0; i < 3 * kPaths * 4; ++i) {
    town.move_to(polar(ground.houses + random.between(10, 30), 2 * kPi * random.unit()));
    town.add_tree(random.between(8, 14), {0.05f, 0.12f, 0.035f}, i % 3 == 0);
  }
}

/// People around the fire who look outward, at it or at each other.
void add_dancers(uint32_t wanted, const std::vector<uint16_t>& roles, People& people) {
  uint32_t left = wanted;
  for (uint32_t ring = 0; ring < std::size(kDanceRings) && left > 0; ++ring) {
    const float radius = kDanceRings[ring];
    const uint32_t places = uint32_t(2 * kPi * radius / 1.25f);
    const uint32_t here = std::min(places, ring + 1 < std::size(kDanceRings) ? std::max(left * 2 / 5, 3u) : left);
    for (uint32_t i = 0; i < here && !people.full(); ++i, --left) {
      Random random{mix(people.random().state ^ 0x64616e6365)};
      const float angle = 2 * kPi * (float(i) + 0.5f * float(ring) + random.between(-0.12f, 0.12f)) / float(here);
      const float heading = angle + (random.unit() < 0.5f ? 0 : kPi) + random.between(-0.7f, 0.7f);
      people.stand(roles[random.unit() < 0.8f ? kDance : kCheer], polar(radius, angle), heading);
    }
  }
}

/// Two files that pass each other.
void add_strollers(const Lane& lane, uint32_t wanted, People& people) {
  for (int side = 0; side < 2; ++side) {
    const float radius = lane.middle() + (side == 0 ? -0.42f : 0.42f), perimeter = 2 * kPi * radius;
    const uint32_t here = std::min((wanted + 1 - uint32_t(side)) / 2, uint32_t(perimeter / 2));
    if (here == 0 || people.full()) continue;
    const uint16_t role = people.add_walk(kStroll, {0, radius}, {}, side == 1, true);
    for (uint32_t i = 0; i < here; ++i) {
      Random random{mix(people.random().state ^ 0x7374726f6c6c)};
      people.walk(role, (float(i) + random.between(-0.2f, 0.2f)) * perimeter / float(here));
    }
  }
}

/// All people without a place yet, and the lanes between them. The radius of the crowd.
float add_spectators(const Ground& ground, const Orbit& camera, uint32_t count, const std::vector<uint16_t>& roles,
                     People& people) {
  const uint32_t first = uint32_t(kPi * kFirstRing * kFirstRing / (kSpacing * kSpacing));
  uint32_t next_lane = 1;
  float radius = kFirstRing;
  for (uint32_t i = first; !people.full(); ++i) {
    Random random{mix(people.random().state ^ mix(i))};
    const Vec3 seed = sunflower_position(i, kSpacing);
    radius = std::hypot(seed.x, seed.z);
    if (radius > lane_of(next_lane).outer) {
      const float share = std::min(1.0f, float(count) * kStrollers / 120);
      add_strollers(lane_of(next_lane), uint32_t(share * 2 * kPi * lane_of(next_lane).middle() / 2), people);
      ++next_lane;
    }
    const Vec3 at = seed + Vec3{random.between(-0.12f, 0.12f), 0, random.between(-0.12f, 0.12f)};
    if (!ground.is_free(at) || crops(camera, at)) continue;
    const float eager = random.unit();
    const uint8_t act = eager < 0.3f ? kDance : eager < 0.68f ? kCheer : kWatch;
    const float toward_fire = std::atan2(-at.x, -at.z);
    const Arms arms = random.unit() < 0.03f ? Arms::kAny : Arms::kNone;
    const uint16_t role = arms == Arms::kAny ? roles[kWatch] : roles[act];
    people.stand(role, at, toward_fire + random.between(-0.6f, 0.6f), {}, arms);
  }
  return radius;
}

/// Above the lane around the dancers: they are near, and those who watch are opposite.
Orbit camera_of(float crowd) {
  const float more = std::clamp(crowd * 0.045f, 0.0f, 5.0f), back = 12.2f + std::min(more, 1.6f);
  return orbit_between({back * std::sin(kCameraYaw), 3.2f + 0.5f * more, back * std::cos(kCameraYaw)},
                       {0.0f, 1.2f - 0.12f * more, 0.0f});
}

}  // namespace

void choose_festival_clips(Model& model) {
  const ActWish wishes[kActs] = {
      {kDanceWords, false}, {kCheerWords, true}, {kWatchWords, true}, {kWalkWords, false, 1.1f}};
  choose_acts(model, wishes);
}

Scene make_festival(std::span<const Model> models, const SceneRequest& request) {
  const auto [count, seed, children] = request;
  People people(models, request);
  const std::vector<uint16_t> roles = {people.add_role({.act = kDance}), people.add_role({.act = kCheer}),
                                       people.add_role({.act = kWatch})};
  const float about = std::sqrt(kFirstRing * kFirstRing + 0.66f * float(count) * kSpacing * kSpacing * 1.5f / kPi);
  const Ground ground(about);
  const Orbit camera = camera_of(about);
  Random random{mix(seed ^ 0x66656173740a)};
  Architecture town(people.scale());
  std::vector<Lamp> lamps;
  add_surroundings(ground, about, random, town, lamps);
  add_dancers(std::min(uint32_t(float(count) * kDancers) + 1, 60u), roles, people);
  add_strollers(lane_of(0), std::min(uint32_t(float(count) * kStrollers), 40u), people);
  const float radius = add_spectators(ground, camera, count, roles, people);
  Scene scene = people.scene(town, lamps);
  scene.light = Light::kDusk;
  scene.radius = radius * people.scale();
  scene.clear_meters = 60 * people.scale();
  scene.camera = camera;
  scene.camera->target *= people.scale(), scene.camera->distance *= people.scale();
  return scene;
}

}  // namespace sinew::app
