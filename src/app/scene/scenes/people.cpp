#include "scene/scenes/people.h"

#include <algorithm>
#include <cmath>

#include "scene/moving.h"
#include "scene/names.h"
#include "scene/person_colors.h"

namespace sinew::app {
namespace {

constexpr float kShortestChild = 0.65f, kTallestChild = 0.75f;  // of the height of their model
constexpr int kTries = 30;                                      // to draw other colors
constexpr float kCellMeters = 6;                                // meters
constexpr float kFamilyPace = 0.85f;                            // of the speed of those who walk without children

bool is_child(float scale) { return scale < (kTallestChild + kShortest) / 2; }

bool is_bearded(const Model& model) { return model.name == "merchant"; }

Who kind_of(const Model& model) {
  if (is_armed_look(model.name)) return Who::kGuard;
  return has_word(model.name, " player | runner ") ? Who::kAthlete : Who::kTownsfolk;
}

bool has_gray_hair(uint32_t tint) {
  const auto colors = person_colors(tint);
  if (!colors) return false;
  const Vec3 hair = palette_of(Region::kHair)[colors->hair];
  return hair.x < 1.3f * hair.z;
}

uint32_t with_trousers(uint32_t tint, uint8_t trousers) {
  auto colors = person_colors(tint);
  if (!colors) return tint;
  colors->trousers = trousers;
  return pack(*colors);
}

}  // namespace

People::People(std::span<const Model> models, const SceneRequest& request, float scale)
    : models_(models),
      count_(request.count),
      seed_(request.seed),
      children_(request.children),
      scale_(scale),
      dealt_(deal_models(request.count, uint32_t(models.size()), request.seed)) {
  people_.reserve(request.count);
}

float People::next_scale() const { return draw_scale(!is_bearded(models_[next()])); }

float People::draw_scale(bool may_be_child) const {
  Random own = own_random(0x686569676874);
  const bool child = own.unit() < children_ && may_be_child;
  return child ? own.between(kShortestChild, kTallestChild) : own.between(kShortest, kTallest);
}

uint16_t People::add_role(const Role& role) {
  roles_.push_back(role);
  has_children_.push_back(false);
  return uint16_t(roles_.size() - 1);
}

uint16_t People::add_walk(uint8_t act, const Oval& loop, bool backward, bool with_children) {
  Role role{.act = act, .backward = backward, .loop = {loop.half_straight * scale_, loop.radius * scale_}};
  uint32_t walkers = 0;
  for (const Model& model : models_) {
    if (act >= model.acts.size() || !model.acts[act].walk) continue;
    role.meters_per_second += model.acts[act].walk->speed(), ++walkers;
  }
  if (walkers > 0) role.meters_per_second /= float(walkers);
  if (with_children && children_ > 0) role.meters_per_second *= kFamilyPace;
  const uint16_t added = add_role(role);
  has_children_.back() = with_children;
  return added;
}

bool People::walks(uint32_t model, uint16_t role) const {
  const uint8_t act = roles_[role].act;
  return act < models_[model].acts.size() && models_[model].acts[act].walk.has_value();
}

bool People::suits(uint32_t model, float scale, Who who) const {
  if (is_child(scale) && is_bearded(models_[model])) return false;
  return who == Who::kAnyone || kind_of(models_[model]) == who;
}

/// The next one of the shuffled models if it fits; else another one that does, if there is one.
template <class Fits>
uint32_t People::next_model(Fits fits) const {
  const auto count = uint32_t(models_.size()), first = uint32_t(own_random(0).next() % count);
  if (fits(next())) return next();
  for (uint32_t i = first; i < first + count; ++i) {
    if (fits(i % count)) return i % count;
  }
  return next();
}

void People::add(uint32_t model, uint16_t role, CrowdInstance placed, Outfit outfit) {
  Random own = own_random(0);
  placed.role = role;
  const auto draw = [&] {
    placed.tint = make_tint(models_[model], own, outfit.top);
    if (outfit.trousers) placed.tint = with_trousers(placed.tint, *outfit.trousers);
  };
  const bool child = is_child(placed.turn.scale());
  draw();
  set_random(own.next(), placed);  // before further draws: it does not depend on colors
  for (int i = 0; (child && has_gray_hair(placed.tint)) || (i < kTries && has_twin_near(model, placed)); ++i) draw();
  near_[cell_of(placed.position)].push_back({model, placed.tint});
  people_.push_back({model, placed});
}

uint64_t People::cell_of(Vec3 position) const {
  const auto cell = [&](float at) { return uint32_t(int32_t(std::floor(at / (kCellMeters * scale_)))); };
  return uint64_t(cell(position.x)) << 32 | cell(position.z);
}

/// Whether someone of the same look in the same colors is in the cell of a person, or in one beside it.
bool People::has_twin_near(uint32_t model, const CrowdInstance& placed) const {
  if (placed.tint == 0) return false;
  for (const float x : {-1.0f, 0.0f, 1.0f}) {
    for (const float z : {-1.0f, 0.0f, 1.0f}) {
      const auto found = near_.find(cell_of(placed.position + Vec3{x, 0, z} * (kCellMeters * scale_)));
      if (found == near_.end()) continue;
      if (std::ranges::find(found->second, std::pair(model, placed.tint)) != found->second.end()) return true;
    }
  }
  return false;
}

void People::stand(uint16_t role, Vec3 position, float heading, Outfit outfit, Who who) {
  if (full()) return;
  const float scale = draw_scale(who == Who::kTownsfolk);
  CrowdInstance placed = place_instance(position * scale_, heading, scale);
  placed.speed = own_random(0x7374616e64).between(0.9f, 1.1f);
  add(next_model([&](uint32_t of) { return suits(of, scale, who); }), role, placed, outfit);
}

void People::place(uint16_t role, const CrowdInstance& at, Outfit outfit, Who who) {
  if (full()) return;
  CrowdInstance placed = at;
  placed.speed = own_random(0x706c616365).between(0.9f, 1.1f);
  add(next_model([&](uint32_t of) { return suits(of, placed.turn.scale(), who); }), role, placed, outfit);
}

void People::walk(uint16_t role, float meters, Outfit outfit, Who who) {
  if (full()) return;
  const float scale = std::round(draw_scale(has_children_[role] && who == Who::kTownsfolk) * kScaleSteps) / kScaleSteps;
  uint32_t model = next_model([&](uint32_t of) { return walks(of, role) && suits(of, scale, who); });
  if (!walks(model, role)) model = next_model([&](uint32_t of) { return walks(of, role); });
  const Place place = place_on_loop(roles_[role], meters * scale_);
  CrowdInstance placed = place_instance(place.position, std::atan2(place.along.x, place.along.z), scale);
  placed.start = meters * scale_;
  const float speed = roles_[role].meters_per_second;
  if (speed > 0 && walks(model, role))
    placed.speed = speed / (models_[model].acts[roles_[role].act].walk->speed() * scale);
  add(model, role, placed, outfit);
}

void People::walk_in_file(uint8_t act, const File& file) {
  const float perimeter = file.loop.perimeter();
  const uint32_t count = std::min(file.wanted, uint32_t(perimeter / file.step));
  if (count == 0 || full()) return;
  const uint16_t role = add_walk(act, file.loop, file.backward, file.with_children);
  for (uint32_t i = 0; i < count; ++i) {
    Random own = random(0x7374726f6c6c);
    walk(role, (float(i) + own.between(-file.jitter, file.jitter)) * perimeter / float(count));
  }
}

void People::pass_each_other(uint8_t act, File file, float apart) {
  const auto [loop, wanted] = std::pair(file.loop, file.wanted);
  for (const bool backward : {false, true}) {
    file.loop.radius = loop.radius + (backward ? apart : -apart);
    file.wanted = (wanted + (backward ? 0 : 1)) / 2, file.backward = backward;
    walk_in_file(act, file);
  }
}

Scene People::scene(const Setting& setting) const {
  Scene scene = gather(models_, people_);
  scene.highest_stand = setting.built.highest();
  scene.stands = setting.built.take();
  for (const Lamp& lamp : setting.lamps)
    scene.lamps.push_back(
        {lamp.position * scale_, lamp.reach * scale_, lamp.color * (scale_ * scale_), lamp.flames * scale_});
  scene.roles = roles_;
  for (const Role& role : roles_) scene.meters_per_second = std::max(scene.meters_per_second, role.meters_per_second);
  scene.radius = setting.radius * scale_, scene.clear_meters = setting.clear_meters * scale_;
  scene.drift_meters = setting.drift_meters * scale_;
  scene.camera = setting.camera;
  scene.camera->target *= scale_, scene.camera->distance *= scale_;
  return scene;
}

}  // namespace sinew::app
