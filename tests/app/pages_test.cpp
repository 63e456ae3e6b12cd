// Layout of instances in buffers of bounded size.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu/pages.h"

namespace sinew::app {
namespace {

using ::testing::HasSubstr;

std::vector<PageSlice> lay_out(std::vector<PageRequest> requests, VkDeviceSize page_bytes, VkDeviceSize alignment) {
  auto slices = lay_out_pages(requests, page_bytes, alignment);
  return slices ? *slices : std::vector<PageSlice>();
}

TEST(Pages, BatchesThatFitShareAPage) {
  const auto slices = lay_out({{3, 16}, {2, 32}}, 128, 16);
  ASSERT_EQ(slices.size(), 2u);
  EXPECT_EQ(slices[1].page, 0u);
  EXPECT_EQ(slices[1].offset, 48u);
  EXPECT_EQ(slices[1].size_bytes, 64u);
}

TEST(Pages, ABatchContinuesInTheNextPage) {
  const auto slices = lay_out({{10, 16}}, 64, 16);
  ASSERT_EQ(slices.size(), 3u);
  for (uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(slices[i].page, i);
    EXPECT_EQ(slices[i].first_instance, 4 * i);
    EXPECT_EQ(slices[i].offset, 0u);
  }
  EXPECT_EQ(slices[2].instance_count, 2u);
}

TEST(Pages, EverySliceIsAlignedAndInsideItsPage) {
  const auto slices = lay_out({{1, 24}, {5, 24}, {7, 40}}, 128, 64);
  uint32_t instances[3] = {0, 0, 0};
  for (const PageSlice& slice : slices) {
    EXPECT_EQ(slice.offset % 64, 0u);
    EXPECT_LE(slice.offset + slice.size_bytes, 128u);
    EXPECT_EQ(slice.first_instance, instances[slice.batch]);
    instances[slice.batch] += slice.instance_count;
  }
  EXPECT_THAT(instances, ::testing::ElementsAre(1, 5, 7));
}

TEST(Pages, AnInstanceLargerThanAPageIsRefused) {
  const std::vector<PageRequest> requests{{1, 65}};
  const auto slices = lay_out_pages(requests, 64, 16);
  ASSERT_FALSE(slices);
  EXPECT_THAT(slices.error().message, HasSubstr("larger than a buffer"));
}

DeviceInfo device_with(const char* type, uint32_t storage_bytes, uint32_t texels) {
  DeviceInfo device;
  device.type = type;
  device.limits.maxStorageBufferRange = storage_bytes;
  device.limits.maxTexelBufferElements = texels;
  return device;
}

TEST(Pages, AreNoLargerThanTheDeviceCanBind) {
  constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                               kTexels = kStorage | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
  const DeviceInfo cpu = device_with("cpu", 1 << 27, 1 << 16), gpu = device_with("discrete", UINT32_MAX, 1 << 16);
  EXPECT_EQ(max_page_bytes(cpu, kTexels), 1u << 20) << "65,536 texels of 16 bytes";
  EXPECT_EQ(max_page_bytes(cpu, kStorage), 1u << 27);
  EXPECT_EQ(max_page_bytes(cpu, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT), 1u << 28);
  EXPECT_EQ(max_page_bytes(gpu, kTexels), 1u << 28) << "a GPU reads palettes from storage buffers";
}

TEST(Pages, NoInstancesNeedNoPage) {
  EXPECT_TRUE(lay_out({{0, 16}, {0, 0}}, 64, 16).empty());
  EXPECT_TRUE(lay_out({}, 64, 16).empty());
}

}  // namespace
}  // namespace sinew::app
