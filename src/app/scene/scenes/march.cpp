// Companies in rank and file that march in step, on a road through hills.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "scene/clip_motion.h"
#include "scene/scenes/placing.h"
#include "scene/scenes/scenes.h"
#include "scene/scenes/town.h"

namespace sinew::app {
namespace {

// Lengths in meters. The country repeats along z after kPeriod.
constexpr uint32_t kCells = 24;  // of a period
constexpr float kCell = 8, kPeriod = kCell * kCells;
constexpr float kBehind = 260, kAhead = 60;    // of the front of the column: what is built
constexpr uint32_t kStrips = 20;               // of cells beside the road, on each side
constexpr float kShoulder = 1.6f;              // from the soldiers to the edge of the road
constexpr uint32_t kTrees = 120, kHouses = 3;  // of a period
constexpr float kBannerStep = 24;

struct Country {
  float road = 4;  // half its width
  uint64_t seed = 0;

  /// Flat at the road, and higher further away. The same after a period.
  float height(float x, float z) const {
    const float away = std::abs(x) - road - 2;
    if (away <= 0) return 0;
    const float turn = 2 * kPi * z / kPeriod, side = x > 0 ? 1.3f : -0.4f;
    const float share = std::min(away / 60, 1.0f), rise = share * share * (3 - 2 * share);
    const float waves = 0.5f + 0.28f * std::sin(turn + 0.021f * x + side) +
                        0.17f * std::sin(2 * turn - 0.045f * x + 2 * side) + 0.08f * std::sin(3 * turn + 0.09f * x);
    return std::max(rise * (2 + 15 * waves) + 0.05f * std::max(away - 60, 0.0f) * (1 + std::sin(turn + side)), 0.0f) +
           std::min(away, 1.5f) * 0.06f;
  }
  Vec3 ground(float x, float z) const { return {x, height(x, z), z}; }

