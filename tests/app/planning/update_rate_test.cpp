// Update rates against every vertex of the built-in character: an instance that is updated in every second or fourth
// frame is drawn within the stated error. When each is updated is for tests/crowd.
#include "crowd/update_rate.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "asset/larger_error.h"
#include "crowd/playback.h"
#include "planning/walk.h"

namespace sinew::app {
namespace {

using crowd::kMaxUpdateErrorPixels;
using crowd::internal::lone_layer;
using test::planned_models;
using test::Walk;

constexpr float kSamplingTolerance = 1.02f;  // the bounds come from sampled clips

Playback playing(uint32_t clip, float seconds) { return {{{clip, seconds, 1}}}; }

TEST(UpdateRate, MotionPathIsInfiniteBetweenClipsAndForBlends) {
  const Scene scene = make_scene(planned_models(), 1, 1);
  const CrowdInput input(planned_models(), scene);
  const crowd::internal::MotionPaths motions(input.characters[0], {});
  const std::vector<uint32_t>& clips = planned_models()[0].clips;
  const Playback one = playing(clips[0], 0), other = playing(clips[1], 0);
  const Playback both{{{clips[0], 0, 0.5f}, {clips[1], 0, 0.5f}}};
  EXPECT_EQ(motions.max_distance_between(one, one), 0);
  for (const auto& [a, b] : {std::pair(one, other), std::pair(both, both), std::pair(one, both)})
    EXPECT_EQ(motions.max_distance_between(a, b), std::numeric_limits<float>::infinity());
}

TEST(UpdateRate, NoInstanceIsFurtherOffThanStated) {
  for (const double frame_seconds : {1 / 60.0, 0.1}) {
    Walk walk(400);
    double max_pixels = 0;
    uint32_t not_updated = 0;
    for (uint32_t frame = 0; frame < 48; ++frame) {
      const crowd::Plan& plan = walk.step(test::approach(frame), frame_seconds);
      uint32_t exact = 0;
      Walk::for_each_instance(plan, [&](const crowd::PosedBatch& batch, uint32_t mesh, uint32_t instance) {
        const Playback own = playback_at(planned_models()[0], walk.scene().pace(instance), walk.seconds());
        exact += batch.group == 0 && std::memcmp(&plan.playbacks[mesh], &own, sizeof own) == 0;
        if (batch.group == 0) return;
        const Layer *drawn = lone_layer(plan.playbacks[mesh]), *wanted = lone_layer(own);
        EXPECT_TRUE(drawn && wanted && drawn->clip == wanted->clip) << instance;
        not_updated += !plan.groups[batch.group].updated;
        if ((instance + frame) % 9 == 0)
          max_pixels = sinew::internal::larger_error(max_pixels, walk.pixels_off(plan, batch.level, mesh, instance));
      });
      EXPECT_EQ(plan.counters.rates[0], exact) << "instances that are updated in each frame are exact";
    }
    EXPECT_GT(not_updated, frame_seconds < 0.1 ? 2000u : 200u);
    EXPECT_LE(max_pixels, kMaxUpdateErrorPixels * kSamplingTolerance);
    EXPECT_GT(max_pixels, kMaxUpdateErrorPixels * 0.5) << "the update rates are too high";
  }
}

}  // namespace
}  // namespace sinew::app
