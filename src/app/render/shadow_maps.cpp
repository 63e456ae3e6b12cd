#include "render/shadow_maps.h"

#include <algorithm>
#include <array>
#include <bit>

#include "gpu/host.h"

namespace sinew::app {
namespace {

constexpr uint32_t kSmallest = 16, kLargest = 4096;  // texels

/// Maps are drawn after the shaders of the last frame have read them, and read after they are drawn.
std::array<VkSubpassDependency, 2> dependencies() {
  constexpr VkPipelineStageFlags kDrawing =
      VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  constexpr VkAccessFlags kWritten = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  return {VkSubpassDependency{VK_SUBPASS_EXTERNAL, 0, kDrawing | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, kDrawing,
                              kWritten, kWritten | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT, 0},
          VkSubpassDependency{0, VK_SUBPASS_EXTERNAL, kDrawing, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, kWritten,
                              VK_ACCESS_SHADER_READ_BIT, 0}};
}

Result<ImageViewHandle> create_layer(const Device& device, VkImage image, uint32_t layer, const std::string& name) {
  VkImageViewCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  info.image = image;
  info.viewType = VK_IMAGE_VIEW_TYPE_2D;
  info.format = kShadowFormat;
  info.subresourceRange = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, layer, 1};
  VkImageView view = VK_NULL_HANDLE;
  if (VkResult result = vkCreateImageView(device.handle, &info, nullptr, &view); result != VK_SUCCESS)
    return vulkan_error("view of " + name, result);
  set_name(device, VK_OBJECT_TYPE_IMAGE_VIEW, view, name);
  return ImageViewHandle(device.handle, view);
}

/// Nothing draws or reads an unused image. But a bound image must be in the layout that it is bound with.
Status lay_out_unused(const Device& device, VkImage image) {
  return run_once(device, "sinew.shadow_maps", [&](VkCommandBuffer cmd) {
    VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
    barrier.newLayout = kShadowLayout;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1};
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, nullptr, 0,
                         nullptr, 1, &barrier);
  });
}

}  // namespace

Result<RenderPassHandle> create_shadow_pass(const Device& device) {
  VkAttachmentDescription map =
      describe_attachment(kShadowFormat, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_STORE_OP_STORE, kShadowLayout);
  map.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  const VkAttachmentReference depth{0, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass{};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.pDepthStencilAttachment = &depth;
  return create_pass(device, {&map, 1}, subpass, dependencies(), "sinew.shadow_pass");
}

Result<SamplerHandle> create_shadow_sampler(const Device& device) {
  VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.magFilter = info.minFilter = VK_FILTER_NEAREST;  // shaders weigh the comparisons: no filtering of depth needed
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  info.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
  info.compareEnable = VK_TRUE;
  info.compareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  return create_sampler(device, info, "sinew.shadow_sampler");
}

uint32_t shadow_map_size(const Device& device, uint32_t width, uint32_t height) {
  const VkPhysicalDeviceLimits& limits = device.info.limits;
  const uint32_t max_size =
      std::min({kLargest, limits.maxImageDimension2D, limits.maxFramebufferWidth, limits.maxFramebufferHeight,
                limits.maxViewportDimensions[0], limits.maxViewportDimensions[1]});
  return std::clamp(std::bit_floor(2 * std::max(width, height)), kSmallest, max_size);
}

Result<ShadowMaps> create_shadow_maps(const Device& device, VkRenderPass pass, uint32_t count, uint32_t size) {
  ShadowMaps maps;
  maps.count = count, maps.size = count > 0 ? size : 1;
  ImageInfo info{maps.size, maps.size, 1, kShadowFormat};
  info.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
  info.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
  info.layers = std::max(count, 1u);
  auto image = create_image(device, info, "sinew.shadow_maps");
  if (!image) return image.error();
  maps.image = std::move(*image);
  for (uint32_t i = 0; i < count; ++i) {
    const std::string name = "sinew.shadow_map[" + std::to_string(i) + "]";
    auto layer = create_layer(device, maps.image.get(), i, name);
    if (!layer) return layer.error();
    auto framebuffer = create_framebuffer(device, pass, std::array{layer->get()}, size, size, name);
    if (!framebuffer) return framebuffer.error();
    maps.layers.push_back(std::move(*layer));
    maps.framebuffers.push_back(std::move(*framebuffer));
  }
  if (count > 0) return maps;
  if (Status ready = lay_out_unused(device, maps.image.get()); !ready) return ready.error();
  return maps;
}

}  // namespace sinew::app
