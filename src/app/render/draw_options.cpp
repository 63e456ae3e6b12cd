#include "render/draw_options.h"

#include <array>

namespace sinew::app {

bool times_depth(const DrawOptions& options, bool cpu_device) { return draws_depth_first(options) && !cpu_device; }

std::vector<const char*> timed_passes(const DrawOptions& options, bool cpu_device) {
  constexpr std::array kMaps = {"shadow map 0", "shadow map 1", "shadow map 2", "shadow map 3"};
  std::vector<const char*> names(kMaps.begin(), kMaps.begin() + shadow_map_count(options));
  const bool apart = times_depth(options, cpu_device);
  if (apart) names.push_back("depth");
  names.push_back(draws_depth_first(options) && !apart ? "depth and color" : "color");
  return names;
}

namespace {

struct Use {
  VkPipelineStageFlags stages;
  VkAccessFlags access;
  VkImageLayout layout;
};

void change_use(VkCommandBuffer cmd, VkImage image, const Use& before, const Use& after) {
  VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  barrier.srcAccessMask = before.access, barrier.dstAccessMask = after.access;
  barrier.oldLayout = before.layout, barrier.newLayout = after.layout;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vkCmdPipelineBarrier(cmd, before.stages, after.stages, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

void set_corners(const VkRect2D& rect, VkOffset3D (&corners)[2]) {
  corners[0] = {rect.offset.x, rect.offset.y, 0};
  corners[1] = {rect.offset.x + int32_t(rect.extent.width), rect.offset.y + int32_t(rect.extent.height), 1};
}

}  // namespace

void record_inset(VkCommandBuffer cmd, VkImage picture, const Inset& inset) {
  constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
  constexpr VkPipelineStageFlags kDrawing = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  constexpr VkAccessFlags kDrawn = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  constexpr VkAccessFlags kReadAndWrite = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  change_use(cmd, picture,
             {kDrawing | kTransfer, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL},
             {kTransfer, kReadAndWrite, VK_IMAGE_LAYOUT_GENERAL});
  VkImageBlit region{};
  region.srcSubresource = region.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  set_corners(inset.from, region.srcOffsets);
  set_corners(inset.to, region.dstOffsets);
  vkCmdBlitImage(cmd, picture, VK_IMAGE_LAYOUT_GENERAL, picture, VK_IMAGE_LAYOUT_GENERAL, 1, &region,
                 VK_FILTER_NEAREST);
  change_use(cmd, picture, {kTransfer, VK_ACCESS_TRANSFER_WRITE_BIT, VK_IMAGE_LAYOUT_GENERAL},
             {kDrawing | kTransfer, kDrawn | VK_ACCESS_TRANSFER_READ_BIT, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL});
}

}  // namespace sinew::app
