// Instances that are hidden in an earlier frame are left out, and the picture shows no difference.
#include <gtest/gtest.h>

#include <vector>

#include "host/target.h"
#include "renderer_fixture.h"
#include "scene/scenes/scenes.h"

namespace sinew::app::test {
namespace {

class OcclusionTest : public RendererTest {
 protected:
  struct Drawn {
    std::vector<uint8_t> picture;
    crowd::PlanCounters counters;
  };

  void prepare() override {
    prepare_models();
    scene_ = find_scene("stadium")->make(models_, {1500, 1});
  }

  /// The last of some frames, in which the camera turns about its target by `radians` in each.
  Drawn draw(bool occlusion, Orbit camera, float radians) {
    evaluation_ = std::make_unique<Evaluation>(models_, 2, EvaluatorKind::kCrowd);
    RendererInfo info = small_info(320, 180);
    info.occlusion = occlusion;
    auto renderer = must(Renderer::create(context_.device, models_, scene_, info));
    for (int frame = 0; frame < 6; ++frame, camera.yaw += radians) {
      EXPECT_TRUE(renderer->begin_frame());
      EXPECT_TRUE(renderer->draw_frame({.seconds = frame / 60.0, .camera = camera}));
    }
    EXPECT_TRUE(renderer->finish());
    return {picture_of(*renderer), renderer->plan().counters};
  }

  /// From outside, at the height of the first rows: the wall behind the stand hides most.
  Orbit outside() const { return {{0, 1, 0}, 0.4f, 0.02f, 1.6f * scene_.radius}; }
};

TEST_F(OcclusionTest, LeavesOutThoseBehindAStandAndNoPixel) {
  for (const float radians : {0.0f, 0.0005f}) {
    SCOPED_TRACE(radians);
    const Drawn off = draw(false, outside(), radians), on = draw(true, outside(), radians);
    EXPECT_EQ(off.counters.occluded, 0u);
    EXPECT_GT(on.counters.occluded, off.counters.visible / 4);
    EXPECT_EQ(on.counters.visible + on.counters.occluded, off.counters.visible);
    EXPECT_TRUE(on.picture == off.picture);
  }
  EXPECT_EQ(validation_messages(context_.instance), 0u);
}

/// A camera that moves far between two frames may see past the edge of what hides others.
TEST_F(OcclusionTest, LeavesOutNobodyWhereTheCameraMovesFar) {
  EXPECT_EQ(draw(true, outside(), 0.3f).counters.occluded, 0u);
}

}  // namespace
}  // namespace sinew::app::test
