#include "sinew/vulkan/vulkan_error.h"

namespace sinew::vulkan {
namespace {

ErrorCode code_of(VkResult result) {
  switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_MEMORY_MAP_FAILED:
    case VK_ERROR_TOO_MANY_OBJECTS:
    case VK_ERROR_FRAGMENTED_POOL:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_FRAGMENTATION:
      return ErrorCode::kOutOfMemory;
    case VK_ERROR_DEVICE_LOST:
      return ErrorCode::kDeviceLost;
    default:
      return ErrorCode::kDeviceFailure;
  }
}

/// Its name in Vulkan's headers; "VkResult" of one that Vulkan 1.2 and its swapchain do not have.
const char* name_of(VkResult result) {
#define SINEW_NAME(name) \
  case name:             \
    return #name
  switch (result) {
    SINEW_NAME(VK_SUCCESS);
    SINEW_NAME(VK_NOT_READY);
    SINEW_NAME(VK_TIMEOUT);
    SINEW_NAME(VK_EVENT_SET);
    SINEW_NAME(VK_EVENT_RESET);
    SINEW_NAME(VK_INCOMPLETE);
    SINEW_NAME(VK_ERROR_OUT_OF_HOST_MEMORY);
    SINEW_NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY);
    SINEW_NAME(VK_ERROR_INITIALIZATION_FAILED);
    SINEW_NAME(VK_ERROR_DEVICE_LOST);
    SINEW_NAME(VK_ERROR_MEMORY_MAP_FAILED);
    SINEW_NAME(VK_ERROR_LAYER_NOT_PRESENT);
    SINEW_NAME(VK_ERROR_EXTENSION_NOT_PRESENT);
    SINEW_NAME(VK_ERROR_FEATURE_NOT_PRESENT);
    SINEW_NAME(VK_ERROR_INCOMPATIBLE_DRIVER);
    SINEW_NAME(VK_ERROR_TOO_MANY_OBJECTS);
    SINEW_NAME(VK_ERROR_FORMAT_NOT_SUPPORTED);
    SINEW_NAME(VK_ERROR_FRAGMENTED_POOL);
    SINEW_NAME(VK_ERROR_UNKNOWN);
    SINEW_NAME(VK_ERROR_OUT_OF_POOL_MEMORY);
    SINEW_NAME(VK_ERROR_INVALID_EXTERNAL_HANDLE);
    SINEW_NAME(VK_ERROR_FRAGMENTATION);
    SINEW_NAME(VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
    SINEW_NAME(VK_ERROR_SURFACE_LOST_KHR);
    SINEW_NAME(VK_ERROR_NATIVE_WINDOW_IN_USE_KHR);
    SINEW_NAME(VK_SUBOPTIMAL_KHR);
    SINEW_NAME(VK_ERROR_OUT_OF_DATE_KHR);
    SINEW_NAME(VK_ERROR_VALIDATION_FAILED_EXT);
    default:
      return "VkResult";
  }
#undef SINEW_NAME
}

}  // namespace

Error vulkan_error(const std::string& what, VkResult result) {
  return {code_of(result), what + ": " + name_of(result) + " (" + std::to_string(result) + ")", result};
}

}  // namespace sinew::vulkan
