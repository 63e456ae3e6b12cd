// A device with small limits draws the same picture as one with large limits.
#include <gtest/gtest.h>

#include <array>

#include "renderer_fixture.h"

namespace sinew::app {
namespace {

struct Drawn {
  std::vector<uint8_t> rgba;
  uint32_t pages = 0;  // of palettes; with SkinningMode::kVertex only
};

class SmallDevice : public test::RendererTest {
 protected:
  void SetUp() override {
    RendererTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    ASSERT_TRUE(add_levels(models_[0]));
    scene_ = make_scene(models_, 700, 3);
    auto evaluation = Evaluation::create(models_, 1);
    ASSERT_TRUE(evaluation);
    evaluation_ = std::move(*evaluation);
  }

  /// Draws every instance with a palette of its own. The picture is small, so the levels of detail are coarse.
  Drawn draw(SkinningMode mode) {
    RendererInfo info;
    info.skinning = {evaluation_.get(), mode};
    info.optimizations.cull = false;
    info.samples = 1, info.width = 160, info.height = 90;
    info.draw.passes = 4;  // two shadow maps, depth and color
    const auto renderer = draw_frame(models_, info);
    if (!renderer) return {};
    auto rgba = read_picture(context_.device, renderer->target());
    EXPECT_TRUE(rgba);
    return {rgba ? *rgba : std::vector<uint8_t>(), renderer->skinning().ranges().back().palette_page + 1};
  }

  std::unique_ptr<Evaluation> evaluation_;
};

TEST_F(SmallDevice, DrawsTheSamePicture) {
  constexpr std::array kModes = {SkinningMode::kCompute, SkinningMode::kVertex, SkinningMode::kCpu};
  std::array<Drawn, 3> full, small;
  for (size_t i = 0; i < kModes.size(); ++i) full[i] = draw(kModes[i]);

  DeviceInfo& info = context_.device.info;
  info.multi_draw_indirect = info.draw_indirect_first_instance = false;
  info.limits.maxDrawIndirectCount = 1;
  info.limits.maxTexelBufferElements = 65536;
  // Less than the specification's minimum, which no fewer than 40,000 characters would reach.
  info.limits.maxStorageBufferRange = 1 << 20;
  for (size_t i = 0; i < kModes.size(); ++i) small[i] = draw(kModes[i]);

  for (size_t i = 0; i < kModes.size(); ++i) {
    EXPECT_EQ(small[i].rgba, full[i].rgba) << name_of(kModes[i]);
    EXPECT_FALSE(small[i].rgba.empty());
  }
  EXPECT_GE(small[1].pages, 2u) << "the limit had no effect";
  EXPECT_EQ(validation_messages(context_.instance), 0u);
}

}  // namespace
}  // namespace sinew::app
