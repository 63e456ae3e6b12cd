// The program's device as a SkinnerInfo: to the library the program is a host like any other.
#pragma once

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
  info.frames_in_flight = frames_in_flight;
  info.barriers = vulkan::Barriers::kLibrary;
  info.consumers = consumers;
  return info;
}

}  // namespace sinew::app
