// Buffers and textures on devices with little memory or small limits.
#include "host/resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "host_fixture.h"

namespace host {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

struct Barrier {
  VkPipelineStageFlags from = 0, to = 0;
  VkAccessFlags written = 0, read = 0;
};

class Resources : public HostTest {
 protected:
  void SetUp() override {
    HostTest::SetUp();
    if (!context_.device.handle) return;
    allocate_ = std::exchange(vkAllocateMemory, allocate);
    create_view_ = std::exchange(vkCreateBufferView, create_view);
    barrier_ = std::exchange(vkCmdPipelineBarrier, barrier);
    failing_ = 0, view_bytes_ = 0, last_barrier_ = {};
  }
  void TearDown() override {
    if (!allocate_) return;
    vkAllocateMemory = std::exchange(allocate_, nullptr);
    vkCreateBufferView = create_view_;
    vkCmdPipelineBarrier = barrier_;
    HostTest::TearDown();
  }

  static inline int failing_ = 0;              // allocations that still fail
  static inline VkDeviceSize view_bytes_ = 0;  // of the last view
  static inline Barrier last_barrier_;

 private:
  static VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice device, const VkMemoryAllocateInfo* info,
                                                 const VkAllocationCallbacks* callbacks, VkDeviceMemory* memory) {
    if (failing_ > 0) return --failing_, VK_ERROR_OUT_OF_DEVICE_MEMORY;
    return allocate_(device, info, callbacks, memory);
  }
  static VKAPI_ATTR VkResult VKAPI_CALL create_view(VkDevice device, const VkBufferViewCreateInfo* info,
                                                    const VkAllocationCallbacks* callbacks, VkBufferView* view) {
    view_bytes_ = info->range;
    return create_view_(device, info, callbacks, view);
  }

  static VKAPI_ATTR void VKAPI_CALL barrier(VkCommandBuffer cmd, VkPipelineStageFlags from, VkPipelineStageFlags to,
                                            VkDependencyFlags flags, uint32_t count, const VkMemoryBarrier* memory,
                                            uint32_t buffers, const VkBufferMemoryBarrier* buffer, uint32_t images,
                                            const VkImageMemoryBarrier* image) {
    if (count > 0) last_barrier_ = {from, to, memory->srcAccessMask, memory->dstAccessMask};
    barrier_(cmd, from, to, flags, count, memory, buffers, buffer, images, image);
  }

  static inline PFN_vkAllocateMemory allocate_ = nullptr;
  static inline PFN_vkCreateBufferView create_view_ = nullptr;
  static inline PFN_vkCmdPipelineBarrier barrier_ = nullptr;
};

/// Three memory types for volk's calls, all of them the device's first that is mapped: device-local, mapped and cached,
/// device-local and mapped.
class ThreeMemoryTypes {
 public:
  explicit ThreeMemoryTypes(DeviceInfo& info)
      : requirements_(std::exchange(vkGetBufferMemoryRequirements, requirements)),
        allocate_(std::exchange(vkAllocateMemory, allocate)) {
    current = this;
    constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    constexpr VkMemoryPropertyFlags kMapped =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const auto is_mapped = [&](const VkMemoryType& type) { return (type.propertyFlags & kMapped) == kMapped; };
    VkPhysicalDeviceMemoryProperties& memory = info.memory;
    real_type_ = uint32_t(std::find_if(memory.memoryTypes, memory.memoryTypes + memory.memoryTypeCount, is_mapped) -
                          memory.memoryTypes);
    memory.memoryTypeCount = 3;
    memory.memoryTypes[0] = {kLocal, 0};
    memory.memoryTypes[1] = {kMapped | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, 0};
    memory.memoryTypes[2] = {kLocal | kMapped, 1};
    memory.memoryHeapCount = 2;
    memory.memoryHeaps[1] = {kSmallHeapBytes, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  }
  ThreeMemoryTypes(const ThreeMemoryTypes&) = delete;
  ~ThreeMemoryTypes() {
    vkGetBufferMemoryRequirements = requirements_;
    vkAllocateMemory = allocate_;
    current = nullptr;
  }

  static constexpr VkDeviceSize kSmallHeapBytes = 2 << 20;  // of the last type
  std::vector<uint32_t> tried;                              // types, in turn

 private:
  static VKAPI_ATTR void VKAPI_CALL requirements(VkDevice device, VkBuffer buffer, VkMemoryRequirements* out) {
    current->requirements_(device, buffer, out);
    out->memoryTypeBits = 7;
  }
  static VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice device, const VkMemoryAllocateInfo* info,
                                                 const VkAllocationCallbacks* callbacks, VkDeviceMemory* memory) {
    VkMemoryAllocateInfo real = *info;
    current->tried.push_back(std::exchange(real.memoryTypeIndex, current->real_type_));
    return current->allocate_(device, &real, callbacks, memory);
  }

  static inline ThreeMemoryTypes* current = nullptr;
  PFN_vkGetBufferMemoryRequirements requirements_;
  PFN_vkAllocateMemory allocate_;
  uint32_t real_type_ = 0;
};

