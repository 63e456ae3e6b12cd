// A scene with its models, as tests of scenes use it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "built_in.h"
#include "crowd/models.h"
#include "scene/exact_poses.h"
#include "scene/footing.h"
#include "scene/scenes/scenes.h"

namespace sinew::test {

using app::Model;
using app::Scene;
using app::SceneKind;

/// The models of a scene as the program has them, without levels of detail.
inline std::vector<Model> our_models(std::string_view scene) {
  app::CrowdOptions options;
  options.scene = scene, options.optimizations.levels = false;
  return must(app::load_models(options));
}

/// A scene of the built-in character, and of a second model with its own clips.
struct Stage {
  std::vector<Model> models;
  Scene scene;

  Stage(const SceneKind& kind, uint32_t count, uint64_t seed = 1) : models(models_of(kind)) {
    scene = kind.make(models, {count, seed, kind.has_children ? 0.1f : 0.0f});
  }
  Stage(std::string_view name, uint32_t count) : Stage(*app::find_scene(name), count) {}

  /// They choose their clips once in a process.
  static const std::vector<Model>& models_of(const SceneKind& kind) {
    static std::map<std::string_view, std::vector<Model>> made;
    if (const auto found = made.find(kind.name); found != made.end()) return found->second;
    std::vector<Model>& models = made[kind.name];
    models.push_back(built_in());
    kind.choose_clips(models.front());
    models.push_back(models.front());
    return models;
  }

  const Model& model_of(uint32_t instance) const { return models[scene.model_of(instance)]; }

  /// Places all at a scene time, as a frame does.
  void place(double seconds) { app::place_scene(models, app::frame_crowd(scene, seconds), seconds, {}, scene); }

  /// The chain targets of an instance, as of the only one of a call.
  std::vector<ChainTarget> targets_of(uint32_t instance) const {
    std::vector<ChainTarget> targets;
    for (ChainTarget target : scene.targets) {
      if (target.instance != instance) continue;
      target.instance = 0;
      targets.push_back(target);
    }
    return targets;
  }

  /// The height of the ground, besides stands.
  float ground_at(Vec3 point) const { return scene.terrain ? scene.terrain->height(point.x, point.z) : 0; }

  /// The vertices of an instance in world space.
  std::vector<Vec3> vertices_of(uint32_t instance, double seconds) {
    place(seconds);
    return placed_vertices_of(instance, seconds);
  }
  /// The same after place(); or as the clips alone have it.
  std::vector<Vec3> placed_vertices_of(uint32_t instance, double seconds, bool with_targets = true) const {
    const Model& model = model_of(instance);
    const std::vector<ChainTarget> targets = with_targets ? targets_of(instance) : std::vector<ChainTarget>();
    const Playback playback = app::playback_at(model, scene.pace(instance), seconds);
    std::vector<Vec3> positions = app::exact_positions(model.character, model.character.skin, model.character.mesh,
                                                       playback, model.masks, {model.chains, targets});
    for (Vec3& position : positions) position = transform_point(app::world_from_model(scene, instance), position);
    return positions;
  }
};

/// The instances of a scale that only children have.
inline std::vector<uint32_t> children_of(const Scene& scene) {
  std::vector<uint32_t> children;
  for (uint32_t i = 0; i < scene.count(); ++i) {
    if (scene.looks[i].turn.scale() < 0.8f) children.push_back(i);
  }
  return children;
}

}  // namespace sinew::test
