// The program's device as a SkinnerInfo: to the library the program is a host like any other. And what a skinner uses
// of it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/host.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::app {

/// With Barriers::kLibrary: the library records the barriers between skinning and `consumers`.
inline vulkan::SkinnerInfo skinner_info(const Device& device, uint32_t frames_in_flight, vulkan::Consumers consumers) {
  vulkan::SkinnerInfo info;
  info.instance = device.instance;
  info.physical_device = device.info.physical;
  info.device = device.handle;
  info.get_instance_proc_addr = vkGetInstanceProcAddr;
  info.debug_utils = device.debug_utils;
  info.pipeline_cache = device.pipeline_cache;
  info.frames_in_flight = frames_in_flight;
  info.barriers = vulkan::Barriers::kLibrary;
  info.consumers = consumers;
  return info;
}

/// Device memory for meshes, palettes, skinned vertices and job lists, in bytes, with room to grow. Palettes that have
/// a device-local copy are not in device memory, and no larger than it: the copy counts. Compact palettes count
/// wherever they are.
inline uint64_t device_bytes(const vulkan::MemoryUsage& usage) {
  return usage.mesh_bytes + std::max(usage.palette_bytes, usage.palette_copy_bytes) + usage.expanded_bytes +
         usage.skinned_bytes + usage.job_bytes;
}

}  // namespace sinew::app
