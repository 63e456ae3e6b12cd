// What a physical device says of itself.
#include <algorithm>
#include <cstring>

#include "chain.h"

namespace sinew::simulator {
namespace {

// --- limits ---

void change(const Profile& profile, VkPhysicalDeviceProperties& properties) {
  if (profile.type != VK_PHYSICAL_DEVICE_TYPE_MAX_ENUM) properties.deviceType = profile.type;
  if (profile.api_version != 0) properties.apiVersion = std::min(properties.apiVersion, profile.api_version);
  VkPhysicalDeviceLimits& limits = properties.limits;
  if (profile.change_limits != nullptr) profile.change_limits(limits);
  if (profile.max_draw_indirect_count != 0) limits.maxDrawIndirectCount = profile.max_draw_indirect_count;
  if (profile.only_required_features) limits.maxDrawIndirectCount = 1;
  if (profile.timestamp_valid_bits == 0) limits.timestampComputeAndGraphics = VK_FALSE;
}

VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice device, VkPhysicalDeviceProperties* properties) {
  instance_of(device).GetPhysicalDeviceProperties(device, properties);
  change(profile_of(device), *properties);
}

void lower(VkDeviceSize& size, VkDeviceSize limit) {
  if (limit != 0) size = std::min(size, limit);
}

VKAPI_ATTR void VKAPI_CALL get_properties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2* properties) {
  instance_of(device).GetPhysicalDeviceProperties2(device, properties);
  const Profile& profile = profile_of(device);
  change(profile, properties->properties);
  const VkDeviceSize limit = profile.max_memory_allocation_size;
  if (auto* found = find_in_chain<VkPhysicalDeviceMaintenance3Properties>(
          properties->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES))
    lower(found->maxMemoryAllocationSize, limit);
  if (auto* found = find_in_chain<VkPhysicalDeviceVulkan11Properties>(
          properties->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES))
    lower(found->maxMemoryAllocationSize, limit);
  if (auto* found = find_in_chain<VkPhysicalDevicePortabilitySubsetPropertiesKHR>(
          properties->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PORTABILITY_SUBSET_PROPERTIES_KHR))
    found->minVertexInputBindingStrideAlignment = profile.portability ? 4 : 0;
}

// --- features ---

struct FeatureStruct {
  VkStructureType type;
  size_t size_bytes;
};

