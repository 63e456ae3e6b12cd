// What instances show beside clips: poses that the host forgets, sockets, masks.
#include <cmath>
#include <cstring>

#include "crowd_fixture.h"

namespace sinew::test {
namespace {

using vulkan::CrowdOptions;
using vulkan::SkinnedCrowd;

constexpr CrowdOptions kMotionOptions{.planner = {.cull = false, .levels = false, .update_rate = false}};

TEST_F(CrowdTest, APoseThatTheHostForgetsIsTheRestPose) {
  SkinnedCrowd crowd = make_crowd(kMotionOptions);
  Host host = make_host(*built_in_model(), 2);
  host.host_posed = {1, 0};
  ASSERT_TRUE(run_frame(crowd, host, view_from(20)));
  const auto positions = read_positions(slice_of(crowd, 0), built_in_model()->character.mesh.vertex_count());
  EXPECT_LT(largest_distance(positions, expected(*built_in_model(), 0, {})), 2e-5f);
}

TEST(Sockets, AreEvaluatedAloneWithoutPalettes) {
  const Model& model = *built_in_model();
  const Host host = make_host(model, 21);
  CrowdEvaluator evaluator(model.baked);
  std::vector<Matrix3x4> palettes(21 * model.baked.palette_size), both(42), alone(42);
  const Socket sockets[] = {model.sockets[0].socket, {0, {}}};
  ASSERT_TRUE(evaluator.set_sockets(sockets));
  ASSERT_TRUE(evaluator.evaluate(host.playbacks, model.baked.palette_size, palettes, both));
  ASSERT_TRUE(evaluator.evaluate({.instances = host.playbacks, .sockets = alone}));
  EXPECT_EQ(std::memcmp(alone.data(), both.data(), 42 * sizeof(Matrix3x4)), 0);
  EXPECT_EQ(evaluator.evaluate({.instances = host.playbacks, .sockets = std::span(alone).first(41)}).error().code,
            ErrorCode::kInvalidArgument);
}

TEST_F(CrowdTest, MasksOfTheModelHold) {
  SkinnedCrowd crowd = make_crowd(kMotionOptions);
  const Model& model = *built_in_model();
  Host host = make_host(model, 2);
  for (Playback& playback : host.playbacks) {
    playback.layers[0] = {0, 0.3f, 1, *find_mask(model, "rest")};
    playback.layers[1] = {1, 0.4f, 1, *find_mask(model, "arm")};
  }
  ASSERT_TRUE(run_frame(crowd, host, view_from(20)));
  EXPECT_EQ(expect_all_drawn(crowd), 2u);
  const auto masked = read_positions(slice_of(crowd, 0), model.character.mesh.vertex_count());
  const uint32_t hand = uint32_t(model.character.skin.entries[model.sockets[0].socket.entry].joint);
  const Matrix3x4 before = *crowd.joint_transform(host.instances(), 0, hand);
  const std::vector<float> nothing(model.character.skeleton.joint_count());
  ASSERT_TRUE(crowd.set_mask(0, *find_mask(model, "arm"), nothing));
  ASSERT_TRUE(run_frame(crowd, host, view_from(20)));
  EXPECT_GT(largest_distance(read_positions(slice_of(crowd, 0), uint32_t(masked.size())), masked), 1e-2f);
  const Matrix3x4 after = *crowd.joint_transform(host.instances(), 0, hand);
  EXPECT_GT(std::abs(after.m[0][3] - before.m[0][3]) + std::abs(after.m[1][3] - before.m[1][3]), 1e-2f);
}

}  // namespace
}  // namespace sinew::test
