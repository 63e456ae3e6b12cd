// People on rolling ground: they walk on paths around the middle, stand on the slopes, and follow a balloon.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "scene/footing.h"
#include "scene/moving.h"
#include "scene/scenes/people.h"
#include "scene/terrain.h"

namespace sinew::app {
namespace {

// What is drawn of rolling ground: grass with paths, flowers, stones and trees; and the balloon above it.

struct Tree {
  Vec3 at;
  float height = 6;
};

// Meters. The ground is made of rings around the middle.
constexpr uint32_t kSectors = 256;
constexpr float kRing = 0.28f;  // from one ring to the next, at least; further away in proportion to the radius
constexpr float kGroundEnd = 300;
constexpr float kHalfPath = 0.95f, kSoftEdge = 0.5f;  // of a path: half its width
constexpr uint32_t kTufts = 6500, kStones = 60, kTrees = 260;
constexpr float kPlantsEnd = 34, kTreesBegin = 6, kTreesEnd = 170;
constexpr float kBesidePath = 1.3f, kBesideSight = 5.5f;  // of trees
constexpr float kSunk = 0.25f;                            // of trees, so that no root is in the air

float share_between(float from, float to, float at) { return std::clamp((at - from) / (to - from), 0.0f, 1.0f); }

/// How far a point is from the edge of the nearest path. Paths are loops around the middle.
float besides(std::span<const Oval> paths, float x, float z) {
  float nearest = INFINITY;
  for (const Oval& path : paths) nearest = std::min(nearest, path.distance(x, z) - kHalfPath);
  return nearest;
}

/// A smooth random number from -1 to 1 of a place.
float patches(float x, float z) {
  return 0.5f * std::sin(0.61f * x + 1.3f * std::sin(0.43f * z)) + 0.3f * std::sin(1.3f * z + 0.9f * x) +
         0.2f * std::sin(2.9f * x - 2.3f * z);
}

Color ground_color(const Terrain& terrain, std::span<const Oval> paths, float x, float z) {
  constexpr Color kMeadow{0.115f, 0.185f, 0.05f}, kDry{0.25f, 0.24f, 0.085f}, kDeep{0.065f, 0.135f, 0.04f};
  constexpr Color kEarth{0.44f, 0.33f, 0.19f}, kTrodden{0.52f, 0.41f, 0.25f};
  const float high = share_between(1.2f, 2.4f, terrain.height(x, z)), patch = patches(x, z);
  const Color grass = mixed(mixed(kDeep, kMeadow, 0.55f + 0.45f * patch), kDry, 0.45f * high * (0.7f + 0.3f * patch));
  const float beside = besides(paths, x, z) + 0.12f * patches(3 * x, 3 * z);
  const Color earth = mixed(kTrodden, kEarth, share_between(-0.9f, 0, beside));
  return mixed(earth, grass, share_between(-kSoftEdge / 2, kSoftEdge / 2, beside));
}

struct Corner {
  Vec3 position, normal;
  Color color;
};

std::vector<float> ring_radii() {
  std::vector<float> radii{0};
  const float grow = 2 * kPi / float(kSectors);
  while (radii.back() < kGroundEnd) radii.push_back(radii.back() + std::max(kRing, grow * radii.back()));
  return radii;
}

Vec3 random_place(Random& random, float end) {
  const float radius = end * std::sqrt(random.unit());
  return polar(radius, 2 * kPi * random.unit());
}

/// Blades of grass: triangles that stand up, seen from both sides; a flower is a bright tip.
void add_tuft(Random& random, Architecture& built) {
  constexpr Color kFlowers[] = {
      {0.9f, 0.85f, 0.8f}, {0.85f, 0.62f, 0.08f}, {0.62f, 0.12f, 0.16f}, {0.32f, 0.2f, 0.62f}};
  const bool flowers = random.unit() < 0.16f;
  const Color green = mixed({0.13f, 0.25f, 0.045f}, {0.3f, 0.34f, 0.09f}, random.unit());
  const uint32_t blades = flowers ? 2 : 3;
  for (uint32_t i = 0; i < blades; ++i) {
    const float angle = 2 * kPi * random.unit(), height = random.between(0.1f, 0.24f), wide = 0.018f;
    const Vec3 side{std::cos(angle) * wide, 0, -std::sin(angle) * wide};
    const Vec3 lean{0.35f * height * std::sin(angle), height, 0.35f * height * std::cos(angle)}, low{0, -0.03f, 0};
    built.add_triangle(low - side, low + side, lean, green);
    built.add_triangle(low + side, low - side, lean, green);
    if (!flowers) continue;
    built.add_cylinder(lean, 0.012f, 0.035f, 0.025f, 5, kFlowers[random.next() % std::size(kFlowers)]);
  }
}

void add_stone(Random& random, Architecture& built) {
  const float size = random.between(0.12f, 0.42f), shade = random.between(0.75f, 1.1f);
  const Color gray = Color{0.36f, 0.35f, 0.33f} * shade;
  built.add_cylinder({0, -0.1f, 0}, size, size * 0.8f, 0.1f + size * 0.35f, 6, gray * 0.85f);
  built.add_cylinder({0, size * 0.35f, 0}, size * 0.8f, size * 0.3f, size * 0.25f, 6, gray);
}

/// Trees beside the paths and away from the way to the eye.
std::vector<Tree> plant_trees(const Terrain& terrain, std::span<const Oval> paths, Vec3 eye, uint64_t seed) {
  Random random{mix(seed ^ 0x7472656573)};
  std::vector<Tree> trees;
  for (uint32_t i = 0; i < kTrees; ++i) {
    const float height = random.between(5.5f, 10);
    Vec3 at = random_place(random, 1);
    const float away = length(at);
    at = at * ((kTreesBegin + (kTreesEnd - kTreesBegin) * away * away) / std::max(away, 1e-3f));
    // From the eye to the middle, and around the eye, nothing is in the way.
    const float along = std::clamp((eye.x * at.x + eye.z * at.z) / dot(eye, eye), -0.2f, 1.5f);
    if (std::hypot(at.x - eye.x * along, at.z - eye.z * along) < kBesideSight) continue;
    if (besides(paths, at.x, at.z) < kBesidePath || length(at) < 11) continue;
    trees.push_back({terrain.ground(at.x, at.z), height});
  }
  return trees;
}

/// The ground as triangles with smooth normals: fine where people are seen from near, and coarser further away. Of a
/// terrain of scale 1; `scale` as Architecture has it.
void add_ground(const Terrain& terrain, std::span<const Oval> paths, float scale, std::vector<StandVertex>& vertices) {
  const std::vector<float> radii = ring_radii();
  std::vector<Corner> inner(kSectors), outer(kSectors);
  const auto fill = [&](float radius, std::vector<Corner>& ring) {
    for (uint32_t i = 0; i < kSectors; ++i) {
      const auto [x, y, z] = polar(radius, turn_of(i, kSectors));
      ring[i] = {terrain.ground(x, z), terrain.normal(x, z), ground_color(terrain, paths, x, z)};
    }
  };
  const auto add = [&](const Corner& a, const Corner& b, const Corner& c) {
    for (const auto& [at, normal, color] : {a, b, c})
      vertices.push_back(stand_vertex(at * scale, normal, pack_color(color.r, color.g, color.b)));
  };
  fill(0, inner);
  for (size_t ring = 1; ring < radii.size(); ++ring) {
    fill(radii[ring], outer);
    for (uint32_t i = 0; i < kSectors; ++i) {
      const uint32_t next = (i + 1) % kSectors;
      add(inner[i], outer[i], outer[next]);
      if (ring > 1) add(inner[i], outer[next], inner[next]);
    }
    inner.swap(outer);
  }
}

/// Tufts, flowers, stones and the trees.
void add_plants(const Terrain& terrain, std::span<const Oval> paths, std::span<const Tree> trees, uint64_t seed,
                Architecture& built) {
  constexpr Color kLeaves[] = {
      {0.07f, 0.19f, 0.03f}, {0.12f, 0.24f, 0.03f}, {0.05f, 0.15f, 0.05f}, {0.3f, 0.22f, 0.03f}};
  Random random{mix(seed ^ 0x67726173730a)};
  for (uint32_t i = 0; i < kTufts + kStones; ++i) {
    const Vec3 at = random_place(random, kPlantsEnd);
    if (besides(paths, at.x, at.z) < 0.25f) continue;
    built.move_to(terrain.ground(at.x, at.z), random.between(0, kPi));
    if (i < kTufts) {
      add_tuft(random, built);
    } else {
      add_stone(random, built);
    }
  }
  for (const Tree& tree : trees) {
    built.move_to(tree.at - Vec3{0, kSunk, 0}, random.between(0, kPi));
    built.add_tree(tree.height, kLeaves[random.next() % std::size(kLeaves)], random.unit() < 0.35f);
  }
}

/// A balloon in stripes, its basket at the origin.
Balloon make_balloon(float scale) {
  constexpr uint32_t kGores = 12, kRings = 9;
  constexpr float kRadius = 1.25f, kMiddle = 2.35f;  // meters; of the middle above the basket
  constexpr Color kRed{0.72f, 0.06f, 0.04f}, kCream{0.9f, 0.8f, 0.58f}, kBlue{0.05f, 0.16f, 0.5f};
  Architecture built(scale);
  // Round above; below it gets narrower to the opening.
  const auto point = [&](uint32_t ring, uint32_t gore) {
    const float down = kPi * float(ring) / (kRings + 1);
    const float narrow = down > kPi / 2 ? 1 - 0.16f * std::sin(2 * (down - kPi / 2)) : 1;
    return polar(kRadius * std::sin(down) * narrow, turn_of(gore, kGores),
                 kMiddle + kRadius * (down > kPi / 2 ? 1.18f : 1) * std::cos(down));
  };
  for (uint32_t gore = 0; gore < kGores; ++gore) {
    for (uint32_t ring = 0; ring < kRings; ++ring) {
      const Color color = gore % 2 != 0 ? kCream : ring == 4 || ring == 5 ? kBlue : kRed;
      const Vec3 a = point(ring + 1, gore), b = point(ring + 1, gore + 1), c = point(ring, gore + 1),
                 d = point(ring, gore);
      built.add_triangle(a, b, d, color);
      if (ring > 0) built.add_triangle(b, c, d, color);
    }
  }
  for (const float x : {-0.2f, 0.2f}) {
    for (const float z : {-0.2f, 0.2f})
      built.add_beam({x, 0.34f, z}, {x * 1.6f, 1.15f, z * 1.6f}, 0.025f, {0.2f, 0.14f, 0.08f});
  }
  built.add_box({{-0.22f, 0, -0.22f}, {0.22f, 0.36f, 0.22f}}, {0.33f, 0.2f, 0.09f});
  return {built.take(), scale};
}

enum HillsAct : uint8_t { kWatch, kGreet, kStroll };
constexpr ActWish kWishes[] = {{" idle "}, {" idle | wave "}, {kWalkWords, false, 1.1f}};

constexpr uint32_t kNearPeople = 100;  // whose feet are on the ground
constexpr float kFiles = 0.5f;         // meters from the middle of a path to its files
constexpr float kFirstPath = 7.6f, kStraight = 2.5f, kPathStep = 14.5f;  // meters
constexpr float kSpacing = 1.7f, kJitter = 0.3f;                         // of people who do not walk
constexpr float kStep = 2.1f;                                            // meters between two who walk, at least
constexpr float kStrollers = 0.5f;                                       // share of a small crowd
constexpr float kGreeters = 0.22f;              // share of people who do not walk: they wave now and then
constexpr float kEye = 15.6f, kEyeYaw = 0.62f;  // meters from the middle, radians
constexpr float kAboveGround = 1.9f;            // meters, of the eye
constexpr float kBeforeEye = 4.5f;              // meters that are free

Oval path_at(uint32_t index) { return {kStraight, kFirstPath + kPathStep * float(index)}; }

/// The paths of a crowd of a radius, or a little more.
std::vector<Oval> paths_within(float radius) {
  std::vector<Oval> paths{path_at(0), path_at(1)};
  while (paths.back().radius < radius) paths.push_back(path_at(uint32_t(paths.size())));
  return paths;
}

Vec3 eye_on(const Terrain& terrain) {
  const Vec3 at = polar(kEye, kEyeYaw);
  return terrain.ground(at.x, at.z) + Vec3{0, kAboveGround, 0};
}

Orbit camera_on(const Terrain& terrain) {
  const Vec3 eye = eye_on(terrain), target = terrain.ground(0, 0) + Vec3{0, 1.6f, 0};
  return orbit_between({eye.x, eye.y, eye.z}, {target.x, target.y, target.z});
}

void add_strollers(const Oval& path, uint32_t wanted, People& people) {
  people.pass_each_other(kStroll, {.loop = path, .wanted = wanted, .step = kStep}, kFiles);
}

/// Where someone may stand.
struct Places {
  const Terrain& terrain;
  std::span<const Tree> trees;
  Orbit camera;

