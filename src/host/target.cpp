#include "host/target.h"

#include <array>
#include <cstring>

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
  return create_object<RenderPassHandle>(device, vkCreateRenderPass, info, "render pass", name);
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
  return create_object<FramebufferHandle>(device, vkCreateFramebuffer, info, "framebuffer", name);
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

namespace {

/// Frames follow each other on one queue and share the target. The next frame waits for the writes and the copy of the
/// last one. The copy waits for the drawing.
std::array<VkSubpassDependency, 2> dependencies() {
  constexpr VkPipelineStageFlags kDrawing = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                                            VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                                            VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  constexpr VkAccessFlags kDrawn = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  constexpr VkAccessFlags kRead = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT;
  return {VkSubpassDependency{VK_SUBPASS_EXTERNAL, 0, kDrawing | VK_PIPELINE_STAGE_TRANSFER_BIT, kDrawing,
                              kDrawn | VK_ACCESS_TRANSFER_READ_BIT, kDrawn | kRead, 0},
          VkSubpassDependency{0, VK_SUBPASS_EXTERNAL, kDrawing, VK_PIPELINE_STAGE_TRANSFER_BIT, kDrawn,
                              VK_ACCESS_TRANSFER_READ_BIT, 0}};
}

Status create_images(const Device& device, VkSampleCountFlagBits samples, bool keeps_depth, Target& target) {
  ImageInfo info{target.width, target.height, 1, device.info.depth_format, VK_FORMAT_UNDEFINED, samples};
  info.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | (keeps_depth ? VK_IMAGE_USAGE_TRANSFER_SRC_BIT : 0);
  info.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
  if (Status made = put(create_image(device, info, "sinew.depth"), target.depth); !made) return made;

  info = {target.width, target.height, 1, kPictureFormat, kColorFormat};
  info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  Status made = put(create_image(device, info, "sinew.picture"), target.picture);
  if (!made || samples == VK_SAMPLE_COUNT_1_BIT) return made;

  info = {target.width, target.height, 1, kColorFormat, VK_FORMAT_UNDEFINED, samples};
  info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT;
  return put(create_image(device, info, "sinew.color"), target.color);
}

}  // namespace

Result<RenderPassHandle> create_render_pass(const Device& device, VkSampleCountFlagBits samples, bool keeps_depth) {
  const bool resolves = samples != VK_SAMPLE_COUNT_1_BIT;
  std::array<VkAttachmentDescription, 3> attachments = {
      describe_attachment(kColorFormat, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_STORE_OP_STORE,
                          VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL),
      describe_attachment(
          device.info.depth_format, samples,
          keeps_depth ? VK_ATTACHMENT_STORE_OP_STORE : VK_ATTACHMENT_STORE_OP_DONT_CARE,
          keeps_depth ? VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL : VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL),
      describe_attachment(kColorFormat, samples, VK_ATTACHMENT_STORE_OP_DONT_CARE,
                          VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL)};
  attachments[1].loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  const VkAttachmentReference picture{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  const VkAttachmentReference depth{1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
  const VkAttachmentReference samples_color{2, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass{};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = resolves ? &samples_color : &picture;
  subpass.pResolveAttachments = resolves ? &picture : nullptr;
  subpass.pDepthStencilAttachment = &depth;
  const std::span used(attachments.data(), resolves ? 3 : 2);
  return create_pass(device, used, subpass, dependencies(), "sinew.render_pass");
}

Result<Target> create_target(const Device& device, VkRenderPass render_pass, VkSampleCountFlagBits samples,
                             uint32_t width, uint32_t height, bool keeps_depth) {
  const VkPhysicalDeviceLimits& limits = device.info.limits;
  if (width > limits.maxFramebufferWidth || height > limits.maxFramebufferHeight) {
    return Error{ErrorCode::kInvalidArgument, "a picture of " + std::to_string(width) + "x" + std::to_string(height) +
                                                  " is larger than the " + std::to_string(limits.maxFramebufferWidth) +
                                                  "x" + std::to_string(limits.maxFramebufferHeight) + " that " +
                                                  device.info.name + " can draw"};
  }
  Target target;
  target.width = width, target.height = height;
  if (Status created = create_images(device, samples, keeps_depth, target); !created) return created.error();
  const std::array<VkImageView, 3> views = {target.picture.view.get(), target.depth.view.get(),
                                            target.color.view.get()};
  const std::span attachments(views.data(), target.color.view ? 3 : 2);
  Status made =
      put(create_framebuffer(device, render_pass, attachments, width, height, "sinew.framebuffer"), target.framebuffer);
  if (made) made = put(create_view(device, target.picture.get(), kPictureFormat, "sinew.picture_bytes"), target.bytes);
  if (!made) return made.error();
  return target;
}

Result<std::vector<uint8_t>> read_picture(const Device& device, const Target& target) {
  const size_t size_bytes = size_t(target.width) * target.height * 4;
  auto buffer =
      create_buffer(device, size_bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::kReadback, "sinew.screenshot");
  if (!buffer) return buffer.error();
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {target.width, target.height, 1};
  Status copied = run_once(device, "sinew.screenshot", [&](VkCommandBuffer cmd) {
    vkCmdCopyImageToBuffer(cmd, target.picture.get(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer->get(), 1, &region);
  });
  if (!copied) return copied.error();
  std::vector<uint8_t> rgba(size_bytes);
  std::memcpy(rgba.data(), buffer->mapped, size_bytes);
  return rgba;
}

}  // namespace host
