// A device for mistakes that need one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "misuse/misuse.h"
#include "vulkan/test_device.h"

#include "sinew/vulkan/skinner_info.h"

namespace sinew::test {

inline vulkan::SkinnerInfo info_of(const TestDevice& device) {
  vulkan::SkinnerInfo info;
  info.instance = device.instance, info.physical_device = device.physical_device, info.device = device.device;
  info.get_instance_proc_addr = device.vk.GetInstanceProcAddr;
  return info;
}

/// The mistakes of `make`, with a device. What validation says is added as mistakes that no page has.
template <class Make>
std::vector<Misuse> with_device(std::string& why_not, const Make& make) {
  const auto device = TestDevice::create(why_not);
  if (device == nullptr) return {};
  std::vector<Misuse> all = make(*device);
  for (const std::string& message : device->take_messages()) all.push_back({"validation", message});
  return all;
}

}  // namespace sinew::test
