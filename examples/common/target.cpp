#include "common/target.h"

#include "common/check.h"

namespace host {
namespace {

/// Every device has one of the two.
VkFormat depth_format(const Gpu& gpu) {
  VkFormatProperties properties;
  vkGetPhysicalDeviceFormatProperties(gpu.physical, VK_FORMAT_D32_SFLOAT, &properties);
  const bool has_floats = properties.optimalTilingFeatures & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
  return has_floats ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_X8_D24_UNORM_PACK32;
}

VkAttachmentDescription attachment(VkFormat format, VkSampleCountFlagBits samples, VkImageLayout end) {
  VkAttachmentDescription description{0, format, samples};
  description.loadOp = samples == VK_SAMPLE_COUNT_1_BIT ? VK_ATTACHMENT_LOAD_OP_DONT_CARE : VK_ATTACHMENT_LOAD_OP_CLEAR;
  description.storeOp =
      samples == VK_SAMPLE_COUNT_1_BIT ? VK_ATTACHMENT_STORE_OP_STORE : VK_ATTACHMENT_STORE_OP_DONT_CARE;
  description.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  description.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  description.finalLayout = end;
  return description;
}

}  // namespace

VkRenderPass make_render_pass(Gpu& gpu, VkFormat color_format) {
  const VkAttachmentDescription attachments[] = {
      attachment(color_format, kSamples, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL),
      attachment(depth_format(gpu), kSamples, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL),
      attachment(color_format, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL),
  };
  const VkAttachmentReference color{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  const VkAttachmentReference depth{1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
  const VkAttachmentReference picture{2, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass{0, VK_PIPELINE_BIND_POINT_GRAPHICS};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &color;
  subpass.pResolveAttachments = &picture;
  subpass.pDepthStencilAttachment = &depth;

  // All frames in flight draw into the same images: wait for the drawing and the copy of the frame before.
  constexpr VkPipelineStageFlags kColor = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                 kDepth = VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                                          VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  constexpr VkAccessFlags kWrites = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  const VkSubpassDependency dependencies[] = {
      {VK_SUBPASS_EXTERNAL, 0, kColor | kDepth | VK_PIPELINE_STAGE_TRANSFER_BIT, kColor | kDepth, kWrites,
       kWrites | VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT, 0},
      {0, VK_SUBPASS_EXTERNAL, kColor, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
       VK_ACCESS_TRANSFER_READ_BIT, 0},
  };
  VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = 3;
  info.pAttachments = attachments;
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  info.dependencyCount = 2;
  info.pDependencies = dependencies;
  VkRenderPass pass = VK_NULL_HANDLE;
  check(vkCreateRenderPass(gpu.device, &info, nullptr, &pass), "vkCreateRenderPass");
  gpu.set_name(VK_OBJECT_TYPE_RENDER_PASS, pass, "render pass");
  gpu.owned.add([device = gpu.device, pass] { vkDestroyRenderPass(device, pass, nullptr); });
  return pass;
}

void Target::resize(VkRenderPass pass, VkFormat color_format, VkExtent2D size) {
  owner_.free_all();
  size_ = size;
  const Image color =
      make_image(gpu_, owner_, {color_format, size, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, kSamples}, "color");
  const Image depth = make_image(
      gpu_, owner_, {depth_format(gpu_), size, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, kSamples}, "depth");
  picture_ = make_image(gpu_, owner_,
                        {color_format, size, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT},
                        "picture");
  const VkImageView views[] = {color.view, depth.view, picture_.view};
  VkFramebufferCreateInfo info{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  info.renderPass = pass;
  info.attachmentCount = 3;
  info.pAttachments = views;
  info.width = size.width;
  info.height = size.height;
  info.layers = 1;
  check(vkCreateFramebuffer(gpu_.device, &info, nullptr, &framebuffer_), "vkCreateFramebuffer");
  gpu_.set_name(VK_OBJECT_TYPE_FRAMEBUFFER, framebuffer_, "framebuffer");
  owner_.add([device = gpu_.device, made = framebuffer_] { vkDestroyFramebuffer(device, made, nullptr); });
}

void Target::begin_pass(VkCommandBuffer cmd, VkRenderPass pass) const {
  VkClearValue clear[2] = {};
  clear[1].depthStencil.depth = 1;
  VkRenderPassBeginInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  info.renderPass = pass;
  info.framebuffer = framebuffer_;
  info.renderArea.extent = size_;
  info.clearValueCount = 2;
  info.pClearValues = clear;
  vkCmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
  const VkViewport viewport{0, 0, float(size_.width), float(size_.height), 0, 1};
  vkCmdSetViewport(cmd, 0, 1, &viewport);
  vkCmdSetScissor(cmd, 0, 1, &info.renderArea);
}

}  // namespace host
