// The skinning backend as a host uses it. Every vertex of every instance is compared with the CPU skinner.
#include "vulkan/skinner_fixture.h"

namespace sinew::test {
namespace {

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

}  // namespace
}  // namespace sinew::test