TEST_F(Resources, TakeTheNextMemoryWhereTheBestIsFull) {
  ThreeMemoryTypes memory(context_.device.info);
  const std::pair<MemoryKind, std::vector<uint32_t>> kinds[] = {
      {MemoryKind::kDevice, {0, 2, 1}}, {MemoryKind::kUpload, {2, 1}}, {MemoryKind::kReadback, {1, 2}}};
  for (const auto& [kind, types] : kinds) {
    failing_ = int(types.size()) - 1, memory.tried.clear();
    const auto buffer = create_buffer(context_.device, 1000, VK_BUFFER_USAGE_TRANSFER_DST_BIT, kind, "first");
    EXPECT_TRUE(buffer) << buffer.error().message;
    EXPECT_EQ(memory.tried, types);
    failing_ = int(types.size()), memory.tried.clear();
    const auto none = create_buffer(context_.device, 3 << 20, VK_BUFFER_USAGE_TRANSFER_DST_BIT, kind, "second");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::kOutOfMemory);
    EXPECT_THAT(none.error().message, HasSubstr("no memory for second (3 MiB)"));
    EXPECT_THAT(memory.tried, Not(Contains(2u))) << "its heap is too small";
    failing_ = 0;
  }
}

TEST_F(Resources, HaveViewsOfNoMoreTexelsThanTheDeviceAllows) {
  constexpr VkBufferUsageFlags kTexels = VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
  context_.device.info.limits.maxTexelBufferElements = 65536;
  EXPECT_TRUE(create_buffer(context_.device, 3 << 20, kTexels, MemoryKind::kUpload, "large"));
  EXPECT_EQ(view_bytes_, 1u << 20);
  EXPECT_TRUE(create_buffer(context_.device, 1000, kTexels, MemoryKind::kUpload, "small"));
  EXPECT_EQ(view_bytes_, 992u) << "whole texels of 16 bytes";
}

TextureInfo texture_of(uint32_t width, uint32_t height) {
  TextureInfo texture;
  texture.width = width, texture.height = height;
  return texture;
}

TEST_F(Resources, TexturesLargerThanTheDeviceAllowsAreRefused) {
  context_.device.info.limits.maxImageDimension2D = 8;
  const std::vector<uint8_t> pixels(4 * 9 * 8);
  EXPECT_TRUE(create_texture(context_.device, texture_of(8, 8), pixels, "fits"));
  for (const auto& [width, height] : {std::pair{9u, 8u}, {8u, 9u}}) {
    const auto texture = create_texture(context_.device, texture_of(width, height), pixels, "coat.png");
    ASSERT_FALSE(texture);
    EXPECT_EQ(texture.error().code, ErrorCode::kUnsupported);
    EXPECT_THAT(texture.error().message, HasSubstr("coat.png is larger than the 8 pixels"));
  }
}

/// Waiting for a queue does not make its writes visible to the CPU: that takes a barrier. No layer reports its absence.
TEST_F(Resources, CommandsThatRunOnceEndWithABarrierToTheCpu) {
  const auto buffer =
      create_buffer(context_.device, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::kReadback, "filled");
  ASSERT_TRUE(buffer);
  ASSERT_TRUE(run_once(context_.device, "fill", [&](VkCommandBuffer cmd) {
    vkCmdFillBuffer(cmd, buffer->get(), 0, VK_WHOLE_SIZE, 0x01020304);
    last_barrier_ = {};
  }));
  EXPECT_NE(last_barrier_.from & (VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_ALL_COMMANDS_BIT), 0u);
  EXPECT_NE(last_barrier_.written & (VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_MEMORY_WRITE_BIT), 0u);
  EXPECT_NE(last_barrier_.to & VK_PIPELINE_STAGE_HOST_BIT, 0u);
  EXPECT_NE(last_barrier_.read & (VK_ACCESS_HOST_READ_BIT | VK_ACCESS_MEMORY_READ_BIT), 0u);
  EXPECT_EQ(*static_cast<const uint32_t*>(buffer->mapped), 0x01020304u);
}

TEST_F(Resources, UploadBuffersGrowByHalfWithinTheirLimit) {
  Buffer buffer;
  const auto size_after = [&](VkDeviceSize size_bytes) {
    const BufferSpec spec{size_bytes, 2000, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "growing"};
    EXPECT_TRUE(fit_upload_buffer(context_.device, spec, buffer));
    return buffer.size_bytes;
  };
  EXPECT_EQ(size_after(1000), 1000u);
  EXPECT_EQ(size_after(900), 1000u);
  EXPECT_EQ(size_after(1001), 1500u);
  EXPECT_EQ(size_after(1501), 2000u) << "and not 2250";
  EXPECT_EQ(size_after(2000), 2000u);
}

TEST_F(Resources, BuffersHaveTheContentsOfAnArray) {
  const std::vector<uint32_t> numbers = {3, 1, 4, 1, 5};
  const auto buffer = create_buffer_of(context_.device, numbers, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, "numbers");
  ASSERT_TRUE(buffer);
  const auto read =
      create_buffer(context_.device, 20, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::kReadback, "read back");
  ASSERT_TRUE(read);
  ASSERT_TRUE(run_once(context_.device, "read back", [&](VkCommandBuffer cmd) {
    const VkBufferCopy all{0, 0, 20};
    vkCmdCopyBuffer(cmd, buffer->get(), read->get(), 1, &all);
  }));
  const auto* words = static_cast<const uint32_t*>(read->mapped);
  EXPECT_EQ(std::vector<uint32_t>(words, words + 5), numbers);
}

}  // namespace
}  // namespace host
