// The models and instances of a scene as sinew::crowd takes them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "scene/camera.h"
#include "scene/model.h"
#include "scene/scene.h"
#include "sinew/asset/parallel.h"
#include "sinew/crowd/frame.h"
#include "sinew/crowd/model_info.h"

namespace sinew::app {

/// What a scene's instances look like to a planner. Points to the models, the scene and itself.
struct CrowdInput {
  CrowdInput(std::span<const Model> models, const Scene& scene);
  CrowdInput(const CrowdInput&) = delete;
  CrowdInput& operator=(const CrowdInput&) = delete;

  /// Takes the places of the scene's instances again. Allocates nothing.
  void follow_scene(const ParallelFor& parallel_for);

  crowd::Instances instances() const;
  /// The sun, where a view has shadow maps.
  std::optional<crowd::SunShadows> shadows(const View& view) const;

  std::span<const Model> models;
  const Scene& scene;
  std::vector<crowd::ModelInfo> characters;  // one per model, without levels; height in meters

  // One element per instance, besides those of the scene: 20 bytes.
  std::vector<uint32_t> model_of;
  std::vector<crowd::Sphere> spheres;
  float floor = 0;  // y, meters: no instance reaches lower, and no ground is lower
};

/// The view of a frame as a planner takes it.
crowd::View to_crowd(const View& view);

}  // namespace sinew::app
