// The memory budget: which quality limits it reduces, in which order, and what it counts.
#include "crowd/budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "built_in.h"
#include "planning/planning.h"

namespace sinew::app {
namespace {

using crowd::internal::needed_bytes;
using crowd::internal::reduced;

std::vector<Model> built_in_with_levels() {
  std::vector<Model> models = test::built_in_models();
  EXPECT_TRUE(add_levels(models[0]));
  return models;
}

TEST(Budget, ReducesLevelsThenPosesThenNothing) {
  crowd::QualityLimits limits;
  std::vector<float> pixels;
  std::vector<uint32_t> poses;
  while (const auto next = reduced(limits, true)) {
    EXPECT_TRUE(next->error_pixels > limits.error_pixels || limits.error_pixels == 64);
    EXPECT_EQ(next->error_pixels < 64 ? next->unique_poses : 0, 0u) << "poses are reduced before levels";
    limits = *next;
    (limits.unique_poses ? poses.push_back(limits.unique_poses) : pixels.push_back(limits.error_pixels));
  }
  EXPECT_EQ(pixels, (std::vector<float>{2, 4, 8, 16, 32, 64}));
  EXPECT_EQ(reduced({48, 0}, true)->error_pixels, 64);
  EXPECT_EQ(poses, (std::vector<uint32_t>{4096, 2048, 1024, 512, 256}));
  EXPECT_EQ(reduced({1, 800}, false)->error_pixels, 1) << "there are no levels to reduce";
  EXPECT_EQ(reduced({1, 800}, false)->unique_poses, 400u) << "starts from the given number of poses";
  EXPECT_FALSE(reduced({64, 5}, true)) << "fewer poses than any budget leaves";
}

class BudgetOfACrowd : public ::testing::Test {
 protected:
  BudgetOfACrowd() : models_(built_in_with_levels()), scene_(make_scene(models_, 2000, 3)) {}

  View view() const { return view_of(frame_crowd(scene_), 1280, 720); }
  test::Planning planner_with(const crowd::MemoryBudget& budget) {
    return test::Planning(models_, scene_, {.cull = false, .budget = budget}, pool_);
  }
  uint64_t needed(const crowd::Plan& plan, const crowd::MemoryBudget& budget) const {
    return needed_bytes(test::PlannerInput(models_, scene_).characters, plan, budget);
  }

  std::vector<Model> models_;
  Scene scene_;
  ThreadPool pool_{1};
};

TEST_F(BudgetOfACrowd, ReducedLimitsStayReduced) {
  test::Planning unlimited = planner_with({.bytes = uint64_t(1) << 40});
  ASSERT_TRUE(unlimited.try_plan(view(), 20));
  EXPECT_EQ(unlimited.planner().limits().error_pixels, 1);
  test::Planning planner = planner_with({.bytes = unlimited.planner().max_needed_bytes() / 2});
  ASSERT_TRUE(planner.try_plan(view(), 20));
  const crowd::QualityLimits limits = planner.planner().limits();
  EXPECT_GT(limits.error_pixels, 1);
  const View distant = view_of({{}, 0, 0.3f, 5000}, 1280, 720);
  ASSERT_TRUE(planner.try_plan(distant, 21));
  EXPECT_EQ(planner.planner().limits().error_pixels, limits.error_pixels);
  EXPECT_GE(planner.planner().max_needed_bytes(), needed(planner.last(), {}))
      << "max_needed_bytes() is not that of the largest frame";
}

TEST_F(BudgetOfACrowd, CountsTheFramesThatAreKept) {
  test::Planning planning(models_, scene_, {.cull = false, .levels = false}, pool_);
  const crowd::Plan& plan = planning.plan(view(), 20);
  // Bytes of pages, without the half that needed_bytes() adds for growth.
  const auto pages = [&](const crowd::MemoryBudget& budget) {
    return (needed(plan, budget) - needed(crowd::Plan(), budget)) * 2 / 3;
  };
  // Palettes with the morph weights behind them, each in blocks of four matrices.
  const Mesh& mesh = models_[0].character.mesh;
  const uint32_t matrices = models_[0].character.skin.palette_size(), weights = mesh.target_count();
  const uint64_t palettes = 2000 * uint64_t((matrices + 3) / 4 + (weights + 47) / 48) * 192;
  const uint64_t vertices = 2000 * uint64_t(mesh.vertex_count());
  EXPECT_EQ(pages({.kept_palettes = 3, .kept_vertices = 1}), 3 * palettes + 16 * vertices);
  EXPECT_EQ(pages({.kept_palettes = 3, .kept_vertices = 0}), 3 * palettes);
  EXPECT_EQ(pages({.kept_palettes = 1, .kept_vertices = 2, .vertex_bytes = 12}), palettes + 24 * vertices);
}

}  // namespace
}  // namespace sinew::app
