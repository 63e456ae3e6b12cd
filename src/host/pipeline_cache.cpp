#include "host/pipeline_cache.h"

#include <cstring>

namespace host {
namespace {

VkPhysicalDeviceProperties properties_of(const DeviceInfo& info) {
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(info.physical, &properties);
  return properties;
}

}  // namespace

std::string pipeline_cache_owner(const DeviceInfo& info) {
  const VkPhysicalDeviceProperties properties = properties_of(info);
  std::string owner = info.uuid + " " + info.driver + " " + std::to_string(properties.driverVersion) + " ";
  constexpr const char* kDigits = "0123456789abcdef";
  for (const uint8_t byte : properties.pipelineCacheUUID) owner += kDigits[byte >> 4], owner += kDigits[byte & 15];
  return owner;
}

bool is_pipeline_cache(const DeviceInfo& info, std::span<const std::byte> bytes) {
  VkPipelineCacheHeaderVersionOne header;
  if (bytes.size() < sizeof header) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  const VkPhysicalDeviceProperties properties = properties_of(info);
  return header.headerSize >= sizeof header && header.headerSize <= bytes.size() &&
         header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE && header.vendorID == properties.vendorID &&
         header.deviceID == properties.deviceID &&
         std::memcmp(header.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE) == 0;
}

void open_pipeline_cache(Device& device, std::span<const std::byte> bytes) {
  VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  if (is_pipeline_cache(device.info, bytes)) info.initialDataSize = bytes.size(), info.pInitialData = bytes.data();
  VkPipelineCache cache = VK_NULL_HANDLE;
  if (vkCreatePipelineCache(device.handle, &info, nullptr, &cache) != VK_SUCCESS) return;
  if (device.pipeline_cache) vkDestroyPipelineCache(device.handle, device.pipeline_cache, nullptr);
  device.pipeline_cache = cache;
  set_name(device, VK_OBJECT_TYPE_PIPELINE_CACHE, cache, "sinew.pipeline_cache");
}

std::vector<std::byte> pipeline_cache_bytes(const Device& device) {
  size_t size = 0;
  if (!device.pipeline_cache ||
      vkGetPipelineCacheData(device.handle, device.pipeline_cache, &size, nullptr) != VK_SUCCESS)
    return {};
  std::vector<std::byte> bytes(size);
  if (vkGetPipelineCacheData(device.handle, device.pipeline_cache, &size, bytes.data()) != VK_SUCCESS) return {};
  bytes.resize(size);
  if (size <= sizeof(VkPipelineCacheHeaderVersionOne)) bytes.clear();  // the head alone
  return bytes;
}

}  // namespace host
