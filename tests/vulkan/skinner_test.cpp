// The skinning backend as a host uses it. Every vertex of every instance is compared with the CPU skinner.
#include <algorithm>
#include <array>

#include "vulkan/skinner_fixture.h"

namespace sinew::test {
namespace {

TEST_F(SkinnerTest, DispatchesOnceForAllMeshesOfAPage) {
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  const uint32_t one = crowd.add({.vertices = 10}), other = crowd.add({.vertices = 20});
  crowd.run_frame({1, 0, 0}, Counts{{one, 500}, {other, 300}});
  const vulkan::SkinnerCounters counters = skinner.counters();
  EXPECT_EQ(counters.dispatches, 1u);  // one kernel: the vertices of neither mesh are ordered by influences
  EXPECT_EQ(counters.instances, 800u);
  EXPECT_EQ(counters.skinned_vertices, 500u * 10 + 300u * 20);
  EXPECT_EQ(counters.skinned_bytes, counters.skinned_vertices * 16);
  EXPECT_EQ(counters.palette_bytes, 800u * 8 * 48);
  EXPECT_EQ(counters.uploaded_bytes, ((10u + 20u) * 2 + 2 * (2 + 3)) * 16);
}

TEST_F(SkinnerTest, NeedsOneDispatchForACrowdThatGrowsStepByStep) {
  auto info = skinner_info();
  info.keep_previous = true;
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.add({.vertices = 33});
  for (uint64_t frame = 1; frame <= 8; ++frame) crowd.run_frame({frame, 0, frame - 1}, Counts{{0, uint32_t(frame)}});
  EXPECT_EQ(skinner.counters().dispatches, 1u);
  EXPECT_EQ(skinner.ranges().size(), 2u);  // the instances of the previous frame, and the new one
}

TEST_F(SkinnerTest, GivesVerticesADeviceAddressOnRequest) {
  if (!device_->buffer_addresses) GTEST_SKIP() << "NO BUFFER ADDRESSES ON THIS DEVICE";
  auto info = skinner_info();
  info.vertex_usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.add({});
  crowd.run_frame({1, 0, 0}, Counts{{0, 2}});
  const VkBufferDeviceAddressInfo vertices = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                              .buffer = skinner.ranges()[0].vertices};
  EXPECT_NE(device_->vk.GetBufferDeviceAddress(device_->device, &vertices), 0u);
}

TEST_F(SkinnerTest, ServesTwoSkinnersOnOneDevice) {
  auto first = make_skinner(skinner_info());
  auto second = make_skinner(skinner_info());
  TestCrowd crowd_a(*device_, first), crowd_b(*device_, second);
  crowd_a.add({.seed = 3});
  crowd_b.add({.vertices = 50, .seed = 4});
  crowd_a.prepare({1, 0, 0}, Counts{{0, 4}});
  crowd_b.prepare({7, 1, 6}, Counts{{0, 9}});
  crowd_a.poison(), crowd_b.poison();
  device_->submit_and_wait([&](VkCommandBuffer cmd) { first.record(cmd), second.record(cmd); });
  crowd_a.expect_frame(1), crowd_b.expect_frame(7);
}

TEST_F(SkinnerTest, FreesAReplacedKernelAfterItsLastFrame) {
  auto info = watched_info();
  info.barriers = vulkan::Barriers::kLibrary;  // frames overlap
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.add({});
  const auto submit_frame = [&](const vulkan::SkinnerFrame& frame) {
    crowd.prepare(frame, Counts{{0, 2}});
    device_->submit([&](VkCommandBuffer cmd) { skinner.record(cmd); }, {});
  };
  submit_frame({1, 0, 0});
  ASSERT_TRUE(vulkan::experimental::reload_kernel(skinner, kernel_words()));
  EXPECT_EQ(watch_->destroyed_pipelines, 0) << "frame 1 uses the old kernel";
  submit_frame({2, 1, 0});
  EXPECT_EQ(watch_->destroyed_pipelines, 0) << "frame 1 has not completed";
  device_->finish();
  crowd.run_frame({3, 0, 1}, Counts{{0, 2}});
  EXPECT_GT(watch_->destroyed_pipelines, 0);
}

TEST_F(SkinnerTest, IsDeterministic) {
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  crowd.add({.vertices = 1000, .max_influences = 6});
  std::vector<uint32_t> words[2];
  for (uint32_t i = 0; i < 2; ++i) {
    crowd.prepare({i + 1, i, i}, Counts{{0, 4}});
    crowd.write_palettes(1);
    record(skinner);
    words[i] = device_->read_back(skinner.ranges()[0].vertices, 0, 4 * 1000 * 16);
  }
  EXPECT_EQ(words[0], words[1]);
}

}  // namespace
}  // namespace sinew::test
