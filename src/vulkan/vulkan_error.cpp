#include "sinew/vulkan/vulkan_error.h"

#ifndef VULKAN_HPP_NO_EXCEPTIONS
#define VULKAN_HPP_NO_EXCEPTIONS  // only names of results are used
#endif
#include <vulkan/vulkan.hpp>
#include <vulkan/vulkan_to_string.hpp>

#include "asset/plain_text.h"

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

/// The name of a result as in Vulkan's C headers: ErrorDeviceLost of vulkan_to_string.hpp is VK_ERROR_DEVICE_LOST.
std::string name_of(VkResult result) {
  const std::string camel_case = vk::to_string(vk::Result(result));
  if (camel_case.starts_with("invalid")) return "VkResult";
  std::string name = "VK";
  bool starts_word = true;
  for (const char letter : camel_case) {
    if (is_upper(letter) && starts_word) name += '_';
    name += upper(letter);
    starts_word = !is_upper(letter);
  }
  return name;
}

}  // namespace

Error vulkan_error(const std::string& what, VkResult result) {
  return {code_of(result), what + ": " + name_of(result) + " (" + std::to_string(result) + ")", result};
}

}  // namespace sinew::vulkan
