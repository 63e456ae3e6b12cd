// Buffers and images with their memory, and the upload of their contents.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "host/device.h"
#include "host/handle.h"

namespace host {

enum class MemoryKind : uint8_t {
  kDevice,    // device-local where possible
  kUpload,    // the CPU writes, the device reads: coherent and mapped; device-local too where possible
  kReadback,  // the device writes, the CPU reads: coherent and mapped; cached where possible
};

/// Move-only. The memory belongs to this buffer alone.
struct Buffer {
  MemoryHandle memory;  // declared before the buffer: it is freed last
  BufferHandle handle;
  BufferViewHandle texels;  // vec4, as far as the device's limit; null without texel usage
  void* mapped = nullptr;   // null for kDevice; aligned to 64 bytes, as every mapping is: the buffer's offset is 0
  VkDeviceSize size_bytes = 0;
  bool device_local = false;

  VkBuffer get() const { return handle.get(); }
};

/// Creates a buffer with at least 16 bytes, binds its memory and maps it (unless kDevice).
Result<Buffer> create_buffer(const Device& device, VkDeviceSize size_bytes, VkBufferUsageFlags usage, MemoryKind kind,
                             const std::string& name);

/// A device-local buffer with the contents `bytes`. Waits for the device.
Result<Buffer> create_buffer_with(const Device& device, std::span<const std::byte> bytes, VkBufferUsageFlags usage,
                                  const std::string& name);

/// The same with the elements of an array.
template <class List>
Result<Buffer> create_buffer_of(const Device& device, const List& list, VkBufferUsageFlags usage,
                                const std::string& name) {
  return create_buffer_with(device, std::as_bytes(std::span(list)), usage, name);
}

/// Of a buffer with VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, on a device with buffer addresses.
VkDeviceAddress address_of(const Device& device, VkBuffer buffer);

/// What a buffer of MemoryKind::kUpload must have.
struct BufferSpec {
  VkDeviceSize size_bytes = 0, max_bytes = VkDeviceSize(256) << 20;  // max: limit of the spare room
  VkBufferUsageFlags usage = 0;
  std::string_view name;
};

/// Replaces a buffer that is too small by one that is half as large again, where max_bytes allows. The contents are
/// lost: no frame in flight may use the buffer. After an error the buffer is empty.
Status fit_upload_buffer(const Device& device, const BufferSpec& spec, Buffer& buffer);

/// Move-only. The memory belongs to this image alone.
struct Image {
  MemoryHandle memory;
  ImageHandle handle;
  ImageViewHandle view;

  VkImage get() const { return handle.get(); }
};

struct ImageInfo {
  uint32_t width = 1, height = 1, mip_levels = 1;
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkFormat view_format = VK_FORMAT_UNDEFINED;  // of the same size; undefined: the image's format
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkImageUsageFlags usage = 0;
  VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT;
  uint32_t layers = 0;  // of an array; 0: not an array
};

/// A device-local 2D image or array of 2D images, with a view of the whole image. In VK_IMAGE_LAYOUT_UNDEFINED.
Result<Image> create_image(const Device& device, const ImageInfo& info, const std::string& name);

/// A further view of an image, without more of its first mipmap; `format` must be compatible with that of the image.
Result<ImageViewHandle> create_view(const Device& device, VkImage image, VkFormat format, const std::string& name,
                                    const VkImageSubresourceRange& part = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
                                    VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D);

struct TextureInfo {
  uint32_t width = 1, height = 1;
  VkFormat format = VK_FORMAT_R8G8B8A8_SRGB;
  bool mipmaps = true;  // all of them; `format` must be one that can be blitted with linear filtering
};

/// A sampled texture. `pixels` holds width * height pixels in rows from the top. Fails where the device cannot have an
/// image so large. Waits for the device.
Result<Image> create_texture(const Device& device, const TextureInfo& texture, std::span<const uint8_t> pixels,
                             const std::string& name);

Result<SamplerHandle> create_sampler(const Device& device, const VkSamplerCreateInfo& info, const std::string& name);

/// A command pool with one command buffer, which is named `name`.
struct Commands {
  CommandPoolHandle pool;
  VkCommandBuffer cmd = VK_NULL_HANDLE;
};
Result<Commands> create_commands(const Device& device, uint32_t family, const std::string& name);

/// Records commands, submits them to the drawing queue and waits until the queue is idle. The device and the CPU can
/// then read everything the commands wrote. `name` says in messages what the commands do.
Status run_once(const Device& device, const std::string& name, const std::function<void(VkCommandBuffer)>& record);

/// A barrier between all stages, for all accesses: for commands that are not timed, and for devices that need it.
void full_barrier(VkCommandBuffer cmd);

}  // namespace host
