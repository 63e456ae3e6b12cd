// The picture a frame is drawn into: multisampled color and depth, resolved into an image that can be copied.
#pragma once

#include <vector>

#include "gpu/resources.h"

namespace sinew::app {

inline constexpr VkFormat kColorFormat = VK_FORMAT_R8G8B8A8_SRGB;
inline constexpr VkFormat kPictureFormat = VK_FORMAT_R8G8B8A8_UNORM;  // the same bytes, for copies that convert nothing
inline constexpr VkFormat kDepthFormat = VK_FORMAT_D32_SFLOAT;

struct Target {
  uint32_t width = 0, height = 0;
  Image color, depth;  // color only where multisampled
  Image picture;       // after the render pass in VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL
  FramebufferHandle framebuffer;
};

/// A pass of one subpass that clears depth alone (a backdrop covers the color), and ends in a picture to be copied.
Result<RenderPassHandle> create_render_pass(const Device& device, VkSampleCountFlagBits samples);

Result<Target> create_target(const Device& device, VkRenderPass render_pass, VkSampleCountFlagBits samples,
                             uint32_t width, uint32_t height);

/// The picture of the last frame, 4 bytes a pixel, rows from the top. Waits for the device.
Result<std::vector<uint8_t>> read_picture(const Device& device, const Target& target);

}  // namespace sinew::app