  bool are_free(Vec3 at, std::span<const Oval> paths) const {
    const glm::vec3 eye = eye_of(camera);
    if (std::hypot(at.x - eye.x, at.z - eye.z) < kBeforeEye || crops(camera, at)) return false;
    if (std::ranges::any_of(trees,
                            [&](const Tree& tree) { return std::hypot(at.x - tree.at.x, at.z - tree.at.z) < 1; }))
      return false;
    return besides(paths, at.x, at.z) >= 0.45f;
  }
};

/// All people without a place yet, and those on the paths between them. The radius of the crowd.
float add_watchers(const Places& places, uint32_t count, std::vector<Oval>& paths, People& people) {
  uint32_t next_path = 1;
  float radius = kFirstPath + kStraight;
  for (uint32_t i = 0; !people.full(); ++i) {
    Random random = people.random(mix(i));
    const Vec3 seed = sunflower_position(i, kSpacing);
    const float away = std::hypot(seed.x, seed.z);
    radius = std::max(radius, away);
    if (next_path >= paths.size()) paths.push_back(path_at(next_path));
    if (const Oval path = paths[next_path]; away > path.radius) {
      const float share = std::min(1.0f, float(count) * kStrollers / 200);
      add_strollers(path, uint32_t(share * 2 * path.perimeter() / kStep), people);
      ++next_path;
    }
    const Vec3 at = seed + Vec3{random.between(-kJitter, kJitter), 0, random.between(-kJitter, kJitter)};
    if (!places.are_free(places.terrain.ground(at.x, at.z), paths)) continue;
    const float heading = random.between(-kPi, kPi);
    people.stand(random.unit() < kGreeters ? kGreet : kWatch, at, heading);
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

void choose_hills(Model& model) {
  choose_acts(model, kWishes);
  model.chains = walking_chains(model.character);
  if (model.acts.empty() || !model.acts[kStroll].walk) return;
  const uint32_t stroll = model.acts[kStroll].clips.front();
  model.gait = gait_of(model, stroll);
  model.steps = steps_of(model, stroll);
}

Scene make_hills(std::span<const Model> models, const SceneRequest& request) {
  const auto [count, seed, children] = request;
  People people(models, request);
  const float scale = people.scale();
  const Terrain terrain;
  const Orbit camera = camera_on(terrain);
  for (const uint8_t act : {kWatch, kGreet}) people.add_role({.act = act});  // the role has the act's number
  std::vector<Oval> paths = paths_within(kSpacing * std::sqrt(float(count) / kPi) * 1.3f);
  const std::vector<Tree> trees = plant_trees(terrain, paths, eye_on(terrain), seed);
  add_strollers(paths[0], uint32_t(float(count) * kStrollers), people);
  const float radius = add_watchers({terrain, trees, camera}, count, paths, people);
  Architecture built(scale);
  built.vary(0.08f);
  add_plants(terrain, paths, trees, seed, built);
  Scene scene = people.scene({.built = built, .radius = radius, .clear_meters = 90, .camera = camera});
  add_ground(terrain, paths, scale, scene.stands);
  for (const StandVertex& vertex : scene.stands) scene.highest_stand = std::max(scene.highest_stand, vertex.position.y);
  scene.terrain.emplace(scale);
  put_on_ground(scene);
  scene.balloon = make_balloon(scale);
  scene.near_people = kNearPeople;
  for (ModelPlace& place : scene.models) place.shadow_radius = 0;  // it would be on a plane
  return scene;
}

}  // namespace

SceneKind hills_scene() {
  return {.name = "hills",
          .characters = 200,
          .made_for = 5000,
          .description =
              "paths over rolling hills: every foot of those nearby is on the ground, and heads follow a balloon",
          .looks = " farmer | merchant | weaver ",
          .choose_clips = choose_hills,
          .make = make_hills};
}

}  // namespace sinew::app
