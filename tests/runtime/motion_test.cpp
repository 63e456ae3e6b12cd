// What instances do over time: poses of the host, sockets, masks, update rates, vertices of the frame before.
#include <gmock/gmock.h>

#include <cstring>
#include <map>

#include "crowd_fixture.h"
#include "sinew/vulkan/draw.h"

namespace sinew::test {
namespace {

using vulkan::CrowdOptions;
using vulkan::Draw;
using vulkan::SkinnedCrowd;
using vulkan::VertexSlice;

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

TEST_F(CrowdTest, SocketsFollowTheirInstances) {
  SkinnedCrowd crowd = make_crowd(kMotionOptions);
  const Model& model = *built_in_model();
  const Host host = make_host(model, 5);
  ASSERT_TRUE(run_frame(crowd, host, view_from(20)));
  const uint32_t hand = *find_socket(model, "hand");
  const std::vector<crowd::SocketRequest> requests = {{3, hand}, {0, hand}, {77, hand}};
  std::vector<Matrix3x4> out(requests.size());
  crowd.place_sockets(host.instances(), requests, out);
  CrowdEvaluator evaluator(model.baked);
  ASSERT_TRUE(evaluator.set_sockets({&model.sockets[hand].socket, 1}));
  for (size_t i = 0; i < 2; ++i) {
    const uint32_t instance = requests[i].instance;
    std::vector<Matrix3x4> palette(model.baked.palette_size), socket(1);
    ASSERT_TRUE(evaluator.evaluate({&host.playbacks[instance], 1}, uint32_t(palette.size()), palette, socket));
    for (int row = 0; row < 3; ++row) {
      EXPECT_NEAR(out[i].m[row][3], socket[0].m[row][3] + host.places[instance].m[row][3], 1e-5f);
    }
  }
  EXPECT_EQ(out[2].m[0][0], 0);  // not drawn: zeros
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

TEST_F(CrowdTest, WhatIsNotUpdatedKeepsItsPose) {
  SkinnedCrowd crowd = make_crowd({.planner = {.cull = false}});
  const Model& model = *built_in_model();
  bool kept = false;
  for (uint32_t frame = 0; frame < 6; ++frame) {
    ASSERT_TRUE(run_frame(crowd, make_host(model, 20, frame / 60.0), view_from(90)));
    EXPECT_EQ(expect_all_drawn(crowd), 20u);
    kept = kept || crowd.plan().counters.not_updated > 0;
  }
  EXPECT_TRUE(kept);
}

// --- previous vertices: the functions of draws are replaced ---

struct Bound {
  VertexSlice now, previous;
};
std::vector<Bound> bound;
std::map<uint32_t, Bound> drawn_with;  // by firstInstance + i
PFN_vkGetDeviceProcAddr real_functions = nullptr;

void VKAPI_CALL bind(VkCommandBuffer, uint32_t, uint32_t count, const VkBuffer* buffers, const VkDeviceSize* offsets) {
  ASSERT_EQ(count, 2u);
  bound.push_back({{buffers[0], offsets[0]}, {buffers[1], offsets[1]}});
}
void VKAPI_CALL draw_indexed(VkCommandBuffer, uint32_t, uint32_t instances, uint32_t, int32_t offset, uint32_t first) {
  ASSERT_EQ(offset, 0);
  for (uint32_t i = 0; i < instances; ++i) drawn_with[first + i] = bound.back();
}
PFN_vkVoidFunction VKAPI_CALL watched(VkDevice device, const char* name) {
  if (std::strcmp(name, "vkCmdBindVertexBuffers") == 0) return reinterpret_cast<PFN_vkVoidFunction>(bind);
  if (std::strcmp(name, "vkCmdDrawIndexed") == 0) return reinterpret_cast<PFN_vkVoidFunction>(draw_indexed);
  return real_functions(device, name);
}

TEST_F(CrowdTest, PreviousVerticesAreThoseOfTheFrameBefore) {
  real_functions = device_->vk.GetDeviceProcAddr;
  vulkan::SkinnerInfo info = skinner_info();
  info.get_device_proc_addr = watched;
  auto crowd = SkinnedCrowd::create(info, {&dressed_model(), 1}, {.planner = {.previous_poses = true}});
  ASSERT_TRUE(crowd);
  const Model& model = *dressed_model();
  Host host = make_host(model, 12);
  host.places[11].m[2][3] = 500;  // behind the camera: not drawn in the first frame
  for (uint64_t i = 0; i < 12; ++i) host.outfits.push_back(i % 8);
  using Shown = std::pair<uint32_t, uint32_t>;  // an instance and a wearable, or its body
  std::map<Shown, std::vector<Vec3>> before;
  for (uint32_t frame = 0; frame < 3; ++frame) {
    const Host moved = make_host(model, 12, frame / 30.0);
    host.playbacks = moved.playbacks;
    if (frame == 1) host.places[11] = moved.places[11];
    if (frame == 2) host.outfits[0] = 1;
    ASSERT_TRUE(run_frame(*crowd, host, view_from(10)));
    std::map<Shown, std::vector<Vec3>> now;
    for (const Draw& draw : crowd->draws()) {
      if (draw.level != 0) continue;
      bound.clear(), drawn_with.clear();
      ASSERT_TRUE(draw.record_with_previous(VK_NULL_HANDLE));
      for (const auto& [place, slices] : drawn_with) {
        const Shown shown{crowd->instances()[place], draw.wearable};
        now[shown] = read_positions(slices.now, draw.vertex_count);
        const auto previous = read_positions(slices.previous, draw.vertex_count);
        const std::vector<Vec3>& expected = before.count(shown) > 0 ? before[shown] : now[shown];
        EXPECT_EQ(largest_distance(previous, expected), 0)
            << "frame " << frame << ", instance " << shown.first << ", wearable " << shown.second;
      }
    }
    EXPECT_GT(now.size(), 6u);
    EXPECT_EQ(now.count({0, 0}), frame == 2 ? 1u : 0u);
    if (frame > 0) {
      for (const uint32_t wearable : {kNoWearable, 0u}) {
        float moves = 0;
        for (const auto& [shown, positions] : now) {
          if (shown.second != wearable || before.count(shown) == 0) continue;
          moves = std::max(moves, largest_distance(positions, before[shown]));
        }
        EXPECT_GT(moves, 1e-3f) << wearable;
      }
    }
    before = now;
  }
}

}  // namespace
}  // namespace sinew::test
