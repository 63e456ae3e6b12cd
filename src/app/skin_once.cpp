#include "skin_once.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "handle.h"
#include "sinew/skinned_vertex.h"
#include "sinew/vulkan.h"

namespace sinew::app {
namespace {

/// Memory the device copies into and the CPU reads.
struct Readback {
  BufferHandle buffer;
  MemoryHandle memory;
  const void* mapped = nullptr;
};

std::optional<uint32_t> readable_type(const DeviceInfo& info, uint32_t usable_types) {
  const auto wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  for (uint32_t type = 0; type < info.memory.memoryTypeCount; ++type) {
    const bool usable = usable_types >> type & 1;
    if (usable && (info.memory.memoryTypes[type].propertyFlags & wanted) == wanted) return type;
  }
  return {};
}

Result<Readback> create_readback(const Device& device, VkDeviceSize size_bytes) {
  VkBufferCreateInfo buffer_info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  buffer_info.size = size_bytes;
  buffer_info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkResult result = vkCreateBuffer(device.handle, &buffer_info, nullptr, &buffer);
  if (result != VK_SUCCESS) return vulkan_error("no buffer to read vertices back", result);
  Readback readback;
  readback.buffer = {device.handle, buffer};

  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device.handle, buffer, &needs);
  const auto type = readable_type(device.info, needs.memoryTypeBits);
  if (!type) return Error{ErrorCode::kUnsupported, device.info.name + " has no memory to read vertices back"};
  VkMemoryAllocateInfo memory_info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  memory_info.allocationSize = needs.size;
  memory_info.memoryTypeIndex = *type;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  result = vkAllocateMemory(device.handle, &memory_info, nullptr, &memory);
  if (result != VK_SUCCESS) return vulkan_error("no memory to read vertices back", result);
  readback.memory = {device.handle, memory};
  void* mapped = nullptr;
  result = vkBindBufferMemory(device.handle, buffer, memory, 0);
  if (result == VK_SUCCESS) result = vkMapMemory(device.handle, memory, 0, VK_WHOLE_SIZE, 0, &mapped);
  if (result != VK_SUCCESS) return vulkan_error("no memory to read vertices back", result);
  readback.mapped = mapped;
  return readback;
}

void record(VkCommandBuffer cmd, vulkan::Skinner& skinner, const vulkan::Range& range, VkBuffer readback) {
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  vkBeginCommandBuffer(cmd, &begin);
  skinner.record(cmd);
  const VkBufferCopy region{range.vertices_offset, 0, range.vertex_count * sizeof(SkinnedVertex)};
  vkCmdCopyBuffer(cmd, range.vertices, readback, 1, &region);
  VkMemoryBarrier to_host{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  to_host.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  to_host.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host, 0, nullptr, 0,
                       nullptr);
}

/// Records, submits and waits.
Status run(const Device& device, vulkan::Skinner& skinner, const vulkan::Range& range, VkBuffer readback) {
  VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = device.info.queue_family;
  VkCommandPool pool_object = VK_NULL_HANDLE;
  VkResult result = vkCreateCommandPool(device.handle, &pool_info, nullptr, &pool_object);
  if (result != VK_SUCCESS) return vulkan_error("no command pool", result);
  const CommandPoolHandle pool(device.handle, pool_object);

  VkCommandBufferAllocateInfo cmd_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  cmd_info.commandPool = pool.get();
  cmd_info.commandBufferCount = 1;
  VkCommandBuffer cmd = VK_NULL_HANDLE;
  result = vkAllocateCommandBuffers(device.handle, &cmd_info, &cmd);
  if (result != VK_SUCCESS) return vulkan_error("no command buffer", result);
  record(cmd, skinner, range, readback);
  result = vkEndCommandBuffer(cmd);

  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &cmd;
  if (result == VK_SUCCESS) result = vkQueueSubmit(device.queue, 1, &submit, VK_NULL_HANDLE);
  if (result == VK_SUCCESS) result = vkQueueWaitIdle(device.queue);
  return result == VK_SUCCESS ? Status() : vulkan_error("skinning did not finish", result);
}

SkinnedMesh decode(std::span<const SkinnedVertex> vertices) {
  SkinnedMesh mesh;
  for (const SkinnedVertex& vertex : vertices) {
    mesh.positions.push_back({vertex.position[0], vertex.position[1], vertex.position[2]});
    mesh.normals.push_back(decode_normal(vertex.normal));
  }
  return mesh;
}

Result<vulkan::Skinner> create_skinner_for(const Device& device) {
  vulkan::SkinnerInfo info;
  info.instance = device.instance;
  info.physical_device = device.info.physical;
  info.device = device.handle;
  info.get_instance_proc_addr = vkGetInstanceProcAddr;
  info.debug_utils = device.debug_utils;
  info.slots = 1;
  info.synchronisation = vulkan::Synchronisation::kRelease;
  info.consumers = vulkan::kTransferRead;
  return vulkan::create_skinner(info);
}

}  // namespace

Result<SkinnedMesh> skin_once(const Device& device, const Mesh& mesh, std::span<const Matrix3x4> palette) {
  if (mesh.positions.empty()) return SkinnedMesh{};
  auto skinner = create_skinner_for(device);
  if (!skinner) return skinner.error();
  const auto id = skinner->add_mesh(mesh, uint32_t(palette.size()), "pose");
  if (!id) return id.error();
  const vulkan::Batch batch{*id, 1};
  if (Status status = skinner->prepare({}, {&batch, 1}); !status) return status.error();
  const vulkan::Range range = skinner->ranges().front();
  std::copy(palette.begin(), palette.end(), range.palettes.begin());
  const auto readback = create_readback(device, range.vertex_count * sizeof(SkinnedVertex));
  if (!readback) return readback.error();
  if (Status status = run(device, *skinner, range, readback->buffer.get()); !status) return status.error();
  return decode({static_cast<const SkinnedVertex*>(readback->mapped), range.vertex_count});
}

}  // namespace sinew::app
