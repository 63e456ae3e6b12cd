// Part of each program of tests that makes Vulkan devices. Where it runs several tests, the Vulkan driver stays loaded
// from the first to the last: not every driver can be loaded again and again (NVIDIA 580 gives
// VK_ERROR_INCOMPATIBLE_DRIVER from the 33rd time on), and loading takes time.
#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <gtest/gtest.h>
#include <vulkan/vulkan_core.h>

#include "test_system.h"

namespace sinew::test {
namespace {

/// Makes an instance that is never destroyed. Without a driver it does nothing: tests say what they lack.
void keep_driver() {
  const PFN_vkGetInstanceProcAddr load = load_vulkan();
  if (load == nullptr) return;
  const auto create = PFN_vkCreateInstance(load(nullptr, "vkCreateInstance"));
  const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2};
  const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
  static VkInstance kept = VK_NULL_HANDLE;
  create(&info, nullptr, &kept);
}

class DriverKeeper : public ::testing::EmptyTestEventListener {
  void OnTestProgramStart(const ::testing::UnitTest& program) override {
    if (program.test_to_run_count() > 1) keep_driver();  // one test alone loads it once or twice
  }
};

[[maybe_unused]] const bool is_added = [] {
  ::testing::UnitTest::GetInstance()->listeners().Append(new DriverKeeper);
  return true;
}();

}  // namespace
}  // namespace sinew::test
