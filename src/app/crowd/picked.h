// The person that was clicked on in the window of `sinew crowd`: which it is, what is known of it, and a ring around
// it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scene/camera.h"
#include "scene/lines.h"
#include "scene/model.h"
#include "scene/scene.h"
#include "sinew/animation/evaluator.h"
#include "sinew/crowd/plan.h"
#include "sinew/runtime/skinned_crowd.h"

namespace sinew::app {

/// The ray from the eye through a point of a picture: pixels from its upper left corner.
crowd::Ray ray_through(const Orbit& camera, uint32_t width, uint32_t height, float x, float y);

/// Rows of a panel, each a name and a value, of the instance that a ray has hit.
std::vector<std::pair<std::string, std::string>> describe_picked(std::span<const Model> models,
                                                                 const vulkan::SkinnedCrowd& crowd,
                                                                 const crowd::PickHit& hit);

/// A ring on the ground around an instance.
void add_ring(const Scene& scene, uint32_t instance, float thickness, Lines& lines);

/// The point that a camera looks at which follows an instance: its chest.
glm::vec3 chest_of(std::span<const Model> models, const Scene& scene, uint32_t instance);

// Lines that show how a crowd is drawn: bones of near instances, and what another camera sees. World space.

inline constexpr uint32_t kMaxInstancesWithBones = 200;

/// The bones of instances, as scene/lines.h draws them. Poses are those of the exact evaluator.
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
