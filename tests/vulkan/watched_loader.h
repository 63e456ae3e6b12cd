// Hooks between a skinner and the driver. They log calls, let calls fail, and change limits on request.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "vulkan/test_device.h"

#include "sinew/vulkan/skinner.h"

namespace sinew::test {

/// At most one exists at a time. It must outlive the skinners that were created through it.
class WatchedLoader {
 public:
  explicit WatchedLoader(const TestDevice& device);
  WatchedLoader(const WatchedLoader&) = delete;
  ~WatchedLoader();

  /// Makes a skinner that is created from `info` load its functions through the hooks.
  void attach(vulkan::SkinnerInfo& info) const;

  // Set by the test.
  std::string missing;                               // a function that the loader does not find
  std::string failing;                               // a function whose calls fail
  int failing_calls = -1;                            // number of its calls that still fail; -1: all
  int succeeding = -1;                               // number of fallible calls that succeed before one fails
  VkResult failure = VK_ERROR_OUT_OF_DEVICE_MEMORY;  // result of failing calls
  void (*change_limits)(VkPhysicalDeviceProperties&) = nullptr;
  VkQueueFlags missing_queue_flags = 0;  // removed from every queue family
  VkDeviceSize max_memory_bytes = 0;     // the device's maxMemoryAllocationSize; 0: unchanged
  uint32_t added_queue_families = 0;     // copies of the last one, which no queue can be of
  VkDeviceSize buffer_alignment = 0;     // required by every buffer, whose size is an odd multiple of it; 0: unchanged

  // Logged.
  struct Barrier {
    VkPipelineStageFlags from = 0, to = 0;
    VkMemoryBarrier memory;
  };
  int live_objects = 0;  // created and not destroyed
  int destroyed_pipelines = 0;
  int failed = 0;                   // calls that failed on request
  int fallible_calls = 0;           // calls that create, allocate, bind or map
  VkDeviceSize largest_view = 0;    // bytes of the largest vkCreateBufferView
  VkDeviceSize largest_memory = 0;  // bytes of the largest vkAllocateMemory
  std::vector<std::string> names;   // of objects
  std::vector<std::string> labels;  // as they begin; "" for the end of a label
  std::vector<Barrier> barriers;
  std::vector<VkPipelineStageFlagBits> timestamp_stages;
  std::vector<size_t> barriers_before_timestamps;

  PFN_vkVoidFunction instance_function(VkInstance instance, const char* name);
  PFN_vkVoidFunction device_function(VkDevice device, const char* name);
  /// Counts a fallible call. Returns whether it is to fail.
  bool fails(const std::string& function);

 private:
  const TestDevice& device_;
};

}  // namespace sinew::test
