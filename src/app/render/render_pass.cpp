#include "render/render_pass.h"

namespace sinew::app {

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
    return vulkan_error(name, result);
  set_name(device, VK_OBJECT_TYPE_RENDER_PASS, handle, name);
  return RenderPassHandle(device.handle, handle);
}

}  // namespace sinew::app
