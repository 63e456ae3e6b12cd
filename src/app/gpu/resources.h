// Buffers and images with their memory, and how their first contents get there.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "gpu/device.h"
#include "gpu/handle.h"
#include "sinew/asset/result.h"

namespace sinew::app {

enum class MemoryKind : uint8_t {
  kDevice,    // device-local
  kUpload,    // the CPU writes, the device reads: coherent and mapped; device-local too where there is such memory
  kReadback,  // the device writes, the CPU reads: coherent and mapped, cached where there is such memory
};

struct Buffer {
  MemoryHandle memory;  // before the buffer: it goes last
  BufferHandle handle;
  BufferViewHandle texels;  // of the whole or as much as a view may show, as vec4; null unless a uniform texel buffer
  void* mapped = nullptr;   // null for kDevice; on 64 bytes, as each mapping is, for the buffer begins its memory
  VkDeviceSize size_bytes = 0;

  VkBuffer get() const { return handle.get(); }
};

/// A size of 0 makes a buffer of a few bytes.
Result<Buffer> create_buffer(const Device& device, VkDeviceSize size_bytes, VkBufferUsageFlags usage, MemoryKind kind,
                             const std::string& name);

/// A device-local buffer that holds `bytes`. Waits for the device.
Result<Buffer> create_buffer_with(const Device& device, std::span<const std::byte> bytes, VkBufferUsageFlags usage,
                                  const std::string& name);

/// What a buffer of MemoryKind::kUpload must have.
struct BufferSpec {
  VkDeviceSize size_bytes = 0, max_bytes = VkDeviceSize(256) << 20;  // max: what it may grow to beyond that
  VkBufferUsageFlags usage = 0;
  std::string name;
};

/// Replaces a buffer that is too small by one half as large again, its contents lost: nobody may be reading it.
Status fit_upload_buffer(const Device& device, const BufferSpec& spec, Buffer& buffer);

struct Image {
  MemoryHandle memory;
  ImageHandle handle;
  ImageViewHandle view;

  VkImage get() const { return handle.get(); }
};

struct ImageInfo {
  uint32_t width = 1, height = 1, mip_levels = 1;
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkFormat view_format = VK_FORMAT_UNDEFINED;  // another of the same size; undefined: the image's own
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkImageUsageFlags usage = 0;
  VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT;
  uint32_t layers = 0;  // of an array; 0: no array
};

/// A device-local 2D image or array of them and a view of all of it, in VK_IMAGE_LAYOUT_UNDEFINED.
Result<Image> create_image(const Device& device, const ImageInfo& info, const std::string& name);

/// A sampled sRGB texture with all its mipmaps. `rgba` holds rows from the top, 4 bytes a pixel. Waits for the device.
Result<Image> create_texture(const Device& device, uint32_t width, uint32_t height, std::span<const uint8_t> rgba,
                             const std::string& name);

/// Records commands, submits them and waits until all they wrote can be read by anybody.
Status run_once(const Device& device, const std::function<void(VkCommandBuffer)>& record);

/// A barrier from everything to everything, for commands that are not timed or on devices where only it helps.
void full_barrier(VkCommandBuffer cmd);

}  // namespace sinew::app
