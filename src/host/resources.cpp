#include "host/resources.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

namespace host {
namespace {

/// Memory with any other property may need a feature or be slow, as AMD's device-coherent memory.
constexpr VkMemoryPropertyFlags kOrdinary = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                            VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

/// The memory properties to try for a kind, best first.
std::span<const VkMemoryPropertyFlags> preferences(MemoryKind kind) {
  constexpr VkMemoryPropertyFlags kMapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  static constexpr VkMemoryPropertyFlags kDevice[] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0};
  static constexpr VkMemoryPropertyFlags kUpload[] = {kMapped | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, kMapped};
  static constexpr VkMemoryPropertyFlags kReadback[] = {kMapped | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, kMapped};
  if (kind == MemoryKind::kDevice) return kDevice;
  return kind == MemoryKind::kUpload ? std::span(kUpload) : std::span(kReadback);
}

/// The memory types to try for a kind, best first; each once, and none whose heap is smaller than what is needed.
std::vector<uint32_t> suitable_types(const VkPhysicalDeviceMemoryProperties& memory, const VkMemoryRequirements& needs,
                                     MemoryKind kind) {
  std::vector<uint32_t> types;
  for (VkMemoryPropertyFlags wanted : preferences(kind)) {
    for (uint32_t type = 0; type < memory.memoryTypeCount; ++type) {
      const auto& [flags, heap] = memory.memoryTypes[type];
      if (!(needs.memoryTypeBits >> type & 1) || memory.memoryHeaps[heap].size < needs.size) continue;
      if ((flags & wanted) != wanted || (flags & ~kOrdinary) != 0) continue;
      if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
    }
  }
  return types;
}

struct Allocated {
  MemoryHandle memory;
  bool device_local = false;
};

/// Tries all suitable memory types in turn: the best memory may be full while another has room.
Result<Allocated> allocate(const Device& device, const VkMemoryRequirements& needs, MemoryKind kind,
                           const std::string& name, bool has_address = false) {
  const VkMemoryAllocateFlagsInfo address{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, nullptr,
                                          VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT, 0};
  VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  for (uint32_t type : suitable_types(device.info.memory, needs, kind)) {
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, has_address ? &address : nullptr};
    info.allocationSize = needs.size;
    info.memoryTypeIndex = type;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    result = vkAllocateMemory(device.handle, &info, nullptr, &memory);
    if (result != VK_SUCCESS) continue;
    set_name(device, VK_OBJECT_TYPE_DEVICE_MEMORY, memory, name);
    const VkMemoryPropertyFlags flags = device.info.memory.memoryTypes[type].propertyFlags;
    return Allocated{MemoryHandle(device.handle, memory), (flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0};
  }
  return vulkan_error("no memory for " + name + " (" + std::to_string(needs.size >> 20) + " MiB)", result);
}

void image_barrier(VkCommandBuffer cmd, VkImage image, uint32_t level, VkImageLayout from, VkImageLayout to) {
  VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.oldLayout = from;
  barrier.newLayout = to;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, 0, 1};
  vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr,
                       1, &barrier);
}

VkOffset3D level_size(uint32_t width, uint32_t height, uint32_t level) {
  return {int32_t(std::max(width >> level, 1u)), int32_t(std::max(height >> level, 1u)), 1};
}

