// Companies in rank and file that march in step, on a road through hills.
#include <algorithm>
#include <cmath>

#include "scene/scenes/country.h"
#include "scene/scenes/people.h"
#include "scene/scenes/scenes.h"

namespace sinew::app {
namespace {

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
