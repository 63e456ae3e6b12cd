// Tests that draw frames of the built-in character themselves, without a child process.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "built_in.h"
#include "child.h"
#include "gpu/host.h"
#include "render/renderer.h"

namespace sinew::test {}
namespace sinew::app::test {
using namespace sinew::test;  // in sinew::app, test:: is both

class RendererTest : public ::testing::Test {
 protected:
  /// Skips without a device. Creates it with validation layers, and loads the built-in character.
  void SetUp() override {
    SINEW_SKIP_WITHOUT_DEVICE();
    set_up_for(Coloring::kLit);
    prepare();
  }
  void set_up_for(Coloring coloring);
  /// What the tests of a suite need more.
  virtual void prepare() {}
  void prepare_models() { sinew::test::prepare_models(models_); }

  /// One sample a pixel, and the poses of `evaluation_`, which is made of `models_` where there is none.
  RendererInfo small_info(uint32_t width, uint32_t height, SkinningMode mode = SkinningMode::kCompute);
  /// A renderer of `scene_` that has drawn and completed one frame. The evaluation in `info` must outlive it.
  std::unique_ptr<Renderer> draw_frame(const std::vector<Model>& models, const RendererInfo& info);

  std::vector<uint8_t> picture_of(const Renderer& renderer);

  /// Draws a frame and completes it.
  static void complete_frame(Renderer& renderer, const FrameRequest& request) {
    must(renderer.begin_frame());
    must(renderer.draw_frame(request));
    must(renderer.finish());
  }

  GraphicsContext context_;
  std::vector<Model> models_;
  Scene scene_;
  std::unique_ptr<Evaluation> evaluation_;
};

}  // namespace sinew::app::test
