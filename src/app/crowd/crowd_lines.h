// Lines that show how a crowd is drawn: bones of near instances, and what another camera sees. World space.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scene/camera.h"
#include "scene/lines.h"
#include "scene/scene.h"
#include "sinew/animation/evaluator.h"
#include "sinew/crowd/plan.h"

namespace sinew::app {

inline constexpr uint32_t kMaxInstancesWithBones = 200;

/// The bones of instances, as view/pose.h draws them. Poses are those of the exact evaluator.
class CrowdBones {
 public:
  explicit CrowdBones(std::span<const Model> models);

  /// A frame of a crowd, and the plan of the frame before it.
  struct Moment {
    const Scene& scene;
    const crowd::Plan& plan;
    const View& view;
    double seconds = 0;  // scene time
  };
  /// Adds the bones of those instances in the plan that are in front of the camera, at most kMaxInstancesWithBones,
  /// the nearest first. An instance that shares a pose has the bones of that pose. Takes some hundredths of a
  /// millisecond for each instance.
  void add(const Moment& moment, float thickness, Lines& lines);

 private:
  std::span<const Model> models_;
  std::vector<std::vector<bool>> moving_;  // moving_joints() of each model
  std::vector<Matrix3x4> palette_;
  EvaluationScratch scratch_;
};

/// The pyramid that a camera sees, from its eye to a depth of `length` meters.
void add_view_pyramid(const View& view, float length, float thickness, Lines& lines);

}  // namespace sinew::app
