// A device with small limits draws the same picture as one with large limits.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "renderer_fixture.h"

namespace sinew::app {
namespace {

struct DrawnPicture {
  std::vector<uint8_t> rgba;
  uint32_t pages = 0;          // that vertex shaders read
  uint32_t draw_commands = 0;  // of one pass
};

/// Logs indirect draws and dynamic offsets while it exists.
class DrawLog {
 public:
  DrawLog()
      : real_(std::exchange(vkCmdDrawIndexedIndirect, draw)), real_bind_(std::exchange(vkCmdBindDescriptorSets, bind)) {
    current = this;
  }
  DrawLog(const DrawLog&) = delete;
  ~DrawLog() { vkCmdDrawIndexedIndirect = real_, vkCmdBindDescriptorSets = real_bind_; }

  uint32_t max_count = 0;      // of the commands of one call
  uint64_t commands = 0;       // of all calls
  std::set<uint32_t> offsets;  // of uniform buffers

 private:
  static VKAPI_ATTR void VKAPI_CALL draw(VkCommandBuffer cmd, VkBuffer buffer, VkDeviceSize offset, uint32_t count,
                                         uint32_t stride) {
    current->max_count = std::max(current->max_count, count);
    current->commands += count;
    current->real_(cmd, buffer, offset, count, stride);
  }

  static VKAPI_ATTR void VKAPI_CALL bind(VkCommandBuffer cmd, VkPipelineBindPoint point, VkPipelineLayout layout,
                                         uint32_t first, uint32_t count, const VkDescriptorSet* sets,
                                         uint32_t offset_count, const uint32_t* offsets) {
    current->offsets.insert(offsets, offsets + offset_count);
    current->real_bind_(cmd, point, layout, first, count, sets, offset_count, offsets);
  }

  static inline DrawLog* current = nullptr;
  PFN_vkCmdDrawIndexedIndirect real_;
  PFN_vkCmdBindDescriptorSets real_bind_;
};

/// Of what is drawn: buffers of skinned vertices or, where the vertex shader skins, of palettes.
uint32_t pages_of(const Renderer& renderer) {
  std::set<VkBuffer> pages;
  for (const GroupRange& placed : renderer.skinning().all_ranges()) {
    const bool has_vertices = placed.range->vertices != VK_NULL_HANDLE;
    pages.insert(has_vertices ? placed.range->vertices : placed.range->palette_buffer);
  }
  return uint32_t(pages.size());
}

class SmallDevice : public test::RendererTest {
 protected:
  void prepare() override {
    ASSERT_TRUE(add_levels(models_[0]));
    scene_ = make_scene(models_, 700, 3);
  }

  /// Draws every instance with a palette of its own. The picture is small, so the levels of detail are coarse.
  DrawnPicture draw(SkinningMode mode, VertexFetch fetch = VertexFetch::kInput) {
    RendererInfo info = small_info(160, 90, mode);
    info.skinning.planner.cull = false;
    info.draw.fetch = fetch;
    info.draw.passes = 4;  // two shadow maps, depth and color
    const auto renderer = draw_frame(models_, info);
    return {picture_of(*renderer), pages_of(*renderer), renderer->draw_count()};
  }
};

TEST_F(SmallDevice, DrawsTheSamePicture) {
  constexpr std::array kModes = {SkinningMode::kCompute, SkinningMode::kVertex, SkinningMode::kCpu};
  std::array<DrawnPicture, 3> full, small, pulled;
  for (size_t i = 0; i < kModes.size(); ++i) full[i] = draw(kModes[i]);

  DeviceInfo& info = context_.device.info;
  info.multi_draw_indirect = info.draw_indirect_first_instance = false;
  info.limits.maxDrawIndirectCount = 1;
  info.limits.maxTexelBufferElements = 65536;
  // Less than the specification's minimum, which no fewer than 40,000 characters would reach.
  info.limits.maxStorageBufferRange = 1 << 20;
  for (size_t i = 0; i < kModes.size(); ++i) {
    small[i] = draw(kModes[i]);
    pulled[i] = draw(kModes[i], VertexFetch::kPulling);
  }
  for (size_t i = 0; i < kModes.size(); ++i) {
    EXPECT_EQ(small[i].rgba, full[i].rgba) << name_of(kModes[i]);
    EXPECT_EQ(pulled[i].rgba, full[i].rgba) << name_of(kModes[i]);
    EXPECT_FALSE(small[i].rgba.empty());
    EXPECT_GE(pulled[i].pages, 2u) << "the limit had no effect";
  }
  EXPECT_EQ(validation_messages(context_.instance), 0u);
}

TEST_F(SmallDevice, DrawsNoMoreCommandsAtOnceThanItsLimit) {
  if (!context_.device.info.multi_draw_indirect || !context_.device.info.draw_indirect_first_instance) {
    GTEST_SKIP() << "SKIPPED: the device has no indirect draws of several commands";
  }
  const uint32_t own_limit = context_.device.info.limits.maxDrawIndirectCount;
  DrawLog log;
  const DrawnPicture full = draw(SkinningMode::kCompute);
  EXPECT_GE(log.max_count, std::min(40u, own_limit));
  for (const uint32_t limit : {1u, std::min(7u, own_limit)}) {
    log.max_count = 0, log.commands = 0;
    context_.device.info.limits.maxDrawIndirectCount = limit;
    const DrawnPicture small = draw(SkinningMode::kCompute);
    EXPECT_EQ(log.max_count, limit);
    EXPECT_EQ(log.commands, uint64_t{4} * small.draw_commands) << "in each of four passes";
    EXPECT_EQ(small.rgba, full.rgba);
  }
}

TEST_F(SmallDevice, BindsUniformsAtMultiplesOfItsAlignment) {
  constexpr uint32_t kAlignment = 1024;  // larger than the uniforms of a view
  context_.device.info.limits.minUniformBufferOffsetAlignment = kAlignment;
  DrawLog log;
  EXPECT_FALSE(draw(SkinningMode::kCompute).rgba.empty());
  EXPECT_EQ(log.offsets.size(), 3u) << "the camera and two shadow maps";
  for (const uint32_t offset : log.offsets) EXPECT_EQ(offset % kAlignment, 0u);
}

}  // namespace
}  // namespace sinew::app
