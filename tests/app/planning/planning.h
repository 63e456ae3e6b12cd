// Plans of a scene for tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <vector>

#include "must.h"
#include "scene/crowd_input.h"
#include "sinew/crowd/planner.h"
#include "system/thread_pool.h"

namespace sinew::test {

/// What a scene looks like to a planner: as the program gives it, with levels of detail as SkinnedCrowd adds them.
struct PlannerInput : app::CrowdInput {
  PlannerInput(std::span<const app::Model> of_models, const app::Scene& of_scene) : CrowdInput(of_models, of_scene) {
    for (const app::Model& model : models) {
      auto& own = levels.emplace_back();
      for (uint32_t level = 0; level < model.level_count(); ++level) {
        const Mesh& mesh = model.mesh(level);
        const float error = level == 0 ? 0 : model.levels[level - 1].error * model.meters_per_unit();
        own.push_back({error, mesh.vertex_count(), 32 * mesh.vertex_count() + 8 * mesh.influences.size()});
      }
    }
    for (size_t i = 0; i < levels.size(); ++i) characters[i].levels = levels[i];
  }

  std::vector<std::vector<crowd::Level>> levels;  // of each model
};

class Planning {
 public:
  Planning(std::span<const app::Model> models, const app::Scene& scene, const crowd::PlanOptions& options,
           app::ThreadPool& pool)
      : input_(std::make_unique<PlannerInput>(models, scene)), parallel_for_(pool.parallel_for()) {
    planner_ = must(crowd::Planner::create(input_->characters, options, parallel_for_));
  }

  Status try_plan(const app::View& view, double seconds) {
    input_->follow_scene(parallel_for_);
    const crowd::View of_crowd = app::to_crowd(view);
    return planner_.plan(input_->instances(), {seconds, {&of_crowd, 1}, input_->shadows(view)}, parallel_for_);
  }
  /// Expects that it succeeds.
  const crowd::Plan& plan(const app::View& view, double seconds) {
    must(try_plan(view, seconds));
    return planner_.last();
  }
  const crowd::Plan& last() const { return planner_.last(); }
  crowd::Planner& planner() { return planner_; }

 private:
  std::unique_ptr<PlannerInput> input_;
  ParallelFor parallel_for_;
  crowd::Planner planner_;
};

}  // namespace sinew::test
