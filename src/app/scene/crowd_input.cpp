#include "scene/crowd_input.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/type_ptr.hpp>

#include "shared/crowd.h"
#include "sinew/crowd/planner.h"

namespace sinew::app {
namespace {

crowd::ModelInfo info_of(const Model& model) {
  crowd::ModelInfo info;
  info.character = &model.character;
  info.bounds = model.has_bounds ? &model.bounds : nullptr;
  info.baked = model.has_bounds ? &model.baked : nullptr;
  info.clips = model.clips;
  info.height = model.height;
  const Matrix3x4d model_from_world = inverse(matrix_cast<double>(model.world_from_model));
  info.middle = transform_point(model_from_world, {0, model.height / 2, 0});
  return info;
}

/// Feet and heads that reach for something leave the bounds of the clips by less.
constexpr float kReach = 0.3f;  // of the model's height

/// The bounding sphere of the soft shadow's quad in soft_shadow.vert.
crowd::Sphere soft_shadow_of(const Scene& scene, uint32_t model, uint32_t instance) {
  const Vec3 to_sun = colors_of(scene.light).to_sun, away = normalize(Vec3{-to_sun.x, 0, -to_sun.z});
  const float r = shadow_radius(scene, model, instance);
  return {scene.positions[instance] + away * (r * (shared::kShadowHalfLength - shared::kShadowStart)),
          r * std::hypot(shared::kShadowHalfLength, 1.0f)};
}

crowd::Sphere sphere_of(const CrowdInput& input, uint32_t instance) {
  const uint32_t model = input.model_of[instance];
  crowd::Sphere sphere = crowd::bounding_sphere(input.characters[model], world_from_model(input.scene, model, instance),
                                                soft_shadow_of(input.scene, model, instance));
  if (input.scene.terrain) sphere.radius += kReach * input.characters[model].height;
  return sphere;
}

Matrix3x4 transform_of(void* input, uint32_t instance) {
  const auto& own = *static_cast<const CrowdInput*>(input);
  return world_from_model(own.scene, own.model_of[instance], instance);
}

crowd::Sphere extra_sphere_of(void* input, uint32_t instance) {
  const auto& own = *static_cast<const CrowdInput*>(input);
  return soft_shadow_of(own.scene, own.model_of[instance], instance);
}

Playback playback_of(void* input, uint32_t instance, double seconds) {
  const auto& own = *static_cast<const CrowdInput*>(input);
  if (!own.scene.playbacks.empty()) return own.scene.playbacks[instance];
  return playback_at(own.models[own.model_of[instance]], own.scene.pace(instance), seconds);
}

}  // namespace

CrowdInput::CrowdInput(std::span<const Model> of_models, const Scene& of_scene) : models(of_models), scene(of_scene) {
  for (const Model& model : models) characters.push_back(info_of(model));
  model_of.resize(scene.count());
  for (const Batch& batch : scene.batches)
    std::fill_n(model_of.begin() + batch.first_instance, batch.instance_count, batch.model);
  spheres.resize(scene.count());
  for (uint32_t i = 0; i < scene.count(); ++i) {
    spheres[i] = sphere_of(*this, i);
    floor = std::min(floor, crowd::lowest_point(characters[model_of[i]], world_from_model(scene, model_of[i], i)));
  }
}

void CrowdInput::follow_scene(const ParallelFor& parallel_for) {
  constexpr uint32_t kAtOnce = 1024;
  for_each_index(parallel_for, (scene.count() + kAtOnce - 1) / kAtOnce, [&](uint32_t task) {
    for (uint32_t i = task * kAtOnce; i < std::min((task + 1) * kAtOnce, scene.count()); ++i)
      if (scene.moves(i)) spheres[i] = sphere_of(*this, i);
  });
}

crowd::Instances CrowdInput::instances() const {
  crowd::Instances instances;
  auto* const self = const_cast<CrowdInput*>(this);
  instances.models = model_of;
  instances.world_from_model_source = {self, transform_of};
  instances.playback_source = {self, playback_of};
  instances.extra_sphere_source = {self, extra_sphere_of};
  instances.speeds = scene.speeds;
  instances.positions = scene.positions;
  instances.spheres = spheres;
  instances.phases = scene.phases;
  instances.outfits = scene.outfits;
  instances.targets = scene.targets;
  return instances;
}

std::optional<crowd::SunShadows> CrowdInput::shadows(const View& view) const {
  if (view.shadows.empty()) return {};
  float texel = 0;
  for (const ShadowView& shadow : view.shadows) texel = std::max(texel, shadow.texel);
  return crowd::SunShadows{colors_of(scene.light).to_sun, floor, kShadowTexels * texel};
}

crowd::View to_crowd(const View& view) {
  crowd::View of_crowd;
  std::copy_n(glm::value_ptr(view.clip_from_world), 16, of_crowd.clip_from_world);
  of_crowd.eye = {view.eye.x, view.eye.y, view.eye.z};
  of_crowd.pixels_per_radian = view.pixels_per_radian;
  return of_crowd;
}

}  // namespace sinew::app
