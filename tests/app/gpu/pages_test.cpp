// Buffers of bounded size: what the device can bind, and what does not fit. Their layout is tested with the library's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child.h"
#include "gpu/pages.h"

namespace sinew::app {
namespace {

using ::testing::HasSubstr;

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

TEST(Pages, AnInstanceLargerThanAPageIsRefused) {
  Device device;
  device.info = device_with("discrete", 64, 64);
  const PageRequest request{1, 65};
  Pages pages;
  const Error error = must_fail(fit_pages(device, {&request, 1}, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "pages", pages));
  EXPECT_EQ(error.code, ErrorCode::kUnsupported);
  EXPECT_THAT(error.message, HasSubstr("larger than a buffer"));
  EXPECT_TRUE(pages.buffers.empty());
}

TEST(Pages, SlicesBeginOnCacheLinesAndOnMatrices) {
  SINEW_SKIP_WITHOUT_DEVICE();
  GraphicsContext context;
  ASSERT_TRUE(set_up(GraphicsOptions(), context));
  constexpr VkDeviceSize kCacheLine = 64, kMatrix = 48;
  const PageRequest requests[] = {{3, 80}, {0, 16}, {1, 16}, {5, 144}, {0, 0}, {2, 48}};
  Pages pages;
  ASSERT_TRUE(fit_pages(context.device, requests, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "pages", pages));
  ASSERT_EQ(pages.slices.size(), 4u);
  for (const PageSlice& slice : pages.slices) {
    EXPECT_EQ(slice.offset % kCacheLine, 0u) << slice.batch;
    EXPECT_EQ(slice.offset % kMatrix, 0u) << slice.batch;
  }
}

}  // namespace
}  // namespace sinew::app
