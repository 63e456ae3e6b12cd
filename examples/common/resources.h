// Buffers and images. Those of `gpu.owned` live as long as the device.
#pragma once

#include <volk.h>

#include <cstdint>
#include <span>
#include <string>

#include "common/gpu.h"

namespace host {

struct Buffer {
  VkBuffer handle = VK_NULL_HANDLE;
  void* mapped = nullptr;
  VkDeviceSize size_bytes = 0;
};

/// Names are for debuggers: see Gpu::set_name().
///
/// A buffer that the CPU writes or reads in every frame; mapped and coherent.
Buffer make_mapped_buffer(Gpu& gpu, Owner& owner, VkBufferUsageFlags usage, VkDeviceSize size_bytes,
                          const std::string& name);

/// A buffer in device memory that only the device writes.
Buffer make_device_buffer(Gpu& gpu, Owner& owner, VkBufferUsageFlags usage, VkDeviceSize size_bytes,
                          const std::string& name);

/// The address of a buffer with VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT.
VkDeviceAddress address_of(const Gpu& gpu, VkBuffer buffer);

/// A buffer in device memory with `data` in it.
Buffer upload_buffer(Gpu& gpu, VkBufferUsageFlags usage, std::span<const std::byte> data, const std::string& name);

template <class List>
Buffer upload_list(Gpu& gpu, VkBufferUsageFlags usage, const List& list, const std::string& name) {
  return upload_buffer(gpu, usage, std::as_bytes(std::span(list)), name);
}

struct Image {
  VkImage handle = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
};
struct ImageInfo {
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkExtent2D size = {};
  VkImageUsageFlags usage = 0;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  uint32_t levels = 1;
};
Image make_image(Gpu& gpu, Owner& owner, const ImageInfo& info, const std::string& name);

struct Texture {
  VkImageView view = VK_NULL_HANDLE;
  VkSampler sampler = VK_NULL_HANDLE;
};

/// A texture with all its mip levels. `rgba` has 4 bytes per pixel: sRGB, and linear alpha.
Texture upload_texture(Gpu& gpu, uint32_t width, uint32_t height, std::span<const uint8_t> rgba,
                       const std::string& name);

/// A memory barrier between `from` and `to`, with a change of the layout of an image's mip level.
struct Transition {
  VkImageLayout from = VK_IMAGE_LAYOUT_UNDEFINED, to = VK_IMAGE_LAYOUT_UNDEFINED;
  VkPipelineStageFlags from_stage = 0, to_stage = 0;
  VkAccessFlags from_access = 0, to_access = 0;
  uint32_t level = 0;
};
void change_layout(VkCommandBuffer cmd, VkImage image, const Transition& transition);

}  // namespace host
