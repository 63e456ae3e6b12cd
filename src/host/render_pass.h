// Render passes of one subpass, and their attachments.
#pragma once

#include <span>
#include <string>

#include "host/device.h"
#include "host/handle.h"

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

}  // namespace host
