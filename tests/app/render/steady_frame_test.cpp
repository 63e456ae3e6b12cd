// A steady frame of a crowd allocates nothing: from the plan to the recorded commands.
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "built_in.h"
#include "child.h"
#include "gpu/host.h"
#include "heap_faults.h"
#include "render/renderer.h"
#include "scene/baking.h"
#include "scene/footing.h"
#include "scene/scenes/scenes.h"

namespace sinew::app {
namespace {

/// Without validation layers, which allocate from the same heap.
class SteadyFrame : public ::testing::Test {
 protected:
  void SetUp() override {
    SINEW_SKIP_WITHOUT_DEVICE();
    GraphicsOptions options;
    options.buffer_addresses = true;  // velocity reads them
    ASSERT_TRUE(set_up(options, context_));
    models_ = test::built_in_models();
    ASSERT_NO_FATAL_FAILURE(test::prepare_models(models_));
    scene_ = make_scene(models_, 1200, 3);
    // All work is on this thread, whose heap is counted.
    evaluation_ = std::make_unique<Evaluation>(models_, 1, EvaluatorKind::kCrowd);
  }

  /// Counts the allocations of frames 10 to 20, when they are drawn for the third time: instances that come into view
  /// may need more memory once, and so may those that have other levels when they come back.
  void count_allocations(RendererInfo info, int64_t& count) {
    info.skinning.evaluation = evaluation_.get();
    info.draw.rasterize = false;
    info.samples = 1, info.width = 64, info.height = 36;
    auto renderer = must(Renderer::create(context_.device, models_, scene_, info));
    count = 0;
    for (uint32_t drawn = 0; drawn < 63; ++drawn) {
      const uint32_t frame = drawn % 21;
      FrameRequest request{.seconds = frame / 60.0, .camera = frame_crowd(scene_, frame / 60.0)};
      EXPECT_TRUE(renderer->begin_frame());
      const int64_t before = test::heap_allocations();
      place_scene(models_, request.camera, request.seconds, evaluation_->pool().parallel_for(), scene_);
      EXPECT_TRUE(renderer->draw_frame(request));
      if (drawn >= 52) count += test::heap_allocations() - before;
    }
    EXPECT_TRUE(renderer->finish());
    EXPECT_GT(renderer->plan().counters.visible, 200);
  }

  GraphicsContext context_;
  std::vector<Model> models_;
  Scene scene_;
  std::unique_ptr<Evaluation> evaluation_;
};

TEST_F(SteadyFrame, AllocatesNothing) {
  RendererInfo info;
  info.skinning.planner.unique_poses = 300;
  int64_t count = -1;
  count_allocations(info, count);
  EXPECT_EQ(count, 0);
  info.skinning.planner = {.update_rate = false};
  count_allocations(info, count);
  EXPECT_EQ(count, 0) << "without shared poses";
  if (!context_.device.buffer_addresses) GTEST_SKIP() << "SKIPPED: without buffer addresses no velocity is drawn";
  info.draw.coloring = Coloring::kVelocity;
  count_allocations(info, count);
  EXPECT_EQ(count, 0) << "with previous poses";
}

TEST_F(SteadyFrame, AllocatesNothingInAnyScene) {
  for (const SceneKind& kind : scene_kinds()) {
    SCOPED_TRACE(kind.name);
    std::vector<Model> models = models_;
    if (kind.choose_clips) kind.choose_clips(models_[0]);
    scene_ = kind.make(models_, {1000, 3});
    evaluation_ = std::make_unique<Evaluation>(models_, 1, EvaluatorKind::kCrowd);
    RendererInfo info;
    info.skinning.planner.update_rate = false;
    int64_t count = -1;
    count_allocations(info, count);
    EXPECT_EQ(count, 0);
    models_ = std::move(models);
  }
}

}  // namespace
}  // namespace sinew::app
