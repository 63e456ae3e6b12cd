// Footsteps of the built-in character, against times that were read from the heights of its feet by hand.
#include <gtest/gtest.h>

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

  Character character_;
};

/// The walk has four events: the toes of a foot leave the ground after the heel of the other one has landed. Times of
/// the lowest vertex of each foot, as `sinew pose` writes it. The feet of the run fall until they land.
TEST_F(Steps, OfTheWalkAndTheRunAreInTurn) {
  const struct {
    const char* clip;
    StepMoments moments;
    std::vector<std::pair<const char*, double>> expected;
    double tolerance;
  } rows[] = {{"walk",
               StepMoments::kDownAndUp,
               {{"left foot down", 0.01}, {"right foot up", 0.12}, {"right foot down", 0.543}, {"left foot up", 0.653}},
               0.04},
              {"run", StepMoments::kDown, {{"left foot down", 0.017}, {"right foot down", 0.367}}, 0.02}};
  for (const auto& [name, moments, expected, tolerance] : rows) {
    const auto markers = find_footsteps(character_, clip(name), {}, moments).value();
    ASSERT_EQ(markers.size(), expected.size()) << name;
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(markers[i].name, expected[i].first) << name;
      EXPECT_NEAR(markers[i].time_seconds, expected[i].second, tolerance) << name << ", " << expected[i].first;
    }
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
