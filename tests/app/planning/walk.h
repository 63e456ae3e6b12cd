// A walk through a crowd: plans one frame after the other, with a moving camera.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "asset/larger_error.h"
#include "built_in.h"
#include "instances.h"
#include "planning/planning.h"
#include "scene/exact_poses.h"

namespace sinew::test {}
namespace sinew::app::test {
using namespace sinew::test;  // in sinew::app, test:: is both

using sinew::test::Planning;

/// The built-in character as a crowd has it. Its coarse levels have few vertices to compare.
inline const std::vector<Model>& planned_models() {
  static const std::vector<Model> models = [] {
    std::vector<Model> made = built_in_models();
    prepare_models(made);
    return made;
  }();
  return models;
}

/// A crowd and a moving camera. Plans one frame after the other.
class Walk {
 public:
  explicit Walk(uint32_t count, const crowd::PlanOptions& options = {})
      : scene_(make_scene(planned_models(), count, 3)), planner_(planned_models(), scene_, options, pool_) {}

  /// The next frame, `frame_seconds` later.
  const crowd::Plan& step(const Orbit& orbit, double frame_seconds = 1 / 60.0) {
    view_ = view_of(orbit, 1280, 720);
    return planner_.plan(view_, seconds_ += frame_seconds);
  }
  const Scene& scene() const { return scene_; }
  double seconds() const { return seconds_; }
  Planning& planner() { return planner_; }

  /// Where a point of an instance's model is in the last picture.
  glm::vec2 pixel(uint32_t instance, Vec3 position) const {
    const Vec3 p = transform_point(world_from_model(scene_, instance), position);
    const glm::vec4 clip = view_.clip_from_world * glm::vec4(p.x, p.y, p.z, 1);
    return {clip.x / clip.w * 640, clip.y / clip.w * 360};
  }

  /// Calls `call` for each instance, with the index of its posed mesh and the batch of that.
  static void for_each_instance(
      const crowd::Plan& plan,
      const std::function<void(const crowd::PosedBatch&, uint32_t mesh, uint32_t instance)>& call) {
    for (const crowd::PosedBatch& batch : plan.batches) {
      for (uint32_t m = batch.first_mesh; m < batch.first_mesh + batch.mesh_count; ++m) {
        const crowd::PosedMesh& posed = plan.posed_meshes[m];
        for (uint32_t i = posed.first_instance; i < posed.first_instance + posed.instance_count; ++i)
          call(batch, m, plan.instances[i]);
      }
    }
  }

  /// The largest distance in pixels between a vertex as it is drawn, at `level`, and as it would be drawn if updated in
  /// this frame.
  double pixels_off(const crowd::Plan& plan, uint32_t level, uint32_t posed_mesh, uint32_t index) const {
    const Model& model = planned_models()[0];
    const auto drawn = exact_positions(model, level, plan.playbacks[posed_mesh]),
               exact = exact_positions(model, level, playback_at(model, scene_.pace(index), seconds_));
    double max = 0;
    for (size_t v = 0; v < drawn.size(); ++v) {
      const glm::vec2 a = pixel(index, drawn[v]), b = pixel(index, exact[v]);
      max = sinew::internal::larger_error(max, double(std::hypot(a.x - b.x, a.y - b.y)));
    }
    return max;
  }

 private:
  Scene scene_;
  ThreadPool pool_{1};
  Planning planner_;
  View view_;
  double seconds_ = 20;
};

/// A camera that approaches the crowd and recedes again, with a period of 48 frames.
inline Orbit approach(uint32_t frame) {
  const float share = std::abs(float(frame % 48) - 24) / 24;
  return {{0, 0.9f, 0}, 0.4f + 0.01f * float(frame), 0.2f, 6 + 60 * share};
}

}  // namespace sinew::app::test