  /// The random numbers of a cell, the same one period further.
  Random random_of(int strip, int cell) const {
    const int repeated = (cell % int(kCells) + int(kCells)) % int(kCells);
    return {mix(seed ^ mix(uint64_t(strip + 64) << 8 | uint64_t(repeated)))};
  }
  float edge(uint32_t strip) const { return road + kCell * float(strip) * (1 + 0.03f * float(strip)); }
};

Color grass_of(const Country& country, Vec3 middle, int strip, int cell) {
  Random random = country.random_of(strip, cell);
  const float shade = random.between(0.86f, 1.14f), high = std::clamp(middle.y / 22, 0.0f, 1.0f);
  const Random field = country.random_of(strip / 3 + 32, cell / 4);
  const bool grain = std::abs(middle.x) > country.road + 14 && field.state % 5 == 0;
  const Color low = grain ? Color{0.42f, 0.29f, 0.06f} : Color{0.12f, 0.18f, 0.05f}, top{0.17f, 0.18f, 0.075f};
  return mixed(low, top, high) * shade;
}

/// A level strip of a cell along the road.
void add_strip(float x, float half, float y, float z, Color color, Architecture& built) {
  const float l = x - half, r = x + half, next = z + kCell;
  built.add_quad({l, y, next}, {r, y, next}, {r, y, z}, {l, y, z}, color);
}

void add_ground(const Country& country, int first, int last, Architecture& built) {
  for (int cell = first; cell < last; ++cell) {
    const float z = kCell * float(cell), next = z + kCell;
    Random random = country.random_of(0, cell);
    const Color earth = Color{0.56f, 0.45f, 0.29f} * random.between(0.93f, 1.05f);
    const float r = country.road;
    add_strip(0, r, -0.05f, z, earth, built);
    for (const float rut : {-0.62f, -0.2f, 0.24f, 0.66f})
      add_strip(rut * r, 0.16f + 0.03f * r, -0.02f, z, earth * 0.8f, built);
    for (uint32_t strip = 0; strip < kStrips; ++strip) {
      for (const float side : {-1.0f, 1.0f}) {
        // From left to right. Two triangles: quads of a hill are not flat.
        const float inner = side * country.edge(strip), outer = side * country.edge(strip + 1);
        const float left = std::min(inner, outer), right = std::max(inner, outer);
        const Vec3 a = country.ground(left, next), b = country.ground(right, next), c = country.ground(right, z),
                   d = country.ground(left, z);
        const Color color = grass_of(country, (a + c) * 0.5f, int(strip + 1) * int(side), cell);
        built.add_triangle(a, b, c, color);
        built.add_triangle(a, c, d, color * 0.97f);
      }
    }
  }
}

/// Calls `add(at, random)` for things that are on both sides of the road, in each period that is built.
template <class Add>
void repeat(const Country& country, uint32_t count, float nearest, float span, int first, int last, Add add) {
  for (uint32_t i = 0; i < count; ++i) {
    Random random{mix(country.seed ^ mix(i + count * 1000))};
    const float share = random.unit(), side = i % 2 == 0 ? 1.0f : -1.0f;
    const float x = side * (country.road + nearest + span * share * share), in_period = kPeriod * random.unit();
    for (int period = first / int(kCells) - 2; period <= last / int(kCells) + 1; ++period) {
      const float z = in_period + kPeriod * float(period);
      if (z < kCell * float(first) || z > kCell * float(last)) continue;
      Random same = random;
      add(country.ground(x, z) - Vec3{0, 0.2f, 0}, same);
    }
  }
}

void add_things(const Country& country, int first, int last, Architecture& built) {
  repeat(country, kTrees, 5, 110, first, last, [&](Vec3 at, Random& random) {
    constexpr Color kLeaves[] = {
        {0.07f, 0.19f, 0.03f}, {0.12f, 0.22f, 0.03f}, {0.04f, 0.13f, 0.05f}, {0.28f, 0.20f, 0.03f}};
    built.move_to(at, random.between(0, kPi));
    const Color leaves = kLeaves[random.next() % std::size(kLeaves)];
    built.add_tree(random.between(5, 9.5f), leaves, random.unit() < 0.35f);
  });
  repeat(country, kHouses, 16, 40, first, last, [&](Vec3 at, Random& random) {
    const House house = random_house(random, false);
    add_house(built, at - Vec3{0, 0.5f, 0}, at.x > 0 ? -kPi / 2 : kPi / 2, house);
  });
  for (float z = kBannerStep * std::ceil(kCell * float(first) / kBannerStep); z < kCell * float(last);
       z += kBannerStep) {
    const auto index = uint32_t(std::lround(z / kBannerStep) + 800);
    const Color cloth = index % 2 == 0 ? Color{0.55f, 0.03f, 0.03f} : Color{0.04f, 0.12f, 0.42f},
                cream{0.88f, 0.82f, 0.66f};
    for (const float side : {-1.0f, 1.0f}) add_banner(built, {side * (country.road + 1), 0, z}, 0, 5.4f, cloth, cream);
  }
}

/// Adds a road, `road_meters` wide and a little more, hills with trees and fields at both sides, and banners. All of it
/// repeats after some meters, and so does the march: Scene::course_meters. It is built around z = `front_meters`, where
/// the column begins. `scale`: see Architecture.
void add_country(float road_meters, float front_meters, float scale, uint64_t seed, Scene& scene) {
  const Country country{road_meters / 2 / scale + kShoulder, mix(seed ^ 0x68696c6c73)};
  const float front = front_meters / scale;
  const int first = int(std::floor((front - kBehind) / kCell)),
            last = int(std::ceil((front + kPeriod + kAhead) / kCell));
  Architecture built(scale);
  add_ground(country, first, last, built);
  add_things(country, first, last, built);
  scene.highest_stand = built.highest();
  scene.stands = built.take();
  scene.course_meters = double(kPeriod) * scale;
  scene.clear_meters = 70 * scale;
}

constexpr float kWalkingSpeed = 1.2f;       // meters per second, of a person
constexpr float kSameSpeed = 0.01f;         // share: speeds of one clip, measured on two meshes, differ by less
constexpr uint32_t kFiles = 6, kRanks = 8;  // of a company
constexpr float kFileSpacing = 2, kRankSpacing = 3;  // in body widths
constexpr float kGap = 4;                            // between companies, in body widths
constexpr float kCompaniesAcross = 0.08f;            // as a share of those one behind the other

/// Where a soldier is in the parade, from its front left corner, in meters.
struct Formation {
  uint32_t companies_across = 1, companies_deep = 1;
  float file_meters = 1, rank_meters = 1, gap_meters = 1;

  Formation(uint32_t count, float width) {
    const uint32_t companies = (count + kFiles * kRanks - 1) / (kFiles * kRanks);
    companies_across = std::max(uint32_t(std::lround(std::sqrt(float(companies) * kCompaniesAcross))), 1u);
    companies_deep = (companies + companies_across - 1) / companies_across;
    file_meters = kFileSpacing * width, rank_meters = kRankSpacing * width, gap_meters = kGap * width;
  }
  float company_width() const { return float(kFiles - 1) * file_meters + gap_meters; }
  float company_depth() const { return float(kRanks - 1) * rank_meters + gap_meters; }
  float width() const { return float(companies_across) * company_width() - gap_meters; }
  float depth() const { return float(companies_deep) * company_depth() - gap_meters; }

  uint32_t company_of(uint32_t soldier) const { return soldier / (kFiles * kRanks); }
  Vec3 position_of(uint32_t soldier) const {
    const uint32_t company = company_of(soldier), place = soldier % (kFiles * kRanks);
    const float x = float(company % companies_across) * company_width() + float(place % kFiles) * file_meters;
    const float z = float(company / companies_across) * company_depth() + float(place / kFiles) * rank_meters;
    return {x - width() / 2, 0, depth() / 2 - z};
  }
};

/// Models that walk, and how fast all of them are.
struct Marchers {
  std::vector<uint32_t> models;  // all where none walks
  float meters_per_second = 0;   // 0: none walks

