// Footsteps of the built-in character, against times that were read from the heights of its feet by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sinew/animation/footsteps.h"
#include "sinew/import/import.h"

namespace sinew {
namespace {

class Steps : public testing::Test {
 protected:
  Steps() : character_(load_character(SINEW_SOURCE_DIR "/assets/character.glb").value()) {}

  uint32_t clip(const char* name) const { return *find_clip(character_.clips, name); }
  std::vector<Marker> of(const char* name) const { return find_footsteps(character_, clip(name)).value(); }

  /// One step of each foot, at these times of the loop, within `tolerance` seconds.
  void expect_steps(const char* name, double left, double right, double tolerance) const {
    const std::vector<Marker> markers = of(name);
    ASSERT_EQ(markers.size(), 2u);
    const double duration = double(character_.clips[clip(name)].duration_seconds());
    for (const auto& [foot, expected] : {std::pair("left foot down", left), std::pair("right foot down", right)}) {
      const auto found = std::find_if(markers.begin(), markers.end(), [&](const Marker& m) { return m.name == foot; });
      ASSERT_NE(found, markers.end()) << foot;
      const double difference = std::remainder(double(found->time_seconds) - expected, duration);
      EXPECT_LT(std::abs(difference), tolerance) << foot << " at " << found->time_seconds;
    }
  }

  Character character_;
};

/// The heels touch the ground at 0 and 0.533 s: the feet are foremost and their toes still up.
TEST_F(Steps, OfTheWalk) { expect_steps("walk", 0.01, 0.543, 0.03); }

/// The feet land at 0.017 and 0.367 s; before that they fall, and afterwards they go back with the ground.
TEST_F(Steps, OfTheRun) { expect_steps("run", 0.017, 0.367, 0.02); }

/// The walk has four events: the toes of a foot leave the ground after the heel of the other one has landed. Times of
/// the lowest vertex of each foot, as `sinew pose` writes it.
TEST_F(Steps, OfTheWalkAreDownAndUpInTurn) {
  const auto markers = find_footsteps(character_, clip("walk"), {}, StepMoments::kDownAndUp).value();
  ASSERT_EQ(markers.size(), 4u);
  const std::pair<const char*, double> expected[] = {
      {"left foot down", 0.01}, {"right foot up", 0.12}, {"right foot down", 0.543}, {"left foot up", 0.653}};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(markers[i].name, expected[i].first);
    EXPECT_NEAR(markers[i].time_seconds, expected[i].second, 0.04) << expected[i].first;
  }
}

TEST_F(Steps, StandingClipsHaveNone) {
  EXPECT_TRUE(of("idle").empty());
  EXPECT_TRUE(of("wave").empty());
}

/// Toes land after heels when walking.
TEST_F(Steps, OfGivenJoints) {
  const uint32_t toe = *find_joint(character_.skeleton, "toe_l");
  const std::vector<Marker> markers = find_footsteps(character_, clip("walk"), {&toe, 1}).value();
  ASSERT_EQ(markers.size(), 1u);
  EXPECT_EQ(markers[0].name, "toe_l");
  EXPECT_NEAR(markers[0].time_seconds, 0.09, 0.03);
}

}  // namespace
}  // namespace sinew
