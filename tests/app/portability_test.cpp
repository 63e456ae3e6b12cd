// Drivers that have a part of Vulkan only, as MoltenVK: the loader hides them from whoever does not ask for them, and
// their devices want their extension switched on.
#define VK_ENABLE_BETA_EXTENSIONS  // VK_KHR_portability_subset
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "child.h"
#include "gpu/device.h"

namespace sinew::app {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr const char* kSubset = "VK_KHR_portability_subset";

/// The file that tells the loader of the software driver; empty where there is none.
std::string software_driver() {
  std::error_code none;
  for (const auto& file : std::filesystem::directory_iterator("/usr/share/vulkan/icd.d", none)) {
    if (file.path().filename().string().starts_with("lvp_icd")) return test::read(file.path().string());
  }
  return "";
}

TEST(Portability, IsAskedForWhereDevicesAreListed) {
  const std::string driver = software_driver();
  if (driver.empty()) GTEST_SKIP() << "NO SOFTWARE DRIVER: drivers of a part of Vulkan were not tested here";
  auto json = nlohmann::json::parse(driver);
  json["ICD"]["is_portability_driver"] = true;
  const test::Folder folder;
  test::write(folder.path("driver.json"), json.dump());
  const std::string path = folder.path("driver.json");
  const test::Outcome outcome = test::sinew({"devices"}, {{"VK_DRIVER_FILES", path}, {"VK_ICD_FILENAMES", path}});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("llvmpipe"));
}

// --- a device that says it has a part only ---

struct Asked {
  std::vector<std::string> extensions;
  bool samplers = false;  // that compare, and are no part of a layout
};
Asked asked;
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

VKAPI_ATTR void VKAPI_CALL tell_features(VkPhysicalDevice, VkPhysicalDeviceFeatures2* features) {
  auto* subset = static_cast<VkPhysicalDevicePortabilitySubsetFeaturesKHR*>(features->pNext);
  ASSERT_EQ(subset->sType, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PORTABILITY_SUBSET_FEATURES_KHR);
  subset->mutableComparisonSamplers = VK_TRUE;
}

/// What the real device does not have goes no further.
VKAPI_ATTR VkResult VKAPI_CALL create_without(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                              const VkAllocationCallbacks* callbacks, VkDevice* device) {
  asked.extensions.assign(info->ppEnabledExtensionNames, info->ppEnabledExtensionNames + info->enabledExtensionCount);
  VkDeviceCreateInfo real = *info;
  real.enabledExtensionCount = 0;
  const auto* subset = static_cast<const VkPhysicalDevicePortabilitySubsetFeaturesKHR*>(info->pNext);
  if (subset->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PORTABILITY_SUBSET_FEATURES_KHR) {
    asked.samplers = subset->mutableComparisonSamplers;
    real.pNext = subset->pNext;
  }
  return real_create(physical, &real, callbacks, device);
}

TEST(Portability, IsSwitchedOnWithAllThatADeviceHasOfIt) {
  SINEW_SKIP_WITHOUT_DEVICE();
  const auto instance = create_instance({});
  ASSERT_TRUE(instance);
  const auto devices = list_devices(*instance);
  ASSERT_TRUE(devices);
  const auto info = choose_device(*devices, "");
  ASSERT_TRUE(info);
  asked = {};
  real_extensions = std::exchange(vkEnumerateDeviceExtensionProperties, list_extensions);
  const auto real_features = std::exchange(vkGetPhysicalDeviceFeatures2, tell_features);
  real_create = std::exchange(vkCreateDevice, create_without);
  const auto device = create_device(*instance, *info);
  vkEnumerateDeviceExtensionProperties = real_extensions;
  vkGetPhysicalDeviceFeatures2 = real_features;
  vkCreateDevice = real_create;
  ASSERT_TRUE(device);
  EXPECT_THAT(asked.extensions, Contains(kSubset));
  EXPECT_TRUE(asked.samplers) << "shadow maps are compared by one";
}

}  // namespace
}  // namespace sinew::app
