// Footsteps of the built-in character, against times that were read from the heights of its feet by hand.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "sinew/animation/footsteps.h"
#include "sinew/import/import.h"

namespace sinew {
namespace {

/// The walk has four events: the toes of a foot leave the ground after the heel of the other one has landed. Times of
/// the lowest vertex of each foot, as `sinew pose` writes it. The feet of the run fall until they land.
TEST(Steps, OfTheWalkAndTheRunAreInTurn) {
  const Character character = load_character(SINEW_SOURCE_DIR "/assets/character.glb").value();
  const struct {
    const char* clip;
    StepMoments moments;
    std::vector<std::pair<const char*, double>> expected;
    double tolerance;
  } rows[] = {{"walk",
               StepMoments::kDownAndUp,
               {{"left foot down", 0.01}, {"right foot up", 0.12}, {"right foot down", 0.543}, {"left foot up", 0.653}},
               0.04},
              {"run", StepMoments::kDown, {{"left foot down", 0.017}, {"right foot down", 0.367}}, 0.02},
              {"idle", StepMoments::kDown, {}, 0},
              {"wave", StepMoments::kDown, {}, 0}};
  for (const auto& [name, moments, expected, tolerance] : rows) {
    const uint32_t clip = find_clip(character.clips, name).value();
    const auto markers = find_footsteps(character, clip, {}, moments).value();
    ASSERT_EQ(markers.size(), expected.size()) << name;
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(markers[i].name, expected[i].first) << name;
      EXPECT_NEAR(markers[i].time_seconds, expected[i].second, tolerance) << name << ", " << expected[i].first;
    }
  }
}

}  // namespace
}  // namespace sinew
