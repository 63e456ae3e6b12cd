#include "scene/scenes/placing.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>

#include "scene/clip_motion.h"
#include "scene/names.h"

namespace sinew::app {
namespace {

constexpr float kShoulders = 0.27f;    // of a person's height
constexpr float kPersonWidth = 0.47f;  // meters, of a person
constexpr float kStraight = 0.02f;     // share of the speed: clips that walk more to one side do not walk on loops

/// Clips of standing people; all where there are none.
std::vector<uint32_t> standing(const Model& model) {
  std::vector<uint32_t> clips = clips_with(model, kGaitWords, false);
  std::erase_if(clips, [&](uint32_t clip) { return has_word(model.character.clips[clip].name, kSeatedWords); });
  return clips.empty() ? model.clips : clips;
}

/// The clip straight ahead, in place, that is the nearest to the speed of a wish.
std::optional<Act> walking(const Model& model, const ActWish& wish) {
  std::optional<Act> best;
  for (const uint32_t clip : clips_with(model, wish.words)) {
    const auto motion = measure_clip_motion(model, clip);
    if (!motion || length(motion->in_clip) > 0 || motion->velocity.z < 0) continue;
    if (std::abs(motion->velocity.x) > kStraight * motion->speed()) continue;
    const auto cost = [&](const ClipMotion& of) { return std::abs(std::log(of.speed() / wish.meters_per_second)); };
    if (!best || cost(*motion) < cost(*best->walk)) best = Act{{clip}, false, motion, {}};
  }
  return best;
}

Act act_of(const Model& model, const ActWish& wish) {
  if (wish.meters_per_second > 0) return walking(model, wish).value_or(Act{standing(model), true, {}, {}});
  Act act{clips_with(model, wish.words), wish.changes_clips, {}, {}};
  if (!has_word("sit", wish.words))
    std::erase_if(act.clips, [&](uint32_t clip) { return has_word(model.character.clips[clip].name, kSeatedWords); });
  if (act.clips.empty()) act.clips = standing(model);
  for (const uint32_t clip : act.clips) {
    if (wish.waves && has_word(model.character.clips[clip].name, " cheer | cheering ")) act.wave = clip;
  }
  return act;
}

}  // namespace

Scene gather(std::span<const Model> models, std::span<const Placed> people) {
  Scene scene;
  scene.reserve(people.size());
  for (uint32_t model = 0; model < models.size(); ++model) {
    scene.models.push_back(place_of(models[model]));
    const uint32_t first = scene.count();
    for (const Placed& person : people) {
      if (person.model == model) scene.add(person.instance);
    }
    if (scene.count() == first) continue;
    scene.batches.push_back({model, first, scene.count() - first});
    scene.tallest = std::max(scene.tallest, models[model].height);
    scene.widest = std::max(scene.widest, models[model].radius);
  }
  return scene;
}

Vec3 sunflower_position(uint32_t index, float spacing) {
  const float golden_angle = kPi * (3 - std::sqrt(5.0f));
  const float radius = spacing * std::sqrt((float(index) + 0.5f) / kPi);
  const float angle = float(std::fmod(double(index) * golden_angle, 2.0 * std::numbers::pi));
  return {radius * std::cos(angle), 0, radius * std::sin(angle)};
}

float body_width(std::span<const Model> models) {
  float width = 0;
  for (const Model& model : models) width = std::max(width, kShoulders * model.size());
  return width;
}

float scale_of(std::span<const Model> models) { return body_width(models) / kPersonWidth; }

bool crops(const Orbit& camera, Vec3 position) {
  constexpr float kHead = 1.9f, kChest = 0.9f, kNear = 2.6f, kFar = 15;  // meters
  const glm::vec3 eye = eye_of(camera);
  const float away = std::hypot(position.x - eye.x, position.z - eye.z);
  if (away > kFar) return false;
  const View view = view_of(camera, 1280, 720);
  const auto seen_at = [&](float height) {
    return view.clip_from_world * glm::vec4(position.x, position.y + height, position.z, 1);
  };
  const glm::vec4 head = seen_at(kHead), chest = seen_at(kChest);
  if (head.w <= 0 || std::abs(head.x) > 1.15f * head.w + 0.5f || head.y > head.w) return false;
  return chest.y > chest.w || away < kNear;
}

std::vector<uint32_t> clips_with(const Model& model, std::string_view words, bool wanted) {
  std::vector<uint32_t> clips = model.clips;
  std::erase_if(clips, [&](uint32_t clip) { return has_word(model.character.clips[clip].name, words) != wanted; });
  return clips;
}

void keep_clips(Model& model, std::vector<uint32_t> clips) {
  if (clips.empty()) return;
  model.clips = std::move(clips);
  restrict_overlay(model);
}

void choose_acts(Model& model, std::span<const ActWish> wishes) {
  if (model.clips.empty()) return;
  std::vector<uint32_t> played;  // with those of waves, which are among their act's
  for (const ActWish& wish : wishes) {
    const Act& act = model.acts.emplace_back(act_of(model, wish));
    played.insert(played.end(), act.clips.begin(), act.clips.end());
  }
  std::ranges::sort(played);
  played.erase(std::unique(played.begin(), played.end()), played.end());
  keep_clips(model, std::move(played));
}

}  // namespace sinew::app
