#include "common/resources.h"

#include <algorithm>
#include <cstring>

#include "common/check.h"

namespace host {
namespace {

uint32_t memory_type(const Gpu& gpu, uint32_t allowed, VkMemoryPropertyFlags needed) {
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(gpu.physical, &memory);
  for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    if ((allowed & 1u << i) && (memory.memoryTypes[i].propertyFlags & needed) == needed) return i;
  }
  fail("the device has no memory of a kind that is needed");
}

VkDeviceMemory allocate(Gpu& gpu, Owner& owner, const VkMemoryRequirements& needed, VkMemoryPropertyFlags flags,
                        const std::string& name, bool has_address = false) {
  const VkMemoryAllocateFlagsInfo address{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, nullptr,
                                          VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT, 0};
  VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, has_address ? &address : nullptr};
  info.allocationSize = needed.size;
  info.memoryTypeIndex = memory_type(gpu, needed.memoryTypeBits, flags);
  VkDeviceMemory memory = VK_NULL_HANDLE;
  check(vkAllocateMemory(gpu.device, &info, nullptr, &memory), "vkAllocateMemory");
  gpu.set_name(VK_OBJECT_TYPE_DEVICE_MEMORY, memory, name);
  owner.add([device = gpu.device, memory] { vkFreeMemory(device, memory, nullptr); });
  return memory;
}

Buffer make_buffer(Gpu& gpu, Owner& owner, const VkBufferCreateInfo& info, VkMemoryPropertyFlags flags,
                   const std::string& name) {
  Buffer buffer{.size_bytes = info.size};
  check(vkCreateBuffer(gpu.device, &info, nullptr, &buffer.handle), "vkCreateBuffer");
  gpu.set_name(VK_OBJECT_TYPE_BUFFER, buffer.handle, name);
  VkMemoryRequirements needed;
  vkGetBufferMemoryRequirements(gpu.device, buffer.handle, &needed);
  owner.add([device = gpu.device, handle = buffer.handle] { vkDestroyBuffer(device, handle, nullptr); });
  const bool has_address = info.usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  const VkDeviceMemory memory = allocate(gpu, owner, needed, flags, name, has_address);
  check(vkBindBufferMemory(gpu.device, buffer.handle, memory, 0), "vkBindBufferMemory");
  if (flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)
    check(vkMapMemory(gpu.device, memory, 0, VK_WHOLE_SIZE, 0, &buffer.mapped), "vkMapMemory");
  return buffer;
}

VkBufferCreateInfo buffer_info(VkBufferUsageFlags usage, VkDeviceSize size_bytes) {
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = std::max<VkDeviceSize>(size_bytes, 4);  // a buffer of no size is not allowed
  info.usage = usage;
  return info;
}

VkOffset3D corner_of(uint32_t width, uint32_t height, uint32_t level) {
  return {int32_t(std::max(width >> level, 1u)), int32_t(std::max(height >> level, 1u)), 1};
}

/// Makes each mip level from the one before; all are ready for the fragment shader afterwards.
void record_mip_levels(VkCommandBuffer cmd, VkImage image, const ImageInfo& info) {
  const auto [width, height] = info.size;
  for (uint32_t level = 0; level < info.levels; ++level) {
    if (level > 0) {
      change_layout(cmd, image,
                    {VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_PIPELINE_STAGE_TRANSFER_BIT,
                     VK_PIPELINE_STAGE_TRANSFER_BIT, 0, VK_ACCESS_TRANSFER_WRITE_BIT, level});
      VkImageBlit blit{};
      blit.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level - 1, 0, 1};
      blit.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1};
      blit.srcOffsets[1] = corner_of(width, height, level - 1);
      blit.dstOffsets[1] = corner_of(width, height, level);
      vkCmdBlitImage(cmd, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
                     &blit, VK_FILTER_LINEAR);
    }
    change_layout(
        cmd, image,
        {VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_PIPELINE_STAGE_TRANSFER_BIT,
         VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT, level});
  }
  for (uint32_t level = 0; level < info.levels; ++level) {
    change_layout(
        cmd, image,
        {VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_PIPELINE_STAGE_TRANSFER_BIT,
         VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_SHADER_READ_BIT, level});
  }
}

VkSampler make_sampler(Gpu& gpu, const std::string& name) {
  VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.magFilter = info.minFilter = VK_FILTER_LINEAR;
  info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
  info.maxLod = VK_LOD_CLAMP_NONE;
  VkSampler sampler = VK_NULL_HANDLE;
  check(vkCreateSampler(gpu.device, &info, nullptr, &sampler), "vkCreateSampler");
  gpu.set_name(VK_OBJECT_TYPE_SAMPLER, sampler, name);
  gpu.owned.add([device = gpu.device, sampler] { vkDestroySampler(device, sampler, nullptr); });
  return sampler;
}

}  // namespace

