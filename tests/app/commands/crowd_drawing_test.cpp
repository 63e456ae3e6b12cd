// Options that change while a window draws: what is drawn afterwards, and what is left of a change that fails.
#include "crowd/drawing.h"

#include <gmock/gmock.h>

#include "renderer_fixture.h"

namespace sinew::app::test {
namespace {

using ::testing::HasSubstr;

class ChangedDrawing : public RendererTest {
 protected:
  void prepare() override {
    prepare_models();
    evaluation_ = std::make_unique<Evaluation>(models_, 1, EvaluatorKind::kCrowd);
    options_.scene = "crowd", options_.characters = 20;
    options_.width = 160, options_.height = 120;
    options_.samples = 1;
  }

  void TearDown() override {
    renderer_.reset();
    if (IsSkipped()) return;
    EXPECT_EQ(validation_messages(context_.instance), 0u);
  }

  void draw_first() {
    scene_ = make_scene(models_, options_.characters, options_.seed);
    renderer_ = must(create_renderer(inputs(), scene_, options_, options_.skinning.front()));
    draw();
  }

  void draw() { complete_frame(*renderer_, request()); }

  CrowdInputs inputs() { return {context_.device, models_, *evaluation_}; }
  FrameRequest request() { return {.seconds = 2, .camera = frame_crowd(scene_)}; }

  /// The problem of a change; empty: none.
  std::string change(const CrowdOptions& wanted) {
    CrowdDrawing drawing(inputs(), options_, scene_, renderer_);
    return must(drawing.change(wanted, request()));
  }

  CrowdOptions options_;
  std::unique_ptr<Renderer> renderer_;
};

TEST_F(ChangedDrawing, DrawsWithTheNewOptions) {
  draw_first();
  CrowdOptions wanted = options_;
  wanted.characters = 70;
  wanted.skinning = {SkinningMode::kVertex};
  wanted.draw.passes = 4;
  wanted.optimizations.cull = false;
  EXPECT_EQ(change(wanted), "");
  EXPECT_EQ(options_.characters, 70u);
  EXPECT_EQ(scene_.count(), 70u);
  EXPECT_EQ(renderer_->plan().counters.visible, 70u) << "a frame was tried, without culling";
  EXPECT_EQ(renderer_->skinning().mode(), SkinningMode::kVertex);
  EXPECT_EQ(renderer_->shadow_maps().count, 2u);
  EXPECT_EQ(renderer_->target().width, 160u);
  draw();
}

TEST_F(ChangedDrawing, ColorsKeepTheRenderer) {
  draw_first();
  const Renderer* before = renderer_.get();
  for (const Coloring coloring : {Coloring::kVertices, Coloring::kLevel, Coloring::kUpdateGroup, Coloring::kLit}) {
    CrowdOptions wanted = options_;
    wanted.draw.coloring = coloring;
    EXPECT_EQ(change(wanted), "");
    EXPECT_EQ(renderer_.get(), before);
    EXPECT_EQ(options_.draw.coloring, coloring);
    draw();
  }
}

TEST_F(ChangedDrawing, AChangeThatFailsLeavesTheLastOptions) {
  options_.memory_budget = 24 << 20;
  options_.draw.coloring = Coloring::kVertices;
  draw_first();
  CrowdOptions wanted = options_;
  wanted.characters = 2000;
  wanted.optimizations = {.cull = false, .levels = false, .update_rate = false};
  EXPECT_THAT(change(wanted), HasSubstr("--memory-budget"));
  EXPECT_EQ(options_.characters, 20u);
  EXPECT_TRUE(options_.optimizations.levels);
  EXPECT_EQ(scene_.count(), 20u);
  draw();
  EXPECT_LE(renderer_->plan().counters.visible, 20u);
}

}  // namespace
}  // namespace sinew::app::test
