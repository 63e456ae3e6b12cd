// Timestamps of the passes of a frame.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "renderer_fixture.h"

namespace sinew::app {
namespace {

using ::testing::ElementsAre;
using ::testing::StrEq;

class PassTimes : public test::RendererTest {
 protected:
  /// Draws a frame with a depth pass and two shadow maps, and reads its timestamps.
  std::unique_ptr<Renderer> draw(FrameTimes& times) {
    scene_ = make_scene(models_, 20, 3);
    RendererInfo info = small_info(160, 90);
    info.draw.passes = 4;
    auto renderer = draw_frame(models_, info);
    times = renderer->take_times().back();
    return renderer;
  }

  void expect_ascending(const FrameTimes& times, size_t passes) {
    if (!context_.device.info.timestamps) GTEST_SKIP() << "SKIPPED: this device has no timestamps";
    ASSERT_TRUE(times.draw_ticks);
    const auto ticks = times.draw_ticks->span();
    ASSERT_EQ(ticks.size(), passes + 1);
    for (size_t i = 0; i < passes; ++i) EXPECT_LT(ticks[i], ticks[i + 1]) << "pass " << i << " took no time";
    EXPECT_EQ(validation_messages(context_.instance), 0u);
  }
};

TEST_F(PassTimes, AreThoseOfShadowMapsAndThePicture) {
  FrameTimes times;
  const auto renderer = draw(times);
  if (!context_.device.info.is_cpu()) GTEST_SKIP() << "SKIPPED: this device is no CPU";
  EXPECT_THAT(renderer->timed_passes(),
              ElementsAre(StrEq("shadow map 0"), StrEq("shadow map 1"), StrEq("depth and color")));
  expect_ascending(times, 3);
}

/// Timestamps inside a render pass: a CPU device may read its clock for both at once, so that only their number and the
/// layers are looked at.
TEST_F(PassTimes, OfAGpuHaveTheDepthPassToo) {
  const bool is_cpu = context_.device.info.is_cpu();
  context_.device.info.type = "discrete";
  FrameTimes times;
  const auto renderer = draw(times);
  EXPECT_THAT(renderer->timed_passes(),
              ElementsAre(StrEq("shadow map 0"), StrEq("shadow map 1"), StrEq("depth"), StrEq("color")));
  if (!is_cpu) expect_ascending(times, 4);
  EXPECT_EQ(times.draw_ticks ? times.draw_ticks->count : 0, context_.device.info.timestamps ? 5u : 0u);
  EXPECT_EQ(validation_messages(context_.instance), 0u);
}

}  // namespace
}  // namespace sinew::app
