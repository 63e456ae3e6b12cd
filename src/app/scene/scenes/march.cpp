// Companies in rank and file that march in step, on a road through hills.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "scene/scene.h"
#include "scene/scenes/people.h"
#include "scene/scenes/scenes.h"
#include "scene/scenes/town.h"

namespace sinew::app {
namespace {

// A road through hills, for a column that marches along z.

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
  const Color mixed{low.r + (top.r - low.r) * high, low.g + (top.g - low.g) * high, low.b + (top.b - low.b) * high};
  return mixed * shade;
}

/// Two triangles: quads of a hill are not flat.
void add_patch(Vec3 a, Vec3 b, Vec3 c, Vec3 d, Color color, Architecture& built) {
  built.add_triangle(a, b, c, color);
  built.add_triangle(a, c, d, color * 0.97f);
}

void add_ground(const Country& country, int first, int last, Architecture& built) {
  for (int cell = first; cell < last; ++cell) {
    const float z = kCell * float(cell), next = z + kCell;
    Random random = country.random_of(0, cell);
    const Color earth = Color{0.56f, 0.45f, 0.29f} * random.between(0.93f, 1.05f);
    const float r = country.road, low = -0.05f;
    built.add_quad({-r, low, next}, {r, low, next}, {r, low, z}, {-r, low, z}, earth);
    for (const float rut : {-0.62f, -0.2f, 0.24f, 0.66f}) {
      const float x = rut * r, w = 0.16f + 0.03f * r;
      built.add_quad({x - w, -0.02f, next}, {x + w, -0.02f, next}, {x + w, -0.02f, z}, {x - w, -0.02f, z},
                     earth * 0.8f);
    }
    for (uint32_t strip = 0; strip < kStrips; ++strip) {
      const float from = country.edge(strip), to = country.edge(strip + 1);
      for (const float side : {-1.0f, 1.0f}) {
        const Vec3 a = country.ground(side * from, next), b = country.ground(side * to, next);
        const Vec3 c = country.ground(side * to, z), d = country.ground(side * from, z);
        const Color color = grass_of(country, (a + c) * 0.5f, int(strip + 1) * int(side), cell);
        if (side > 0) {
          add_patch(a, b, c, d, color, built);
        } else {
          add_patch(b, a, d, c, color, built);
        }
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

constexpr std::string_view kMarchWords[] = {" march ", " marching "};
constexpr float kWalkingSpeed = 1.2f;                // meters per second, of a person
constexpr uint32_t kFiles = 6, kRanks = 8;           // of a company
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

/// A soldier's tint, with the uniform of the company: unlike those of the others, to which it is added.
uint32_t unlike(std::vector<uint32_t>& others, const Model& model, uint8_t uniform, Random random) {
  constexpr int kTries = 100;
  uint32_t tint = make_tint(model, random, uniform);
  for (int i = 0; i < kTries && std::ranges::find(others, tint) != others.end(); ++i)
    tint = make_tint(model, random, uniform);
  return others.emplace_back(tint);
}

}  // namespace

void choose_march_clips(Model& model) {
  keep_named_clips(model, kMarchWords);
  keep_walking_clip(model, kWalkingSpeed);
}

Scene make_march(std::span<const Model> models, const SceneRequest& request) {
  const auto [count, seed, children] = request;
  const Walkers walkers = find_walkers(models);
  const Formation formation(count, body_width(models));
  const uint32_t companies = formation.company_of(count - 1) + 1;
  const std::vector<uint32_t> dealt = deal_models(companies, uint32_t(walkers.models.size()), seed);
  Random of_parade{mix(seed)};
  const uint64_t in_step = of_parade.next();
  std::vector<uint32_t> company_tints;
  std::vector<Placed> people;
  people.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t company = formation.company_of(i), model = walkers.models[dealt[company]];
    Placed& person = people.emplace_back(place_walker(models, model, formation.position_of(i), 1, walkers));
    if (i % (kFiles * kRanks) == 0) company_tints.clear();
    const auto uniform = uint8_t(mix(seed ^ mix(company)) % palette_of(Region::kTop).size());
    person.instance.tint = unlike(company_tints, models[model], uniform, Random{mix(seed ^ mix(i))});
    // A uniform scale would change the steps: those who march in step differ in height alone.
    Random own{mix(seed ^ mix(i ^ 0x68656967))};
    person.instance.stretch = int8_t(std::lround(own.between(kShortest - 1, kTallest - 1) * kStretchSteps));
    set_random(in_step, person.instance);
    person.instance.update_phase = uint8_t(i);
  }
  Scene scene = gather_walkers(models, people, walkers);
  add_country(formation.width(), formation.depth() / 2, scale_of(models), seed, scene);
  scene.radius = std::hypot(formation.width(), formation.depth()) / 2;
  // Before the first company, to one side, and not above its heads by much: the column behind it fills the picture.
  const float person = scene.tallest, front = formation.depth() / 2;
  const float wide = std::min(formation.width(), 14 * person), inside = std::min(2.5f * person + 0.2f * wide, front);
  const float side = 1.9f * person + 0.42f * wide;
  scene.camera = orbit_between({side, 1.65f * person + 0.08f * wide, front + 2.6f * person + 0.22f * wide},
                               {-0.1f * side, 0.62f * person, front - inside});
  return scene;
}

}  // namespace sinew::app
