#include "scene/scenes/placing.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene/clip_names.h"

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

void keep_clips(Model& model, std::vector<uint32_t> clips) {
  if (clips.empty()) return;
  model.clips = std::move(clips);
  restrict_overlay(model);
}

std::vector<uint32_t> clips_with(const Model& model, std::span<const std::string_view> words, bool wanted) {
  std::vector<uint32_t> clips;
  for (const uint32_t clip : model.clips) {
    if (has_word(model.character.clips[clip].name, words) == wanted) clips.push_back(clip);
  }
  return clips;
}

Vec3 turned(Vec3 vector, float heading) {
  const float s = std::sin(heading), c = std::cos(heading);
  return {c * vector.x + s * vector.z, vector.y, c * vector.z - s * vector.x};
}

}  // namespace

Scene gather(std::span<const Model> models, std::span<const Placed> people, bool walks) {
  Scene scene;
  scene.instances.reserve(people.size());
  for (uint32_t model = 0; model < models.size(); ++model) {
    const Batch batch{model, uint32_t(scene.instances.size()), 0};
    for (const Placed& person : people) {
      if (person.model != model) continue;
      scene.instances.push_back(person.instance);
      if (walks) scene.walks.push_back(person.walk);
    }
    const uint32_t count = uint32_t(scene.instances.size()) - batch.first_instance;
    if (count == 0) continue;
    scene.batches.push_back({model, batch.first_instance, count});
    scene.tallest = std::max(scene.tallest, models[model].height);
    scene.widest = std::max(scene.widest, models[model].radius);
  }
  return scene;
}

Vec3 sunflower_position(uint32_t index, float spacing) {
  constexpr float kPi = std::numbers::pi_v<float>;
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
  Placed placed{index, place_instance(model, start, heading, scale), {}};
  const auto& m = placed.instance.world_from_model.m;
  placed.walk.start = start;
  placed.walk.offset = Vec3{m[0][3], m[1][3], m[2][3]} - start;
  if (!model.walk) return placed;
  placed.walk.in_clip = turned(motion.in_clip, heading) * scale;
  // All have one speed; equal clips of several meshes also stay in step.
  const float speed = walkers.meters_per_second / (motion.speed() * scale);
  placed.instance.speed = scale == 1 && std::abs(speed - 1) < kSameSpeed ? 1 : speed;
  placed.walk.velocity = {0, 0, walkers.meters_per_second / placed.instance.speed};
  return placed;
}

}  // namespace sinew::app
