// Plans the frames of a scene: its models and instances as sinew::crowd takes them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "scene/camera.h"
#include "scene/model.h"
#include "scene/scene.h"
#include "sinew/crowd/planner.h"

namespace sinew::app {

/// What a scene's instances look like to a planner. Points to the models, the scene and itself.
struct CrowdInput {
  /// With a `level` every instance is drawn at that level of detail, or at the coarsest that its model has.
  CrowdInput(std::span<const Model> models, const Scene& scene, std::optional<uint32_t> level = {});
  CrowdInput(const CrowdInput&) = delete;
  CrowdInput& operator=(const CrowdInput&) = delete;

  /// Takes the places of the scene's instances again. Allocates nothing.
  void follow_scene(const ParallelFor& parallel_for);

  crowd::Instances instances() const;
  /// A frame without views.
  crowd::Frame frame(const View& view, double seconds) const;

  std::span<const Model> models;
  const Scene& scene;
  std::vector<std::vector<crowd::Level>> levels;  // of each model
  std::vector<crowd::CharacterInfo> characters;   // one per model

  // One element per instance.
  std::vector<uint32_t> model_of;
  std::vector<Matrix3x4> world_from_model;
  std::vector<Vec3> positions;
  std::vector<float> speeds;
  std::vector<crowd::Sphere> soft_shadows, spheres;
  std::vector<Pace> paces;
  std::vector<uint8_t> phases;
  float floor = 0;  // y, meters: no instance reaches lower, and no ground is lower
};

/// The view of a frame as a planner takes it.
crowd::View to_crowd(const View& view);

/// Plans the frames of one scene. One call at a time.
class ScenePlanner {
 public:
  /// `models`, `scene` and what `parallel_for` points to must outlive the planner. `level` is as in CrowdInput, and
  /// needs Options::levels.
  static Result<ScenePlanner> create(std::span<const Model> models, const Scene& scene, const crowd::Options& options,
                                     const ParallelFor& parallel_for, std::optional<uint32_t> level = {});

  /// Plans the frame at `seconds` of scene time, for which move_scene() has placed the instances. Fails where the
  /// memory budget is too small; the message names it, and the memory that is needed.
  Status plan(const View& view, double seconds);
  const crowd::Plan& last() const { return planner_.last(); }

  crowd::Planner& planner() { return planner_; }
  const crowd::Planner& planner() const { return planner_; }

 private:
  ScenePlanner(std::unique_ptr<CrowdInput> input, crowd::Planner planner, const crowd::Options& options,
               const ParallelFor& parallel_for)
      : input_(std::move(input)), planner_(std::move(planner)), options_(options), parallel_for_(parallel_for) {}

  std::unique_ptr<CrowdInput> input_;
  crowd::Planner planner_;
  crowd::Options options_;
  ParallelFor parallel_for_;
};

}  // namespace sinew::app
