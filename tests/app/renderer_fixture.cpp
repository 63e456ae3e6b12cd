#include "renderer_fixture.h"

#include "child.h"
#include "scene/baking.h"

namespace sinew::app::test {

void RendererTest::set_up_for(Coloring coloring) {
  SINEW_SKIP_WITHOUT_DEVICE();
  GraphicsOptions options;
  options.validate = true;
  options.buffer_addresses = coloring == Coloring::kVelocity;
  ASSERT_TRUE(set_up(options, context_));
  auto model = load_model(SINEW_SOURCE_DIR "/assets/character.glb", {});
  ASSERT_TRUE(model);
  models_.push_back(std::move(*model));
}

void RendererTest::prepare_models() {
  for (Model& model : models_) ASSERT_TRUE(add_levels(model));
  ASSERT_TRUE(bake_models(models_));
  measure_bounds(models_, false);
}

std::unique_ptr<Renderer> RendererTest::draw_frame(const std::vector<Model>& models, const RendererInfo& info) {
  auto renderer = Renderer::create(context_.device, models, scene_, info);
  EXPECT_TRUE(renderer) << (renderer ? "" : renderer.error().message);
  if (!renderer) return nullptr;
  EXPECT_TRUE((*renderer)->begin_frame());
  EXPECT_TRUE((*renderer)->draw_frame({.seconds = 5, .camera = frame_crowd(scene_)}));
  EXPECT_TRUE((*renderer)->finish());
  return std::move(*renderer);
}

}  // namespace sinew::app::test