#define SIMULATOR_FEATURES(type, name) \
  { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type##_FEATURES, sizeof(VkPhysicalDevice##name##Features) }
// clang-format off
constexpr FeatureStruct kFeatureStructs[] = {
    SIMULATOR_FEATURES(VULKAN_1_1, Vulkan11),
    SIMULATOR_FEATURES(VULKAN_1_2, Vulkan12),
    SIMULATOR_FEATURES(VULKAN_1_3, Vulkan13),
    SIMULATOR_FEATURES(16BIT_STORAGE, 16BitStorage),
    SIMULATOR_FEATURES(8BIT_STORAGE, 8BitStorage),
    SIMULATOR_FEATURES(BUFFER_DEVICE_ADDRESS, BufferDeviceAddress),
    SIMULATOR_FEATURES(DESCRIPTOR_INDEXING, DescriptorIndexing),
    SIMULATOR_FEATURES(DYNAMIC_RENDERING, DynamicRendering),
    SIMULATOR_FEATURES(MAINTENANCE_4, Maintenance4),
    SIMULATOR_FEATURES(PROTECTED_MEMORY, ProtectedMemory),
    SIMULATOR_FEATURES(SAMPLER_YCBCR_CONVERSION, SamplerYcbcrConversion),
    SIMULATOR_FEATURES(SCALAR_BLOCK_LAYOUT, ScalarBlockLayout),
    SIMULATOR_FEATURES(SHADER_ATOMIC_INT64, ShaderAtomicInt64),
    SIMULATOR_FEATURES(SHADER_DRAW_PARAMETERS, ShaderDrawParameters),
    SIMULATOR_FEATURES(SHADER_FLOAT16_INT8, ShaderFloat16Int8),
    SIMULATOR_FEATURES(SYNCHRONIZATION_2, Synchronization2),
    SIMULATOR_FEATURES(VARIABLE_POINTERS, VariablePointers),
    SIMULATOR_FEATURES(VULKAN_MEMORY_MODEL, VulkanMemoryModel)};
// clang-format on

/// Every device with Vulkan 1.2 has these.
void add_required(VkBaseOutStructure* features) {
  if (features->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES) {
    reinterpret_cast<VkPhysicalDeviceVulkan11Features*>(features)->multiview = VK_TRUE;
  }
  if (features->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) return;
  auto& required = *reinterpret_cast<VkPhysicalDeviceVulkan12Features*>(features);
  required.subgroupBroadcastDynamicId = VK_TRUE;
  required.imagelessFramebuffer = VK_TRUE;
  required.uniformBufferStandardLayout = VK_TRUE;
  required.shaderSubgroupExtendedTypes = VK_TRUE;
  required.separateDepthStencilLayouts = VK_TRUE;
  required.hostQueryReset = VK_TRUE;
  required.timelineSemaphore = VK_TRUE;
}

void keep_required(VkPhysicalDeviceFeatures& features) {
  features = {};
  features.robustBufferAccess = VK_TRUE;
}

void keep_required(void* chain) {
  for (auto* link = static_cast<VkBaseOutStructure*>(chain); link != nullptr; link = link->pNext) {
    for (const FeatureStruct& known : kFeatureStructs) {
      if (link->sType != known.type) continue;
      std::memset(link + 1, 0, known.size_bytes - sizeof *link);
      add_required(link);
    }
  }
}

VKAPI_ATTR void VKAPI_CALL get_features(VkPhysicalDevice device, VkPhysicalDeviceFeatures* features) {
  instance_of(device).GetPhysicalDeviceFeatures(device, features);
  if (profile_of(device).only_required_features) keep_required(*features);
}

VKAPI_ATTR void VKAPI_CALL get_features2(VkPhysicalDevice device, VkPhysicalDeviceFeatures2* features) {
  instance_of(device).GetPhysicalDeviceFeatures2(device, features);
  const Profile& profile = profile_of(device);
  if (profile.only_required_features) keep_required(features->features), keep_required(features->pNext);
  auto* subset = find_in_chain<VkPhysicalDevicePortabilitySubsetFeaturesKHR>(
      features->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PORTABILITY_SUBSET_FEATURES_KHR);
  if (subset != nullptr) {
    void* const next = subset->pNext;
    *subset = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PORTABILITY_SUBSET_FEATURES_KHR, next};
  }
}

// --- extensions ---

VKAPI_ATTR VkResult VKAPI_CALL enumerate_extensions(VkPhysicalDevice device, const char* layer, uint32_t* count,
                                                    VkExtensionProperties* properties) {
  const auto next = instance_of(device).EnumerateDeviceExtensionProperties;
  const Profile& profile = profile_of(device);
  if (layer != nullptr) return next(device, layer, count, properties);
  uint32_t real_count = 0;
  if (const VkResult result = next(device, nullptr, &real_count, nullptr); result != VK_SUCCESS) return result;
  std::vector<VkExtensionProperties> all(real_count);
  if (const VkResult result = next(device, nullptr, &real_count, all.data()); result != VK_SUCCESS) return result;
  if (profile.only_swapchain) {
    std::erase_if(all, [](const VkExtensionProperties& extension) {
      return std::strcmp(extension.extensionName, VK_KHR_SWAPCHAIN_EXTENSION_NAME) != 0;
    });
  }
  if (profile.portability) {
    all.push_back({VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME, VK_KHR_PORTABILITY_SUBSET_SPEC_VERSION});
  }
  const uint32_t room = *count;
  *count = uint32_t(properties == nullptr ? all.size() : std::min<size_t>(room, all.size()));
  if (properties == nullptr) return VK_SUCCESS;
  std::copy_n(all.begin(), *count, properties);
  return *count < all.size() ? VK_INCOMPLETE : VK_SUCCESS;
}

