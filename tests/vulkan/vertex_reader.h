// The simplest draw of a host: skinned vertices, read through fixed-function vertex input. Nothing is rasterized.
#pragma once

#include "vulkan/test_device.h"

namespace sinew::test {

class VertexReader {
 public:
  explicit VertexReader(TestDevice& device);
  VertexReader(const VertexReader&) = delete;
  ~VertexReader();

  /// Records a draw of `vertex_count` vertices in the format kOctahedral. Outside a render pass.
  void draw(VkCommandBuffer cmd, VkBuffer vertices, VkDeviceSize offset, uint32_t vertex_count) const;

 private:
  void make_target();
  void make_pipeline();

  TestDevice& device_;
  VkRenderPass render_pass_ = VK_NULL_HANDLE;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

}  // namespace sinew::test
