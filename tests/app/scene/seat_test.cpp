// Seated people: where a clip sits, and that a stadium's seats are there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scene/clip_motion.h"
#include "scene/names.h"
#include "scene/stage.h"

namespace sinew::app {
namespace {

constexpr float kLift = 0.3f;  // meters

/// A clip of the same pose, higher by kLift.
void lift(Character& character, uint32_t clip) {
  std::vector<JointTracks>& tracks = character.clips[clip].tracks;
  if (tracks.front().joint != 0) tracks.insert(tracks.begin(), JointTracks{});
  ASSERT_TRUE(tracks.front().translation.values.empty()) << "the clip itself moves the root";
  const Vec3 rest = character.skeleton.rest_pose[0].translation;
  tracks.front().translation = {{0}, {rest + Vec3{0, kLift, 0}}, Interpolation::kLinear};
}

bool is_seated(const Model& model, uint32_t clip) { return has_word(model.character.clips[clip].name, kSeatedWords); }

TEST(Seat, IsMeasuredOfClipsThatSit) {
  Model model = test::our_models("stadium").front();
  for (const uint32_t clip : model.clips) {
    const auto seat = measure_seat(model, clip);
    ASSERT_EQ(seat.has_value(), is_seated(model, clip)) << model.character.clips[clip].name;
    if (!seat) continue;
    EXPECT_NEAR(seat->height, 0.35f, 0.1f);
    EXPECT_NEAR(seat->feet, 0, 0.01f);
    lift(model.character, clip);
    const auto lifted = must(measure_seat(model, clip));
    EXPECT_NEAR(lifted.height, seat->height, 1e-4f);
    EXPECT_NEAR(lifted.feet, seat->feet + kLift, 1e-4f);
  }
}

/// Also below people of different looks, and of a clip that has the feet in the air.
TEST(Seat, StadiumHasAStepBelowEachBodyAndEachFoot) {
  std::vector<Model> models = test::our_models("stadium");
  std::vector<Seat> seats;
  float step = 0;  // height of a step: that of the highest seat
  for (Model& model : models) {
    const std::vector<uint32_t>& clips = model.acts.front().clips;  // of those who watch
    ASSERT_TRUE(std::ranges::all_of(clips, [&](uint32_t clip) { return is_seated(model, clip); }));
    if (seats.size() == 1) lift(model.character, clips.front());
    seats.push_back(measure_seat(model, clips.front()).value());
    step = std::max(step, seats.back().height);
  }
  const Scene scene = find_scene("stadium")->make(models, {200, 1, 0.3f});
  const auto is_step = [&](float height) {
    return std::ranges::any_of(scene.stands, [&](const StandVertex& vertex) {
      return vertex.normal[1] > 100 && std::abs(vertex.position.y - height) < 0.02f;
    });
  };
  uint32_t children = 0;
  for (uint32_t i = 0; i < scene.count(); ++i) {
    if (scene.roles[scene.role_of[i]].act != 0) continue;  // a player
    const Seat& seat = seats[scene.model_of(i)];
    const float scale = scene.looks[i].turn.scale(), feet = scene.positions[i].y + seat.feet * scale;
    EXPECT_TRUE(is_step(feet + seat.height * scale)) << "seat at " << feet + seat.height * scale;
    EXPECT_TRUE(scale < 0.9f || is_step(feet + seat.height - step)) << "feet at " << feet << ", scale " << scale;
    children += scale < 0.9f;
  }
  EXPECT_NEAR(children, 0.3 * 178 * 4 / 5, 15) << "their feet hang; players and bearded looks are none";
}

}  // namespace
}  // namespace sinew::app
