// Plans of a scene for tests.
#pragma once

#include <gtest/gtest.h>

#include <span>

#include "scene/scene_planner.h"
#include "system/thread_pool.h"

namespace sinew::test {

/// A ScenePlanner whose plans succeed.
class Planning {
 public:
  Planning(std::span<const app::Model> models, const app::Scene& scene, const crowd::Options& options,
           app::ThreadPool& pool)
      : planner_(create(models, scene, options, pool)) {}

  const crowd::Plan& plan(const app::View& view, double seconds) {
    const Status planned = planner_.plan(view, seconds);
    EXPECT_TRUE(planned) << (planned ? "" : planned.error().message);
    return planner_.last();
  }
  const crowd::Plan& last() const { return planner_.last(); }
  crowd::Planner& planner() { return planner_.planner(); }

 private:
  static app::ScenePlanner create(std::span<const app::Model> models, const app::Scene& scene,
                                  const crowd::Options& options, app::ThreadPool& pool) {
    auto planner = app::ScenePlanner::create(models, scene, options, pool.parallel_for());
    EXPECT_TRUE(planner) << (planner ? "" : planner.error().message);
    return std::move(*planner);
  }

  app::ScenePlanner planner_;
};

}  // namespace sinew::test
