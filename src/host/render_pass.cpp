#include "host/render_pass.h"

namespace host {

VkAttachmentDescription describe_attachment(VkFormat format, VkSampleCountFlagBits samples, VkAttachmentStoreOp store,
                                            VkImageLayout after) {
  VkAttachmentDescription description{};
  description.format = format;
  description.samples = samples;
  description.loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  description.storeOp = store;
  description.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  description.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  description.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  description.finalLayout = after;
  return description;
}

Result<RenderPassHandle> create_pass(const Device& device, std::span<const VkAttachmentDescription> attachments,
                                     const VkSubpassDescription& subpass,
                                     std::span<const VkSubpassDependency> dependencies, const char* name) {
  VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = uint32_t(attachments.size());
  info.pAttachments = attachments.data();
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  info.dependencyCount = uint32_t(dependencies.size());
  info.pDependencies = dependencies.data();
  VkRenderPass handle = VK_NULL_HANDLE;
  if (VkResult result = vkCreateRenderPass(device.handle, &info, nullptr, &handle); result != VK_SUCCESS)
    return vulkan_error(std::string("render pass ") + name, result);
  set_name(device, VK_OBJECT_TYPE_RENDER_PASS, handle, name);
  return RenderPassHandle(device.handle, handle);
}

Result<FramebufferHandle> create_framebuffer(const Device& device, VkRenderPass pass,
                                             std::span<const VkImageView> attachments, uint32_t width, uint32_t height,
                                             const std::string& name) {
  VkFramebufferCreateInfo info{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  info.renderPass = pass;
  info.attachmentCount = uint32_t(attachments.size());
  info.pAttachments = attachments.data();
  info.width = width;
  info.height = height;
  info.layers = 1;
  VkFramebuffer handle = VK_NULL_HANDLE;
  if (VkResult result = vkCreateFramebuffer(device.handle, &info, nullptr, &handle); result != VK_SUCCESS)
    return vulkan_error("framebuffer " + name, result);
  set_name(device, VK_OBJECT_TYPE_FRAMEBUFFER, handle, name);
  return FramebufferHandle(device.handle, handle);
}

void begin_pass(VkCommandBuffer cmd, VkRenderPass pass, VkFramebuffer framebuffer, VkExtent2D size,
                std::span<const VkClearValue> clear) {
  VkRenderPassBeginInfo begin{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  begin.renderPass = pass;
  begin.framebuffer = framebuffer;
  begin.renderArea.extent = size;
  begin.clearValueCount = uint32_t(clear.size());
  begin.pClearValues = clear.data();
  vkCmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
  const VkViewport viewport{0, 0, float(size.width), float(size.height), 0, 1};
  vkCmdSetViewport(cmd, 0, 1, &viewport);
  vkCmdSetScissor(cmd, 0, 1, &begin.renderArea);
}

}  // namespace host
