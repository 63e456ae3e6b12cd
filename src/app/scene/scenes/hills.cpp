// People on rolling ground: they walk on paths around the middle, stand on the slopes, and follow a balloon.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene/footing.h"
#include "scene/footprints.h"
#include "scene/gait.h"
#include "scene/moving.h"
#include "scene/scenes/meadow.h"
#include "scene/scenes/people.h"
#include "scene/scenes/scenes.h"

namespace sinew::app {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;
enum HillsAct : uint8_t { kWatch, kGreet, kStroll, kActs };

constexpr std::string_view kWatchWords[] = {" idle "}, kGreetWords[] = {" idle ", " wave "};
constexpr std::string_view kWalkWords[] = {" walk ", " walking "};
constexpr float kWalkingSpeed = 1.1f;  // meters per second
constexpr uint32_t kNearPeople = 100;  // whose feet are on the ground
constexpr float kFiles = 0.5f;         // meters from the middle of a path to its files
constexpr float kHalfPath = 0.95f;
constexpr float kFirstPath = 7.6f, kStraight = 2.5f, kPathStep = 14.5f;  // meters
constexpr float kSpacing = 1.7f, kJitter = 0.3f;                         // of people who do not walk
constexpr float kStep = 2.1f;                                            // meters between two who walk, at least
constexpr float kStrollers = 0.5f;                                       // share of a small crowd
constexpr float kGreeters = 0.22f;              // share of people who do not walk: they wave now and then
constexpr float kEye = 15.6f, kEyeYaw = 0.62f;  // meters from the middle, radians
constexpr float kAboveGround = 1.9f;            // meters, of the eye
constexpr float kBeforeEye = 4.5f;              // meters that are free

Path path_at(uint32_t index) { return {{kStraight, kFirstPath + kPathStep * float(index)}, kHalfPath}; }

/// The paths of a crowd of a radius, or a little more.
std::vector<Path> paths_within(float radius) {
  std::vector<Path> paths{path_at(0), path_at(1)};
  while (paths.back().loop.radius < radius) paths.push_back(path_at(uint32_t(paths.size())));
  return paths;
}

Vec3 eye_on(const Terrain& terrain) {
  return terrain.ground(kEye * std::sin(kEyeYaw), kEye * std::cos(kEyeYaw)) + Vec3{0, kAboveGround, 0};
}

Orbit camera_on(const Terrain& terrain) {
  const Vec3 eye = eye_on(terrain), target = terrain.ground(0, 0) + Vec3{0, 1.6f, 0};
  return orbit_between({eye.x, eye.y, eye.z}, {target.x, target.y, target.z});
}

/// Two files that pass each other.
void add_strollers(const Path& path, uint32_t wanted, People& people) {
  for (int side = 0; side < 2; ++side) {
    const Oval loop{path.loop.half_straight, path.loop.radius + (side == 0 ? -kFiles : kFiles)};
    const float perimeter = loop.perimeter();
    const uint32_t here = std::min((wanted + 1 - uint32_t(side)) / 2, uint32_t(perimeter / kStep));
    if (here == 0 || people.full()) continue;
    const uint16_t role = people.add_walk(kStroll, loop, {}, side == 1);
    for (uint32_t i = 0; i < here; ++i) {
      Random random{mix(people.random().state ^ 0x7374726f6c6c)};
      people.walk(role, (float(i) + random.between(-0.2f, 0.2f)) * perimeter / float(here));
    }
  }
}

/// Where someone may stand.
struct Places {
  const Terrain& terrain;
  std::span<const Tree> trees;
  Orbit camera;

