// Stands between a skinner and the driver: sees what is called, and makes calls fail or limits small on request.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "vulkan/test_device.h"

#include "sinew/vulkan/skinner.h"

namespace sinew::test {

/// One at a time, and alive for as long as the skinners that were created through it.
class WatchedLoader {
 public:
  explicit WatchedLoader(const TestDevice& device);
  WatchedLoader(const WatchedLoader&) = delete;
  ~WatchedLoader();

  void attach(vulkan::SkinnerInfo& info) const;

  // What it is told.
  std::string missing;                               // a function that is said not to exist
  std::string failing;                               // a function whose every call fails
  int succeeding = -1;                               // so many calls that may fail succeed, then one fails
  VkResult failure = VK_ERROR_OUT_OF_DEVICE_MEMORY;  // what failing calls return
  void (*change_limits)(VkPhysicalDeviceProperties&) = nullptr;
  VkQueueFlags missing_queue_flags = 0;  // what every queue family is said to lack
  VkDeviceSize buffer_alignment = 0;  // what buffers are said to ask for, each of a size that no more than that divides

  // What it saw.
  struct Barrier {
    VkPipelineStageFlags from = 0, to = 0;
    VkMemoryBarrier memory;
  };
  int live_objects = 0;             // made, not destroyed
  int failed = 0;                   // calls made to fail
  int fallible_calls = 0;           // calls that make or allocate something
  VkDeviceSize largest_memory = 0;  // the largest vkAllocateMemory
  std::vector<std::string> names;   // of objects
  std::vector<std::string> labels;  // as they begin; "" where one ends
  std::vector<Barrier> barriers;
  std::vector<VkPipelineStageFlagBits> timestamp_stages;
  std::vector<size_t> barriers_before_timestamps;

  PFN_vkVoidFunction instance_function(VkInstance instance, const char* name);
  PFN_vkVoidFunction device_function(VkDevice device, const char* name);
  /// Whether this call is to fail.
  bool fails(const std::string& function);

 private:
  const TestDevice& device_;
};

}  // namespace sinew::test
