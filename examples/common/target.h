// What the examples draw into: four samples of color and depth for each pixel, and the picture made of them.
#pragma once

#include <volk.h>

#include "common/gpu.h"
#include "common/resources.h"

namespace host {

inline constexpr VkSampleCountFlagBits kSamples = VK_SAMPLE_COUNT_4_BIT;  // every device has it

/// A render pass that clears color and depth. The picture is ready to be copied after it.
VkRenderPass make_render_pass(Gpu& gpu, VkFormat color_format);

/// The images of one size.
class Target {
 public:
  explicit Target(Gpu& gpu) : gpu_(gpu) {}

  /// No commands may use the former images any more.
  void resize(VkRenderPass pass, VkFormat color_format, VkExtent2D size);
  void begin_pass(VkCommandBuffer cmd, VkRenderPass pass) const;

  VkExtent2D size() const { return size_; }
  VkImage picture() const { return picture_.handle; }

 private:
  Gpu& gpu_;
  Owner owner_;
  VkExtent2D size_ = {};
  Image picture_;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
};

}  // namespace host
