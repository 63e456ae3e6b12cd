// A memory barrier in the host's command buffer.
#pragma once

#include "device_table.h"

namespace sinew::vulkan::internal {

struct Dependency {
  VkPipelineStageFlags from_stages = 0;
  VkAccessFlags from_accesses = 0;
  VkPipelineStageFlags to_stages = 0;
  VkAccessFlags to_accesses = 0;
};

inline void record_barrier(const DeviceTable& table, VkCommandBuffer cmd, const Dependency& dependency) {
  const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                   .srcAccessMask = dependency.from_accesses,
                                   .dstAccessMask = dependency.to_accesses};
  table.CmdPipelineBarrier(cmd, dependency.from_stages, dependency.to_stages, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace sinew::vulkan::internal
