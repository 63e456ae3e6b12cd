#include "scene/scenes/placing.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene/names.h"

namespace sinew::app {
namespace {

constexpr float kShoulders = 0.27f;  // of a person's height
constexpr float kSameSpeed = 0.01f;  // share: the measured speeds of one clip differ by less between two meshes

/// One overlay without its clip, or without clips that it is played over, is none.
void restrict_overlay(Model& model) {
  if (!model.arm_overlay) return;
  const auto is_kept = [&](uint32_t clip) { return std::ranges::find(model.clips, clip) != model.clips.end(); };
  std::erase_if(model.arm_overlay->base_clips, [&](uint32_t clip) { return !is_kept(clip); });
  if (!is_kept(model.arm_overlay->clip) || model.arm_overlay->base_clips.empty()) model.arm_overlay.reset();
}

std::vector<uint32_t> clips_with(const Model& model, std::span<const std::string_view> words, bool wanted) {
  std::vector<uint32_t> clips;
  for (const uint32_t clip : model.clips) {
    if (has_word(model.character.clips[clip].name, words) == wanted) clips.push_back(clip);
  }
  return clips;
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

Scene gather_walkers(std::span<const Model> models, std::span<const Placed> people, const Walkers& walkers) {
  Scene scene = gather(models, people);
  scene.meters_per_second = walkers.meters_per_second;
  for (uint32_t model = 0; model < models.size(); ++model) {
    if (!models[model].walk || dot(models[model].walk->in_clip, models[model].walk->in_clip) == 0) continue;
    scene.models[model].walked = &models[model].character.clips[models[model].clips.front()];
    scene.models[model].in_clip = models[model].walk->in_clip;
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

void keep_clips(Model& model, std::vector<uint32_t> clips) {
  if (clips.empty()) return;
  model.clips = std::move(clips);
  restrict_overlay(model);
}

void keep_named_clips(Model& model, std::span<const std::string_view> words) {
  keep_clips(model, clips_with(model, words, true));
}

void drop_named_clips(Model& model, std::span<const std::string_view> words) {
  keep_clips(model, clips_with(model, words, false));
}

void keep_walking_clip(Model& model, float meters_per_second) {
  const auto found = find_walking_clip(model, meters_per_second);
  if (!found) return;
  keep_clips(model, {found->clip});
  model.changes_clips = false;
  model.walk = found->motion;
}

Walkers find_walkers(std::span<const Model> models) {
  Walkers walkers;
  for (uint32_t i = 0; i < models.size(); ++i) {
    if (!models[i].walk) continue;
    walkers.models.push_back(i);
    walkers.meters_per_second += models[i].walk->speed();
  }
  if (!walkers.models.empty()) {
    walkers.meters_per_second /= float(walkers.models.size());
    return walkers;
  }
  for (uint32_t i = 0; i < models.size(); ++i) walkers.models.push_back(i);
  return walkers;
}

Placed place_walker(std::span<const Model> models, uint32_t index, Vec3 start, float scale, const Walkers& walkers) {
  const Model& model = models[index];
  const ClipMotion motion = model.walk.value_or(ClipMotion());
  const float heading = model.walk ? -std::atan2(motion.velocity.x, motion.velocity.z) : 0;
  Placed placed{index, place_instance(start, heading, scale)};
  if (!model.walk) return placed;
  // All have one speed; equal clips of several meshes also stay in step.
  const float speed = walkers.meters_per_second / (motion.speed() * scale);
  placed.instance.speed = scale == 1 && std::abs(speed - 1) < kSameSpeed ? 1 : speed;
  return placed;
}

}  // namespace sinew::app
