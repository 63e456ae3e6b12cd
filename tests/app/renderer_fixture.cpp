#include "renderer_fixture.h"

namespace sinew::app::test {

void RendererTest::set_up_for(Coloring coloring) {
  GraphicsOptions options;
  options.validate = true;
  options.buffer_addresses = coloring == Coloring::kVelocity;
  must(set_up(options, context_));
  models_ = built_in_models();
}

RendererInfo RendererTest::small_info(uint32_t width, uint32_t height, SkinningMode mode) {
  if (!evaluation_) evaluation_ = std::make_unique<Evaluation>(models_, 1);
  RendererInfo info;
  info.skinning = {evaluation_.get(), mode};
  info.samples = 1, info.width = width, info.height = height;
  return info;
}

std::vector<uint8_t> RendererTest::picture_of(const Renderer& renderer) {
  return must(read_picture(context_.device, renderer.target()));
}

std::unique_ptr<Renderer> RendererTest::draw_frame(const std::vector<Model>& models, const RendererInfo& info) {
  auto renderer = must(Renderer::create(context_.device, models, scene_, info));
  complete_frame(*renderer, {.seconds = 5, .camera = frame_crowd(scene_)});
  return renderer;
}

}  // namespace sinew::app::test
