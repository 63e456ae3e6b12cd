// What instances do over time: poses of the host, sockets, masks.
#include <gmock/gmock.h>

#include <cstring>

#include "crowd_fixture.h"

namespace sinew::test {
namespace {

using vulkan::CrowdOptions;
using vulkan::SkinnedCrowd;

constexpr CrowdOptions kMotionOptions{.planner = {.cull = false, .levels = false, .update_rate = false}};

TEST_F(CrowdTest, ThePoseOfTheHostIsShown) {
  SkinnedCrowd crowd = make_crowd(kMotionOptions);
  Host host = make_host(*built_in_model(), 4);
  host.host_posed = {0, 0, 1, 0};
  const crowd::View view = view_from(20);
  ++frame_;
  ASSERT_TRUE(crowd.update({.number = frame_}, host.instances(), {&view, 1}));
  EXPECT_TRUE(crowd.host_pose(1).palette.empty());  // not host-posed
  EXPECT_TRUE(crowd.host_pose(9).palette.empty());  // not there
  const vulkan::HostPose pose = crowd.host_pose(2);
  ASSERT_EQ(pose.palette.size(), built_in_model()->baked.palette_size);
  ASSERT_EQ(pose.sockets.size(), 1u);
  const Matrix3x4 moved{{{1, 0, 0, 10}, {0, 1, 0, 20}, {0, 0, 1, 30}}};
  for (Matrix3x4& matrix : pose.palette) matrix = moved;
  device_->submit_and_wait([&](VkCommandBuffer cmd) { crowd.record(cmd); });
  const Mesh& mesh = built_in_model()->character.mesh;
  std::vector<Vec3> expected;
  for (const Vec3 position : mesh.positions) expected.push_back(position + Vec3{10, 20, 30});
  EXPECT_LT(largest_distance(read_positions(slice_of(crowd, 2), mesh.vertex_count()), expected), 1e-5f);
}

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
  EXPECT_TRUE(evaluator.evaluate_sockets(host.playbacks, {}));  // there are none yet
  const Socket sockets[] = {model.sockets[0].socket, {0, {}}};
  ASSERT_TRUE(evaluator.set_sockets(sockets));
  ASSERT_TRUE(evaluator.evaluate(host.playbacks, model.baked.palette_size, palettes, both));
  ASSERT_TRUE(evaluator.evaluate_sockets(host.playbacks, alone));
  EXPECT_EQ(std::memcmp(alone.data(), both.data(), 42 * sizeof(Matrix3x4)), 0);
  EXPECT_EQ(evaluator.evaluate_sockets(host.playbacks, std::span(alone).first(41)).error().code,
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
  std::vector<float> nothing(model.character.skeleton.joint_count());
  EXPECT_EQ(crowd.set_mask(1, 1, nothing).error().code, ErrorCode::kInvalidArgument);  // no such model
  EXPECT_EQ(crowd.set_mask(0, 9, nothing).error().code, ErrorCode::kInvalidArgument);  // no such mask
  ASSERT_TRUE(crowd.set_mask(0, *find_mask(model, "arm"), nothing));
  ASSERT_TRUE(run_frame(crowd, host, view_from(20)));
  EXPECT_GT(largest_distance(read_positions(slice_of(crowd, 0), uint32_t(masked.size())), masked), 1e-2f);
}

}  // namespace
}  // namespace sinew::test
