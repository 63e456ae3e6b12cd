// How the program presents its device to the library: as any host does.
#pragma once

#include "gpu/device.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::app {

/// The library puts its own barrier behind the skinned vertices, towards `consumers`.
inline vulkan::SkinnerInfo skinner_info(const Device& device, uint32_t slots, vulkan::Consumers consumers) {
  vulkan::SkinnerInfo info;
  info.instance = device.instance;
  info.physical_device = device.info.physical;
  info.device = device.handle;
  info.get_instance_proc_addr = vkGetInstanceProcAddr;
  info.debug_utils = device.debug_utils;
  info.frames_in_flight = slots;
  info.barriers = vulkan::Barriers::kLibrary;
  info.consumers = consumers;
  return info;
}

}  // namespace sinew::app
