// Portability drivers, such as MoltenVK, which implement a subset of Vulkan. The loader hides them unless the program
// asks for them, and their devices require VK_KHR_portability_subset to be enabled.
#define VK_ENABLE_BETA_EXTENSIONS  // VK_KHR_portability_subset
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <utility>

#include "files.h"
#include "host_fixture.h"

namespace host {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr const char* kSubset = "VK_KHR_portability_subset";

/// The loader's JSON file for the software driver; empty if there is none.
std::string software_driver() {
  std::error_code none;
  for (const auto& file : std::filesystem::directory_iterator("/usr/share/vulkan/icd.d", none)) {
    if (file.path().filename().string().starts_with("lvp_icd"))
      return sinew::test::read_file_text(file.path().string());
  }
  return "";
}

TEST(Portability, DriversAreListed) {
  std::string driver = software_driver();
  if (driver.empty()) GTEST_SKIP() << "NO SOFTWARE DRIVER: portability drivers were not tested here";
  const size_t at = driver.find('{', driver.find("\"ICD\""));
  driver.insert(at + 1, "\"is_portability_driver\": true,");
  const sinew::test::TemporaryFolder folder;
  const std::string path = folder.write("driver.json", driver);
  for (const char* name : {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"}) setenv(name, path.c_str(), 1);
  const auto instance = create_instance({});
  for (const char* name : {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"}) unsetenv(name);
  ASSERT_TRUE(instance) << instance.error().message;
  const auto devices = list_devices(*instance);
  ASSERT_TRUE(devices);
  ASSERT_EQ(devices->size(), 1u);
  EXPECT_THAT(devices->front().name, HasSubstr("llvmpipe"));
}

// --- a device that reports VK_KHR_portability_subset ---

/// What the program enabled on the device.
struct Enabled {
  std::vector<std::string> extensions;
  bool mutable_comparison_samplers = false;
};
Enabled enabled;
PFN_vkEnumerateDeviceExtensionProperties real_extensions = nullptr;
PFN_vkCreateDevice real_create = nullptr;

VKAPI_ATTR VkResult VKAPI_CALL list_extensions(VkPhysicalDevice device, const char* layer, uint32_t* count,
                                               VkExtensionProperties* extensions) {
  uint32_t others = extensions ? *count - 1 : 0;
  const VkResult result = real_extensions(device, layer, &others, extensions);
  if (extensions) std::strcpy(extensions[others].extensionName, kSubset);
  *count = others + 1;
  return result;
}

VKAPI_ATTR void VKAPI_CALL get_features(VkPhysicalDevice, VkPhysicalDeviceFeatures2* features) {
  auto* subset = static_cast<VkPhysicalDevicePortabilitySubsetFeaturesKHR*>(features->pNext);
  ASSERT_EQ(subset->sType, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PORTABILITY_SUBSET_FEATURES_KHR);
  subset->mutableComparisonSamplers = VK_TRUE;
}

/// Logs what is enabled, and creates the real device without it.
VKAPI_ATTR VkResult VKAPI_CALL create_without(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                              const VkAllocationCallbacks* callbacks, VkDevice* device) {
  enabled.extensions.assign(info->ppEnabledExtensionNames, info->ppEnabledExtensionNames + info->enabledExtensionCount);
  VkDeviceCreateInfo real = *info;
  real.enabledExtensionCount = 0;
  const auto* subset = static_cast<const VkPhysicalDevicePortabilitySubsetFeaturesKHR*>(info->pNext);
  if (subset->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PORTABILITY_SUBSET_FEATURES_KHR) {
    enabled.mutable_comparison_samplers = subset->mutableComparisonSamplers;
    real.pNext = subset->pNext;
  }
  return real_create(physical, &real, callbacks, device);
}

TEST(Portability, SubsetIsEnabledWithAllItsFeatures) {
  HOST_SKIP_WITHOUT_DEVICE();
  const auto instance = create_instance({});
  ASSERT_TRUE(instance);
  const auto devices = list_devices(*instance);
  ASSERT_TRUE(devices);
  const auto info = choose_device(*devices, "");
  ASSERT_TRUE(info);
  enabled = {};
  real_extensions = std::exchange(vkEnumerateDeviceExtensionProperties, list_extensions);
  const auto real_features = std::exchange(vkGetPhysicalDeviceFeatures2, get_features);
  real_create = std::exchange(vkCreateDevice, create_without);
  const auto device = create_device(*instance, *info);
  vkEnumerateDeviceExtensionProperties = real_extensions;
  vkGetPhysicalDeviceFeatures2 = real_features;
  vkCreateDevice = real_create;
  ASSERT_TRUE(device);
  EXPECT_THAT(enabled.extensions, Contains(kSubset));
  EXPECT_TRUE(enabled.mutable_comparison_samplers) << "shadow maps need a comparison sampler";
}

}  // namespace
}  // namespace host
