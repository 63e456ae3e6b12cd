#include "scene/scenes/people.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <iterator>

#include "scene/moving.h"
#include "scene/names.h"
#include "scene/person_colors.h"

namespace sinew::app {
namespace {

constexpr float kShortestChild = 0.65f, kTallestChild = 0.75f;  // of the height of their model
constexpr float kFamilyPace = 0.85f;                            // of the speed of those who walk without children
constexpr float kStraight = 0.02f;  // share of the speed: clips that walk more to one side do not walk on loops

bool is_child(float scale) { return scale < (kTallestChild + kShortest) / 2; }

bool is_bearded(const Model& model) { return model.name == "merchant"; }

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

std::vector<uint32_t> named(const Model& model, std::span<const std::string_view> words, bool wanted) {
  std::vector<uint32_t> clips;
  for (const uint32_t clip : model.clips) {
    if (has_word(model.character.clips[clip].name, words) == wanted) clips.push_back(clip);
  }
  return clips;
}

/// Clips of standing people; all where there are none.
std::vector<uint32_t> standing(const Model& model) {
  std::vector<uint32_t> clips = named(model, kGaitWords, false);
  std::erase_if(clips, [&](uint32_t clip) { return has_word(model.character.clips[clip].name, kSeatedWords); });
  return clips.empty() ? model.clips : clips;
}

/// The clip straight ahead, in place, that is the nearest to the speed of a wish.
std::optional<Act> walking(const Model& model, const ActWish& wish) {
  std::optional<Act> best;
  for (const uint32_t clip : named(model, wish.words, true)) {
    const auto motion = measure_clip_motion(model, clip);
    if (!motion || length(motion->in_clip) > 0 || motion->velocity.z < 0) continue;
    if (std::abs(motion->velocity.x) > kStraight * motion->speed()) continue;
    const auto cost = [&](const ClipMotion& of) { return std::abs(std::log(of.speed() / wish.meters_per_second)); };
    if (!best || cost(*motion) < cost(*best->walk)) best = Act{{clip}, false, motion, {}};
  }
  return best;
}

Act act_of(const Model& model, const ActWish& wish) {
  if (wish.meters_per_second > 0) {
    if (auto act = walking(model, wish)) return *act;
    return {standing(model), true, {}, {}};
  }
  Act act{named(model, wish.words, true), wish.changes_clips, {}, {}};
  const auto is_seated = [](std::string_view word) {
    return std::ranges::find(kSeatedWords, word) != std::end(kSeatedWords);
  };
  if (std::ranges::none_of(wish.words, is_seated)) {
    std::erase_if(act.clips, [&](uint32_t clip) { return has_word(model.character.clips[clip].name, kSeatedWords); });
  }
  if (act.clips.empty()) act.clips = standing(model);
  constexpr std::string_view kCheers[] = {" cheer ", " cheering "};
  if (!wish.waves) return act;
  for (const uint32_t clip : act.clips) {
    if (has_word(model.character.clips[clip].name, kCheers)) act.wave = clip;
  }
  return act;
}

}  // namespace

void choose_acts(Model& model, std::span<const ActWish> wishes) {
  if (model.clips.empty()) return;
  std::vector<uint32_t> played;
  for (const ActWish& wish : wishes) {
    const Act& act = model.acts.emplace_back(act_of(model, wish));
    played.insert(played.end(), act.clips.begin(), act.clips.end());
    if (act.wave) played.push_back(*act.wave);
  }
  std::ranges::sort(played);
  played.erase(std::unique(played.begin(), played.end()), played.end());
  keep_clips(model, std::move(played));
}

bool crops(const Orbit& camera, Vec3 position) {
  constexpr float kHead = 1.9f, kChest = 0.9f, kNear = 2.6f, kFar = 15;  // meters
  const glm::vec3 eye = eye_of(camera);
  if (std::hypot(position.x - eye.x, position.z - eye.z) > kFar) return false;
  const View view = view_of(camera, 1280, 720);
  const auto seen_at = [&](float height) {
    return view.clip_from_world * glm::vec4(position.x, position.y + height, position.z, 1);
  };
  const glm::vec4 head = seen_at(kHead), chest = seen_at(kChest);
  if (head.w <= 0 || std::abs(head.x) > 1.15f * head.w + 0.5f || head.y > head.w) return false;
  return chest.y > chest.w || glm::distance(view.eye, glm::vec3(position.x, view.eye.y, position.z)) < kNear;
}

float scale_of(std::span<const Model> models) {
  constexpr float kPersonWidth = 0.47f;  // meters
  return body_width(models) / kPersonWidth;
}

People::People(std::span<const Model> models, const SceneRequest& request)
    : models_(models),
      count_(request.count),
      seed_(request.seed),
      children_(request.children),
      scale_(scale_of(models)),
      dealt_(deal_models(request.count, uint32_t(models.size()), request.seed)) {
  people_.reserve(request.count);
}

float People::next_scale() const { return draw_scale(!is_bearded(models_[next()])); }

float People::draw_scale(bool may_be_child) const {
  Random own{mix(seed_ ^ mix(people_.size() ^ 0x686569676874))};
  const bool child = own.unit() < children_ && may_be_child;
  return child ? own.between(kShortestChild, kTallestChild) : own.between(kShortest, kTallest);
}

uint16_t People::add_role(const Role& role) {
  roles_.push_back(role);
  has_children_.push_back(false);
  return uint16_t(roles_.size() - 1);
}

uint16_t People::add_walk(uint8_t act, const Oval& loop, Vec3 center, bool backward, bool with_children) {
  Role role{.act = act, .backward = backward, .center = center * scale_};
  role.loop = {loop.half_straight * scale_, loop.radius * scale_};
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

/// The next one of the shuffled models if it fits; else another one that does, if there is one.
template <class Fits>
uint32_t People::next_model(Fits fits) const {
  const uint32_t next = dealt_[people_.size()], first = uint32_t(random().next() % models_.size());
  if (fits(next)) return next;
  for (uint32_t i = 0; i < models_.size(); ++i) {
    const uint32_t model = (first + i) % uint32_t(models_.size());
    if (fits(model)) return model;
  }
  return next;
}

bool People::has_arms(uint32_t model, Arms arms) const {
  return arms == Arms::kAny || is_armed_look(models_[model].name) == (arms == Arms::kSome);
}

Placed& People::add(uint32_t model, uint16_t role, Outfit outfit, float scale) {
  Random own = random();
  Placed& person = people_.emplace_back(Placed{model, {}});
  person.instance.role = role;
  do person.instance.tint = make_tint(models_[model], own, outfit.top);
  while (is_child(scale) && has_gray_hair(person.instance.tint));
  if (outfit.trousers) person.instance.tint = with_trousers(person.instance.tint, *outfit.trousers);
  set_random(own.next(), person.instance);
  return person;
}

void People::stand(uint16_t role, Vec3 position, float heading, Outfit outfit, Arms arms) {
  if (full()) return;
  Random own{mix(seed_ ^ mix(people_.size() ^ 0x7374616e64))};
  const float scale = draw_scale(arms == Arms::kNone);
  const auto fits = [&](uint32_t of) { return has_arms(of, arms) && !(is_child(scale) && is_bearded(models_[of])); };
  Placed& person = add(next_model(fits), role, outfit, scale);
  const CrowdInstance placed = place_instance(position * scale_, heading, scale);
  person.instance.position = placed.position, person.instance.turn = placed.turn;
  person.instance.start = placed.start;
  person.instance.speed = own.between(0.9f, 1.1f);
}

void People::place(uint16_t role, const CrowdInstance& placed, Outfit outfit) {
  if (full()) return;
  Random own{mix(seed_ ^ mix(people_.size() ^ 0x706c616365))};
  Placed& person = add(next(), role, outfit, placed.turn.scale());
  person.instance.position = placed.position, person.instance.turn = placed.turn;
  person.instance.start = placed.start;
  person.instance.speed = own.between(0.9f, 1.1f);
}

void People::walk(uint16_t role, float meters, Outfit outfit, Arms arms) {
  if (full()) return;
  const float scale = std::round(draw_scale(has_children_[role] && arms == Arms::kNone) * kScaleSteps) / kScaleSteps;
  const auto grown = [&](uint32_t of) { return !(is_child(scale) && is_bearded(models_[of])); };
  uint32_t model = next_model([&](uint32_t of) { return walks(of, role) && has_arms(of, arms) && grown(of); });
  if (!walks(model, role)) model = next_model([&](uint32_t of) { return walks(of, role); });
  const float speed = roles_[role].meters_per_second;
  const Place place = place_on_loop(roles_[role], meters * scale_);
  Placed& person = add(model, role, outfit, scale);
  const CrowdInstance placed = place_instance(place.position, std::atan2(place.along.x, place.along.z), scale);
  person.instance.position = placed.position, person.instance.turn = placed.turn;
  person.instance.start = meters * scale_;
  if (speed > 0 && walks(model, role))
    person.instance.speed = speed / (models_[model].acts[roles_[role].act].walk->speed() * scale);
}

Scene People::scene(Architecture& built, std::span<const Lamp> lamps) const {
  Scene scene = gather(models_, people_);
  scene.highest_stand = built.highest();
  scene.stands = built.take();
  for (const Lamp& lamp : lamps)
    scene.lamps.push_back({lamp.position * scale_, lamp.reach * scale_, lamp.color * (scale_ * scale_)});
  scene.roles = roles_;
  for (const Role& role : roles_) scene.meters_per_second = std::max(scene.meters_per_second, role.meters_per_second);
  return scene;
}

}  // namespace sinew::app
