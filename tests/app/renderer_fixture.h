// Tests that draw frames of the built-in character themselves, without a child process.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "gpu/host.h"
#include "render/renderer.h"

namespace sinew::test {}
namespace sinew::app::test {
using namespace sinew::test;  // in sinew::app, test:: is both

class RendererTest : public ::testing::Test {
 protected:
  /// Skips without a device. Creates it with validation layers, and loads the built-in character.
  void SetUp() override { set_up_for(Coloring::kLit); }
  void set_up_for(Coloring coloring);
  /// What a crowd makes of models: levels of detail, bakes and bounds.
  void prepare_models();

  /// A renderer of `scene_` that has drawn and completed one frame. Null, and a failure of the test, after an error.
  /// The evaluation in `info` must outlive it.
  std::unique_ptr<Renderer> draw_frame(const std::vector<Model>& models, const RendererInfo& info);

  GraphicsContext context_;
  std::vector<Model> models_;
  Scene scene_;
};

}  // namespace sinew::app::test
