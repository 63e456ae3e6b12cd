// Render passes of one subpass, and the picture that a frame is drawn into: multisampled color and depth, resolved into
// an image that can be copied.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/device.h"
#include "host/handle.h"
#include "host/resources.h"

namespace host {

/// An attachment whose contents before the pass do not matter. `after` is its layout after the pass.
VkAttachmentDescription describe_attachment(VkFormat format, VkSampleCountFlagBits samples, VkAttachmentStoreOp store,
                                            VkImageLayout after);

/// `name` is for messages and debuggers.
Result<RenderPassHandle> create_pass(const Device& device, std::span<const VkAttachmentDescription> attachments,
                                     const VkSubpassDescription& subpass,
                                     std::span<const VkSubpassDependency> dependencies, const char* name);

Result<FramebufferHandle> create_framebuffer(const Device& device, VkRenderPass pass,
                                             std::span<const VkImageView> attachments, uint32_t width, uint32_t height,
                                             const std::string& name);

/// Begins a render pass. Viewport and scissor cover all `size` texels.
void begin_pass(VkCommandBuffer cmd, VkRenderPass pass, VkFramebuffer framebuffer, VkExtent2D size,
                std::span<const VkClearValue> clear);

// The picture that a frame is drawn into: multisampled color and depth, resolved into an image that can be copied.

inline constexpr VkFormat kColorFormat = VK_FORMAT_R8G8B8A8_SRGB;
inline constexpr VkFormat kPictureFormat = VK_FORMAT_R8G8B8A8_UNORM;  // same bytes, so that copies do not convert

struct Target {
  uint32_t width = 0, height = 0;
  Image color, depth;     // color only with multisampling; depth can be copied where it is kept, as the picture
  Image picture;          // VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL after the render pass
  ImageViewHandle bytes;  // of the picture, without conversion to sRGB
  FramebufferHandle framebuffer;
};

/// A pass of one subpass. It clears only depth, because a backdrop covers the color. Afterwards the picture can be
/// copied, and with `keeps_depth` the depth: only of one sample per pixel.
Result<RenderPassHandle> create_render_pass(const Device& device, VkSampleCountFlagBits samples,
                                            bool keeps_depth = false);

/// Fails (kInvalidArgument) for a size that the device cannot draw.
Result<Target> create_target(const Device& device, VkRenderPass render_pass, VkSampleCountFlagBits samples,
                             uint32_t width, uint32_t height, bool keeps_depth = false);

/// The picture of the last frame: RGBA, 4 bytes per pixel, rows from the top. Waits for the device.
Result<std::vector<uint8_t>> read_picture(const Device& device, const Target& target);

}  // namespace host