// --- formats ---

bool is_missing(VkPhysicalDevice device, VkFormat format) {
  const auto missing = profile_of(device).missing_formats;
  return std::find(missing.begin(), missing.end(), format) != missing.end();
}

VKAPI_ATTR void VKAPI_CALL get_format(VkPhysicalDevice device, VkFormat format, VkFormatProperties* properties) {
  instance_of(device).GetPhysicalDeviceFormatProperties(device, format, properties);
  if (is_missing(device, format)) *properties = {};
}

VKAPI_ATTR void VKAPI_CALL get_format2(VkPhysicalDevice device, VkFormat format, VkFormatProperties2* properties) {
  instance_of(device).GetPhysicalDeviceFormatProperties2(device, format, properties);
  if (!is_missing(device, format)) return;
  properties->formatProperties = {};
  auto* flags = find_in_chain<VkFormatProperties3>(properties->pNext, VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3);
  if (flags != nullptr) flags->linearTilingFeatures = flags->optimalTilingFeatures = flags->bufferFeatures = 0;
}

VKAPI_ATTR VkResult VKAPI_CALL get_image_format(VkPhysicalDevice device, VkFormat format, VkImageType type,
                                                VkImageTiling tiling, VkImageUsageFlags usage, VkImageCreateFlags flags,
                                                VkImageFormatProperties* properties) {
  if (is_missing(device, format)) return *properties = {}, VK_ERROR_FORMAT_NOT_SUPPORTED;
  return instance_of(device).GetPhysicalDeviceImageFormatProperties(device, format, type, tiling, usage, flags,
                                                                    properties);
}

VKAPI_ATTR VkResult VKAPI_CALL get_image_format2(VkPhysicalDevice device, const VkPhysicalDeviceImageFormatInfo2* info,
                                                 VkImageFormatProperties2* properties) {
  if (is_missing(device, info->format)) return properties->imageFormatProperties = {}, VK_ERROR_FORMAT_NOT_SUPPORTED;
  return instance_of(device).GetPhysicalDeviceImageFormatProperties2(device, info, properties);
}

}  // namespace

std::span<const Entry> query_entries() {
  static const Entry kEntries[] = {SIMULATOR_ENTRY("GetPhysicalDeviceProperties", get_properties),
                                   SIMULATOR_ENTRY("GetPhysicalDeviceProperties2", get_properties2),
                                   SIMULATOR_ENTRY("GetPhysicalDeviceProperties2KHR", get_properties2),
                                   SIMULATOR_ENTRY("GetPhysicalDeviceFeatures", get_features),
                                   SIMULATOR_ENTRY("GetPhysicalDeviceFeatures2", get_features2),
                                   SIMULATOR_ENTRY("GetPhysicalDeviceFeatures2KHR", get_features2),
                                   SIMULATOR_ENTRY("EnumerateDeviceExtensionProperties", enumerate_extensions),
                                   SIMULATOR_ENTRY("GetPhysicalDeviceFormatProperties", get_format),
                                   SIMULATOR_ENTRY("GetPhysicalDeviceFormatProperties2", get_format2),
                                   SIMULATOR_ENTRY("GetPhysicalDeviceFormatProperties2KHR", get_format2),
                                   SIMULATOR_ENTRY("GetPhysicalDeviceImageFormatProperties", get_image_format),
                                   SIMULATOR_ENTRY("GetPhysicalDeviceImageFormatProperties2", get_image_format2),
                                   SIMULATOR_ENTRY("GetPhysicalDeviceImageFormatProperties2KHR", get_image_format2)};
  return kEntries;
}

}  // namespace sinew::simulator