Buffer make_mapped_buffer(Gpu& gpu, Owner& owner, VkBufferUsageFlags usage, VkDeviceSize size_bytes,
                          const std::string& name) {
  return make_buffer(gpu, owner, buffer_info(usage, size_bytes),
                     VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, name);
}

Buffer make_device_buffer(Gpu& gpu, Owner& owner, VkBufferUsageFlags usage, VkDeviceSize size_bytes,
                          const std::string& name) {
  return make_buffer(gpu, owner, buffer_info(usage, size_bytes), VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, name);
}

VkDeviceAddress address_of(const Gpu& gpu, VkBuffer buffer) {
  const VkBufferDeviceAddressInfo info{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
  return vkGetBufferDeviceAddress(gpu.device, &info);
}

Buffer upload_buffer(Gpu& gpu, VkBufferUsageFlags usage, std::span<const std::byte> data, const std::string& name) {
  Owner staging_owner;
  const Buffer staging =
      make_mapped_buffer(gpu, staging_owner, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, data.size(), name + ", staging");
  if (!data.empty()) std::memcpy(staging.mapped, data.data(), data.size());
  const Buffer buffer = make_device_buffer(gpu, gpu.owned, usage | VK_BUFFER_USAGE_TRANSFER_DST_BIT, data.size(), name);
  // The next submission sees the copy, for this one is waited for.
  gpu.run_once([&](VkCommandBuffer cmd) {
    const VkBufferCopy region{0, 0, data.size()};
    if (!data.empty()) vkCmdCopyBuffer(cmd, staging.handle, buffer.handle, 1, &region);
    const VkMemoryBarrier written{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                                  VK_ACCESS_MEMORY_READ_BIT};
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &written, 0,
                         nullptr, 0, nullptr);
  });
  return buffer;
}

Image make_image(Gpu& gpu, Owner& owner, const ImageInfo& info, const std::string& name) {
  VkImageCreateInfo create{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  create.imageType = VK_IMAGE_TYPE_2D;
  create.format = info.format;
  create.extent = {info.size.width, info.size.height, 1};
  create.mipLevels = info.levels;
  create.arrayLayers = 1;
  create.samples = info.samples;
  create.usage = info.usage;
  Image image;
  check(vkCreateImage(gpu.device, &create, nullptr, &image.handle), "vkCreateImage");
  gpu.set_name(VK_OBJECT_TYPE_IMAGE, image.handle, name);
  owner.add([device = gpu.device, handle = image.handle] { vkDestroyImage(device, handle, nullptr); });
  VkMemoryRequirements needed;
  vkGetImageMemoryRequirements(gpu.device, image.handle, &needed);
  const VkDeviceMemory memory = allocate(gpu, owner, needed, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, name);
  check(vkBindImageMemory(gpu.device, image.handle, memory, 0), "vkBindImageMemory");

  const bool depth = info.usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  VkImageViewCreateInfo view{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  view.image = image.handle;
  view.viewType = VK_IMAGE_VIEW_TYPE_2D;
  view.format = info.format;
  view.subresourceRange = {VkImageAspectFlags(depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT), 0,
                           info.levels, 0, 1};
  check(vkCreateImageView(gpu.device, &view, nullptr, &image.view), "vkCreateImageView");
  gpu.set_name(VK_OBJECT_TYPE_IMAGE_VIEW, image.view, name);
  owner.add([device = gpu.device, handle = image.view] { vkDestroyImageView(device, handle, nullptr); });
  return image;
}

Texture upload_texture(Gpu& gpu, uint32_t width, uint32_t height, std::span<const uint8_t> rgba,
                       const std::string& name) {
  ImageInfo info{VK_FORMAT_R8G8B8A8_SRGB, {width, height}};
  info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  while (std::max(width, height) >> info.levels) ++info.levels;
  const Image image = make_image(gpu, gpu.owned, info, name);
  Owner staging_owner;
  const Buffer staging =
      make_mapped_buffer(gpu, staging_owner, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, rgba.size(), name + ", staging");
  std::memcpy(staging.mapped, rgba.data(), rgba.size());
  gpu.run_once([&](VkCommandBuffer cmd) {
    change_layout(cmd, image.handle,
                  {VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_PIPELINE_STAGE_TRANSFER_BIT,
                   VK_PIPELINE_STAGE_TRANSFER_BIT, 0, VK_ACCESS_TRANSFER_WRITE_BIT});
    VkBufferImageCopy region{};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.imageExtent = {width, height, 1};
    vkCmdCopyBufferToImage(cmd, staging.handle, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    record_mip_levels(cmd, image.handle, info);
  });
  return {image.view, make_sampler(gpu, name)};
}

void change_layout(VkCommandBuffer cmd, VkImage image, const Transition& transition) {
  VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  barrier.srcAccessMask = transition.from_access;
  barrier.dstAccessMask = transition.to_access;
  barrier.oldLayout = transition.from;
  barrier.newLayout = transition.to;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, transition.level, 1, 0, 1};
  vkCmdPipelineBarrier(cmd, transition.from_stage, transition.to_stage, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

}  // namespace host