  explicit Marchers(std::span<const Model> of) {
    for (uint32_t i = 0; i < of.size(); ++i) {
      if (!of[i].walk) continue;
      models.push_back(i);
      meters_per_second += of[i].walk->speed();
    }
    if (!models.empty()) meters_per_second /= float(models.size());
    for (uint32_t i = 0; meters_per_second == 0 && i < of.size(); ++i) models.push_back(i);
  }
  /// Someone who walks along z at the speed of all. Equal clips of several meshes also stay in step.
  CrowdInstance place(const Model& model, Vec3 at) const {
    if (!model.walk) return place_instance(at, 0, 1);
    const Vec3 velocity = model.walk->velocity;
    CrowdInstance placed = place_instance(at, -std::atan2(velocity.x, velocity.z), 1);
    const float speed = meters_per_second / model.walk->speed();
    placed.speed = std::abs(speed - 1) < kSameSpeed ? 1 : speed;
    return placed;
  }
};

/// A soldier of the march. Those of a company have the same uniform, and are unlike: its tints so far are `tints`.
CrowdInstance make_soldier(const Model& model, uint64_t seed, uint32_t index, uint8_t uniform, CrowdInstance placed,
                           std::vector<uint32_t>& tints) {
  constexpr int kTries = 100;
  Random of_tint{mix(seed ^ mix(index))}, own{mix(seed ^ mix(index ^ 0x68656967))};
  placed.tint = make_tint(model, of_tint, uniform);
  for (int i = 0; i < kTries && std::ranges::find(tints, placed.tint) != tints.end(); ++i)
    placed.tint = make_tint(model, of_tint, uniform);
  tints.push_back(placed.tint);
  // A uniform scale would change the steps: those who march in step differ in height alone.
  placed.stretch = int8_t(std::lround(own.between(kShortest - 1, kTallest - 1) * kStretchSteps));
  set_random(Random{mix(seed)}.next(), placed);
  placed.update_phase = uint8_t(index);
  return placed;
}

/// Before the first company, to one side, and not above its heads by much: the column behind it fills the picture.
Orbit camera_of(const Formation& formation, float person) {
  const float front = formation.depth() / 2, wide = std::min(formation.width(), 14 * person);
  const float inside = std::min(2.5f * person + 0.2f * wide, front), side = 1.9f * person + 0.42f * wide;
  return orbit_between({side, 1.65f * person + 0.08f * wide, front + 2.6f * person + 0.22f * wide},
                       {-0.1f * side, 0.62f * person, front - inside});
}

Scene make_march(std::span<const Model> models, const SceneRequest& request) {
  const auto [count, seed, children] = request;
  const Marchers marchers(models);
  const Formation formation(count, body_width(models));
  const std::vector<uint32_t> dealt =
      deal_models(formation.company_of(count - 1) + 1, uint32_t(marchers.models.size()), seed);
  std::vector<uint32_t> tints;
  std::vector<Placed> people;
  people.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t company = formation.company_of(i), model = marchers.models[dealt[company]];
    if (i % (kFiles * kRanks) == 0) tints.clear();
    const auto uniform = uint8_t(mix(seed ^ mix(company)) % palette_of(Region::kTop).size());
    const CrowdInstance placed = marchers.place(models[model], formation.position_of(i));
    people.push_back({model, make_soldier(models[model], seed, i, uniform, placed, tints)});
  }
  Scene scene = gather(models, people);
  scene.meters_per_second = marchers.meters_per_second;
  for (uint32_t model = 0; model < models.size(); ++model) {
    if (!models[model].walk || length(models[model].walk->in_clip) == 0) continue;
    scene.models[model].walked = &models[model].character.clips[models[model].clips.front()];
    scene.models[model].in_clip = models[model].walk->in_clip;
  }
  add_country(formation.width(), formation.depth() / 2, scale_of(models), seed, scene);
  scene.radius = std::hypot(formation.width(), formation.depth()) / 2;
  scene.camera = camera_of(formation, scene.tallest);
  return scene;
}

/// All march with one clip, if there is one that walks.
void choose_march(Model& model) {
  keep_clips(model, clips_with(model, " march | marching "));
  const auto found = find_walking_clip(model, kWalkingSpeed);
  if (!found) return;
  keep_clips(model, {found->clip});
  model.changes_clips = false;
  model.walk = found->motion;
}

}  // namespace

SceneKind march_scene() {
  return {.name = "march",
          .made_for = 20'000,
          .description = "companies in rank and file, all in step, on a road through hills; the camera moves with them",
          .looks = " farmer | merchant | swordsman | weaver ",
          .choose_clips = choose_march,
          .make = make_march};
}

}  // namespace sinew::app