void record_mipmaps(VkCommandBuffer cmd, VkImage image, uint32_t width, uint32_t height, uint32_t levels) {
  for (uint32_t level = 1; level < levels; ++level) {
    image_barrier(cmd, image, level - 1, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    image_barrier(cmd, image, level, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    VkImageBlit blit{};
    blit.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level - 1, 0, 1};
    blit.srcOffsets[1] = level_size(width, height, level - 1);
    blit.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1};
    blit.dstOffsets[1] = level_size(width, height, level);
    vkCmdBlitImage(cmd, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
                   &blit, VK_FILTER_LINEAR);
    image_barrier(cmd, image, level - 1, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                  VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  }
  image_barrier(cmd, image, levels - 1, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}

Status add_texels(const Device& device, const std::string& name, Buffer& buffer) {
  const VkDeviceSize texels =
      std::min<VkDeviceSize>(buffer.size_bytes / sizeof(float[4]), device.info.limits.maxTexelBufferElements);
  VkBufferViewCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
  info.buffer = buffer.get();
  info.format = VK_FORMAT_R32G32B32A32_SFLOAT;
  info.range = texels * sizeof(float[4]);
  return put(create_object<BufferViewHandle>(device, vkCreateBufferView, info, "view of buffer", name + ".texels"),
             buffer.texels);
}

Result<Buffer> create_staging(const Device& device, std::span<const std::byte> bytes, const std::string& name) {
  auto staging = create_buffer(device, bytes.size(), VK_BUFFER_USAGE_TRANSFER_SRC_BIT, MemoryKind::kUpload, name);
  if (staging && !bytes.empty()) std::memcpy(staging->mapped, bytes.data(), bytes.size());
  return staging;
}

}  // namespace

Result<Buffer> create_buffer(const Device& device, VkDeviceSize size_bytes, VkBufferUsageFlags usage, MemoryKind kind,
                             const std::string& name) {
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = std::max<VkDeviceSize>(size_bytes, 16);
  info.usage = usage;
  Buffer buffer;
  Status made = put(create_object<BufferHandle>(device, vkCreateBuffer, info, "buffer", name), buffer.handle);
  if (!made) return made.error();
  buffer.size_bytes = info.size;

  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device.handle, buffer.get(), &needs);
  auto memory = allocate(device, needs, kind, name, usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
  if (!memory) return memory.error();
  buffer.memory = std::move(memory->memory);
  buffer.device_local = memory->device_local;
  if (VkResult result = vkBindBufferMemory(device.handle, buffer.get(), buffer.memory.get(), 0); result != VK_SUCCESS)
    return vulkan_error("memory of buffer " + name, result);
  if (usage & VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT) {
    if (Status added = add_texels(device, name, buffer); !added) return added.error();
  }
  if (kind == MemoryKind::kDevice) return buffer;
  const VkResult result = vkMapMemory(device.handle, buffer.memory.get(), 0, VK_WHOLE_SIZE, 0, &buffer.mapped);
  if (result != VK_SUCCESS) return vulkan_error("mapping of buffer " + name, result);
  return buffer;
}

VkDeviceAddress address_of(const Device& device, VkBuffer buffer) {
  const VkBufferDeviceAddressInfo info{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
  return vkGetBufferDeviceAddress(device.handle, &info);
}

Status fit_upload_buffer(const Device& device, const BufferSpec& spec, Buffer& buffer) {
  if (buffer.handle && buffer.size_bytes >= spec.size_bytes) return {};
  const VkDeviceSize grown = std::min(buffer.size_bytes + buffer.size_bytes / 2, spec.max_bytes);
  buffer = {};  // freed first: both at once may not fit in memory
  const VkDeviceSize size_bytes = std::max(spec.size_bytes, grown);
  return put(create_buffer(device, size_bytes, spec.usage, MemoryKind::kUpload, std::string(spec.name)), buffer);
}

Result<Buffer> create_buffer_with(const Device& device, std::span<const std::byte> bytes, VkBufferUsageFlags usage,
                                  const std::string& name) {
  auto staging = create_staging(device, bytes, name + ".staging");
  if (!staging) return staging.error();
  auto buffer =
      create_buffer(device, bytes.size(), usage | VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::kDevice, name);
  if (!buffer || bytes.empty()) return buffer;
  const VkBufferCopy copy{0, 0, bytes.size()};
  Status copied = run_once(device, name,
                           [&](VkCommandBuffer cmd) { vkCmdCopyBuffer(cmd, staging->get(), buffer->get(), 1, &copy); });
  if (!copied) return copied.error();
  return buffer;
}

Result<Image> create_image(const Device& device, const ImageInfo& info, const std::string& name) {
  const bool reinterpreted = info.view_format != VK_FORMAT_UNDEFINED && info.view_format != info.format;
  VkImageCreateInfo create{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  create.flags = reinterpreted ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT : 0;
  create.imageType = VK_IMAGE_TYPE_2D;
  create.format = info.format;
  create.extent = {info.width, info.height, 1};
  create.mipLevels = info.mip_levels;
  create.arrayLayers = std::max(info.layers, 1u);
  create.samples = info.samples;
  create.usage = info.usage;
  Image image;
  Status made = put(create_object<ImageHandle>(device, vkCreateImage, create, "image", name), image.handle);
  if (!made) return made.error();

  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device.handle, image.get(), &needs);
  auto memory = allocate(device, needs, MemoryKind::kDevice, name);
  if (!memory) return memory.error();
  image.memory = std::move(memory->memory);
  if (VkResult result = vkBindImageMemory(device.handle, image.get(), image.memory.get(), 0); result != VK_SUCCESS)
    return vulkan_error("memory of image " + name, result);

  made = put(create_view(device, image.get(), reinterpreted ? info.view_format : info.format, name,
                         {info.aspect, 0, info.mip_levels, 0, create.arrayLayers},
                         info.layers > 0 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D),
             image.view);
  if (!made) return made.error();
  return image;
}

Result<ImageViewHandle> create_view(const Device& device, VkImage image, VkFormat format, const std::string& name,
                                    const VkImageSubresourceRange& part, VkImageViewType type) {
  VkImageViewCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  info.image = image;
  info.viewType = type;
  info.format = format;
  info.subresourceRange = part;
  return create_object<ImageViewHandle>(device, vkCreateImageView, info, "view of image", name);
}

Result<Image> create_texture(const Device& device, const TextureInfo& texture, std::span<const uint8_t> pixels,
                             const std::string& name) {
  const uint32_t largest = device.info.limits.maxImageDimension2D;
  if (texture.width > largest || texture.height > largest) {
    return Error{ErrorCode::kUnsupported, name + " is larger than the " + std::to_string(largest) + " pixels that " +
                                              device.info.name + " can have"};
  }
  ImageInfo info{texture.width, texture.height, 1, texture.format};
  info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  if (texture.mipmaps) {
    info.mip_levels = uint32_t(std::bit_width(std::max(texture.width, texture.height)));
    info.usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  }
  auto staging = create_staging(device, std::as_bytes(pixels), name + ".staging");
  if (!staging) return staging.error();
  auto image = create_image(device, info, name);
  if (!image) return image;
  Status copied = run_once(device, name, [&](VkCommandBuffer cmd) {
    VkBufferImageCopy copy{};
    copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    copy.imageExtent = {texture.width, texture.height, 1};
    image_barrier(cmd, image->get(), 0, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    vkCmdCopyBufferToImage(cmd, staging->get(), image->get(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
    record_mipmaps(cmd, image->get(), texture.width, texture.height, info.mip_levels);
  });
  if (!copied) return copied.error();
  return image;
}

Result<SamplerHandle> create_sampler(const Device& device, const VkSamplerCreateInfo& info, const std::string& name) {
  return create_object<SamplerHandle>(device, vkCreateSampler, info, "sampler", name);
}

Result<Commands> create_commands(const Device& device, uint32_t family, const std::string& name) {
  Commands commands;
  VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool.queueFamilyIndex = family;
  Status made =
      put(create_object<CommandPoolHandle>(device, vkCreateCommandPool, pool, "command pool", name + ".command_pool"),
          commands.pool);
  if (!made) return made.error();
  VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  info.commandPool = commands.pool.get();
  info.commandBufferCount = 1;
  if (VkResult result = vkAllocateCommandBuffers(device.handle, &info, &commands.cmd); result != VK_SUCCESS)
    return vulkan_error("command buffer " + name, result);
  set_name(device, VK_OBJECT_TYPE_COMMAND_BUFFER, commands.cmd, name);
  return commands;
}

Status run_once(const Device& device, const std::string& name, const std::function<void(VkCommandBuffer)>& record) {
  const auto commands = create_commands(device, device.info.queue_family, name);
  if (!commands) return commands.error();
  const VkCommandBuffer cmd = commands->cmd;
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  if (VkResult result = vkBeginCommandBuffer(cmd, &begin); result != VK_SUCCESS)
    return vulkan_error(name + ": recording", result);
  record(cmd);
  full_barrier(cmd);
  if (VkResult result = vkEndCommandBuffer(cmd); result != VK_SUCCESS)
    return vulkan_error(name + ": recording", result);
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &cmd;
  if (VkResult result = vkQueueSubmit(device.queue, 1, &submit, VK_NULL_HANDLE); result != VK_SUCCESS)
    return vulkan_error(name + ": submission", result);
  if (VkResult result = vkQueueWaitIdle(device.queue); result != VK_SUCCESS)
    return vulkan_error(name + ": waiting for the device", result);
  return {};
}

void full_barrier(VkCommandBuffer cmd) {
  VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT;
  vkCmdPipelineBarrier(cmd, all, all, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace host
