// Where mapped memory is not device-local, palettes and vertices are copied once per frame: the picture is the same.
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "renderer_fixture.h"

namespace sinew::app {
namespace {

/// Two memory types for volk's calls: mapped, and device-local. Both are the driver's only kind.
class TwoMemoryTypes {
 public:
  explicit TwoMemoryTypes(DeviceInfo& info)
      : requirements_(std::exchange(vkGetBufferMemoryRequirements, requirements)),
        allocate_(std::exchange(vkAllocateMemory, allocate)),
        copy_(std::exchange(vkCmdCopyBuffer, copy)),
        barrier_(std::exchange(vkCmdPipelineBarrier, barrier)) {
    current = this;
    info.type = "discrete";
    info.memory.memoryTypeCount = 2;
    info.memory.memoryTypes[0].propertyFlags &= ~VkMemoryPropertyFlags{VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT};
    info.memory.memoryTypes[1].propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  }
  TwoMemoryTypes(const TwoMemoryTypes&) = delete;
  ~TwoMemoryTypes() {
    vkGetBufferMemoryRequirements = requirements_;
    vkAllocateMemory = allocate_;
    vkCmdCopyBuffer = copy_;
    vkCmdPipelineBarrier = barrier_;
  }

  bool full = false;  // no device-local memory is left for buffers
  uint64_t copied_bytes = 0;
  std::set<VkPipelineStageFlags> after_copies;  // the stages that wait for a copy

 private:
  static VKAPI_ATTR void VKAPI_CALL requirements(VkDevice device, VkBuffer buffer, VkMemoryRequirements* out) {
    current->requirements_(device, buffer, out);
    out->memoryTypeBits = 3;
  }
  static VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice device, const VkMemoryAllocateInfo* info,
                                                 const VkAllocationCallbacks* callbacks, VkDeviceMemory* memory) {
    VkMemoryAllocateInfo real = *info;
    if (std::exchange(real.memoryTypeIndex, 0) == 1 && current->full) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    return current->allocate_(device, &real, callbacks, memory);
  }
  static VKAPI_ATTR void VKAPI_CALL copy(VkCommandBuffer cmd, VkBuffer from, VkBuffer to, uint32_t count,
                                         const VkBufferCopy* regions) {
    current->copied_bytes += regions[0].size;
    current->copy_(cmd, from, to, count, regions);
  }
  static VKAPI_ATTR void VKAPI_CALL barrier(VkCommandBuffer cmd, VkPipelineStageFlags from, VkPipelineStageFlags to,
                                            VkDependencyFlags flags, uint32_t memory_count,
                                            const VkMemoryBarrier* memory, uint32_t buffer_count,
                                            const VkBufferMemoryBarrier* buffers, uint32_t image_count,
                                            const VkImageMemoryBarrier* images) {
    const bool is_of_copies = from == VK_PIPELINE_STAGE_TRANSFER_BIT && memory_count == 1;
    if (is_of_copies && memory->srcAccessMask == VK_ACCESS_TRANSFER_WRITE_BIT) current->after_copies.insert(to);
    current->barrier_(cmd, from, to, flags, memory_count, memory, buffer_count, buffers, image_count, images);
  }

  static inline TwoMemoryTypes* current = nullptr;
  PFN_vkGetBufferMemoryRequirements requirements_;
  PFN_vkAllocateMemory allocate_;
  PFN_vkCmdCopyBuffer copy_;
  PFN_vkCmdPipelineBarrier barrier_;
};

class CopiedPages : public test::RendererTest {
 protected:
  void prepare() override {
    if (context_.device.info.memory.memoryTypeCount != 1) {
      GTEST_SKIP() << "SEVERAL MEMORY TYPES: this test pretends that the device's only type is two";
    }
    scene_ = make_scene(models_, 60, 3);
  }
  std::unique_ptr<Renderer> draw(SkinningMode mode, VertexFetch fetch) {
    RendererInfo info = small_info(320, 180, mode);
    info.draw.fetch = fetch;
    info.skinning.planner.update_rate = false;
    return draw_frame(models_, info);
  }
  /// Draws frames until each frame slot was used twice. Returns the last picture.
  std::vector<uint8_t> draw_frames(Renderer& renderer) {
    for (int frame = 0; frame < 4; ++frame) {
      EXPECT_TRUE(renderer.begin_frame());
      EXPECT_TRUE(renderer.draw_frame({.seconds = 5 + frame * 0.4f, .camera = frame_crowd(scene_)}));
    }
    EXPECT_TRUE(renderer.finish());
    return picture_of(renderer);
  }
};

TEST_F(CopiedPages, DrawTheSamePicture) {
  struct Case {
    SkinningMode mode;
    VertexFetch fetch;
    VkPipelineStageFlags readers;  // the stages that read what was copied
  };
  const Case cases[] = {{SkinningMode::kVertex, VertexFetch::kAuto, VK_PIPELINE_STAGE_VERTEX_SHADER_BIT},
                        {SkinningMode::kCpu, VertexFetch::kInput, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT},
                        {SkinningMode::kCpu, VertexFetch::kPulling, VK_PIPELINE_STAGE_VERTEX_SHADER_BIT}};
  for (const auto& [mode, fetch, readers] : cases) {
    SCOPED_TRACE(name_of(mode));
    const auto plain = draw(mode, fetch);
    EXPECT_EQ(plain->skinning().counters().copies.count, 0u);
    const std::vector<uint8_t> expected = draw_frames(*plain);
    const DeviceInfo own = context_.device.info;
    {
      TwoMemoryTypes memory(context_.device.info);
      const auto copied = draw(mode, fetch);
      memory.copied_bytes = 0;
      memory.after_copies.clear();
      EXPECT_EQ(draw_frames(*copied), expected);
      const SkinningCounters counters = copied->skinning().counters();
      EXPECT_EQ(counters.copies.count, 1u);
      const uint64_t written = mode == SkinningMode::kCpu ? counters.skinned_bytes : counters.palette_bytes;
      EXPECT_GE(counters.copies.bytes, written);
      EXPECT_LE(counters.copies.bytes, written * 11 / 10);  // padding between palettes
      EXPECT_GE(memory.copied_bytes, 4 * counters.copies.bytes);
      EXPECT_EQ(memory.after_copies, std::set<VkPipelineStageFlags>{readers});
    }
    context_.device.info = own;
  }
  EXPECT_EQ(validation_messages(context_.instance), 0u);
}

TEST_F(CopiedPages, AreReadInPlaceWithoutDeviceMemory) {
  const auto plain = draw(SkinningMode::kVertex, VertexFetch::kAuto);
  TwoMemoryTypes memory(context_.device.info);
  memory.full = true;
  const auto drawn = draw(SkinningMode::kVertex, VertexFetch::kAuto);
  EXPECT_EQ(drawn->skinning().counters().copies.count, 0u);
  EXPECT_EQ(picture_of(*drawn), picture_of(*plain));
}

}  // namespace
}  // namespace sinew::app