  bool are_free(Vec3 at, std::span<const Path> paths) const {
    const glm::vec3 eye = eye_of(camera);
    if (std::hypot(at.x - eye.x, at.z - eye.z) < kBeforeEye || crops(camera, at)) return false;
    if (std::ranges::any_of(trees,
                            [&](const Tree& tree) { return std::hypot(at.x - tree.at.x, at.z - tree.at.z) < 1; }))
      return false;
    return std::ranges::none_of(
        paths, [&](const Path& path) { return distance_to(path, at.x, at.z) < path.half_width + 0.45f; });
  }
};

/// Of people who do not walk.
struct Roles {
  uint16_t watch = 0, greet = 0;
};

/// All people without a place yet, and those on the paths between them. The radius of the crowd.
float add_watchers(const Places& places, uint32_t count, const Roles& roles, std::vector<Path>& paths, People& people) {
  uint32_t next_path = 1;
  float radius = kFirstPath + kStraight;
  for (uint32_t i = 0; !people.full(); ++i) {
    Random random{mix(people.random().state ^ mix(i))};
    const Vec3 seed = sunflower_position(i, kSpacing);
    const float away = std::hypot(seed.x, seed.z);
    radius = std::max(radius, away);
    if (next_path >= paths.size()) paths.push_back(path_at(next_path));
    if (away > paths[next_path].loop.radius) {
      const float share = std::min(1.0f, float(count) * kStrollers / 200);
      add_strollers(paths[next_path], uint32_t(share * 2 * paths[next_path].loop.perimeter() / kStep), people);
      ++next_path;
    }
    const Vec3 at = seed + Vec3{random.between(-kJitter, kJitter), 0, random.between(-kJitter, kJitter)};
    if (!places.are_free(places.terrain.ground(at.x, at.z), paths)) continue;
    const float heading = random.between(-kPi, kPi);
    people.stand(random.unit() < kGreeters ? roles.greet : roles.watch, at, heading);
  }
  return radius;
}

/// Puts all on the ground at scene time 0. Who walks has as much room on the ground as on the loop.
void put_on_ground(Scene& scene) {
  for (const Role& role : scene.roles) scene.ways.emplace_back(*scene.terrain, role.loop, role.center);
  for (uint32_t i = 0; i < scene.count(); ++i) {
    Vec3& position = scene.positions[i];
    position.y = scene.terrain->height(position.x, position.z);
    const uint16_t role = scene.role_of[i];
    if (scene.moves(i))
      scene.looks[i].start *= float(scene.ways[role].perimeter()) / scene.roles[role].loop.perimeter();
  }
  move_scene(0, {}, scene);
}

}  // namespace

void choose_hills_clips(Model& model) {
  const ActWish wishes[kActs] = {{kWatchWords, true}, {kGreetWords, true}, {kWalkWords, false, kWalkingSpeed}};
  choose_acts(model, wishes);
  model.chains = walking_chains(model.character);
  const Act* stroll = model.acts.size() > kStroll ? &model.acts[kStroll] : nullptr;
  if (!stroll || !stroll->walk) return;
  model.gait = gait_of(model, stroll->clips.front());
  model.steps = steps_of(model, stroll->clips.front());
}

Scene make_hills(std::span<const Model> models, const SceneRequest& request) {
  const auto [count, seed, children] = request;
  People people(models, request);
  const float scale = people.scale();
  const Terrain terrain;
  const Orbit camera = camera_on(terrain);
  const Roles roles{people.add_role({.act = kWatch}), people.add_role({.act = kGreet})};
  std::vector<Path> paths = paths_within(kSpacing * std::sqrt(float(count) / kPi) * 1.3f);
  const std::vector<Tree> trees = plant_trees(terrain, paths, eye_on(terrain), seed);
  add_strollers(paths[0], uint32_t(float(count) * kStrollers), people);
  const float radius = add_watchers({terrain, trees, camera}, count, roles, paths, people);
  Architecture built(scale);
  built.vary(0.08f);
  add_plants(terrain, paths, trees, seed, built);
  Scene scene = people.scene(built);
  add_ground(terrain, paths, scale, scene.stands);
  for (const StandVertex& vertex : scene.stands) scene.highest_stand = std::max(scene.highest_stand, vertex.position.y);
  scene.terrain.emplace(scale);
  put_on_ground(scene);
  scene.balloon = make_balloon(scale);
  scene.near_people = kNearPeople;
  for (ModelPlace& place : scene.models) place.shadow_radius = 0;  // it would be on a plane
  scene.radius = radius * scale;
  scene.clear_meters = 90 * scale;
  scene.camera = camera;
  scene.camera->target *= scale, scene.camera->distance *= scale;
  return scene;
}

}  // namespace sinew::app
