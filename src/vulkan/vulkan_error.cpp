#include "sinew/vulkan/vulkan_error.h"

#include <vulkan/vulkan.hpp>
#include <vulkan/vulkan_to_string.hpp>

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
      return ErrorCode::kOutOfMemory;
    case VK_ERROR_DEVICE_LOST:
      return ErrorCode::kDeviceLost;
    default:
      return ErrorCode::kDeviceFailure;
  }
}

}  // namespace

Error vulkan_error(const std::string& what, VkResult result) {
  return {code_of(result), what + ": " + vk::to_string(vk::Result(result)) + " (" + std::to_string(result) + ")", result};
}

}  // namespace sinew::vulkan
