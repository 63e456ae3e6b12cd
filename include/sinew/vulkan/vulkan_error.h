// Errors of Vulkan calls, for the library and for hosts that use its Result.
#pragma once

#include <vulkan/vulkan_core.h>

#include <string>

#include "sinew/api.h"
#include "sinew/asset/result.h"

namespace sinew::vulkan {

/// Makes the Error for a Vulkan call `what` that returned `result`, with the message "what: VK_ERROR_DEVICE_LOST (-4)".
/// The code is kOutOfMemory for every result that means that memory ran out, kDeviceLost for a lost device, else
/// kDeviceFailure. Calls may run in parallel.
SINEW_API Error vulkan_error(const std::string& what, VkResult result);

}  // namespace sinew::vulkan
