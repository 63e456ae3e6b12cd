// Hooks between a skinner and the driver. They log calls, let calls fail, and change limits on request.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "heap_faults.h"
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

  const Functions& driver;  // what the hooks call

  // Set by the test.
  std::string missing;                               // a function that the loader does not find
  std::string failing;                               // a function whose calls fail
  int failing_calls = -1;                            // number of its calls that still fail; -1: all
  int succeeding = -1;                               // number of fallible calls that succeed before one fails
  VkResult failure = VK_ERROR_OUT_OF_DEVICE_MEMORY;  // result of failing calls
  void (*change_limits)(VkPhysicalDeviceProperties&) = nullptr;
  bool keep_pipelines = false;  // destroyed ones are given out again: a driver that compiles nothing twice
  std::function<void(VkBuffer)> on_destroy_buffer;  // called before vkDestroyBuffer, if set
  std::function<void()> while_compiling;            // called once, inside the next vkCreateComputePipelines
  VkQueueFlags missing_queue_flags = 0;             // removed from every queue family
  VkDeviceSize max_memory_bytes = 0;                // the device's maxMemoryAllocationSize; 0: unchanged
  uint32_t added_queue_families = 0;                // copies of the last one, which no queue can be of
  VkPhysicalDeviceMemoryProperties memory = {};     // if it has types: simulated, in the driver's mapped memory
  VkDeviceSize buffer_alignment = 0;  // required by every buffer, whose size is an odd multiple of it; 0: unchanged

  // Logged.
  struct Barrier {
    VkPipelineStageFlags from = 0, to = 0;
    VkMemoryBarrier memory;
  };
  int live_objects = 0;  // created and not destroyed
  int destroyed_pipelines = 0;
  std::map<VkPipeline, size_t> live_pipelines;            // each with the bytes of its SPIR-V; not with keep_pipelines
  std::vector<std::map<uint32_t, uint32_t>> specialized;  // of each kernel: what it is specialized with, by id
  int failed = 0;                                         // calls that failed on request
  int fallible_calls = 0;                                 // calls that create, allocate, bind or map
  std::vector<uint32_t> memory_types;                     // of vkAllocateMemory
  VkDeviceSize largest_view = 0;                          // bytes of the largest vkCreateBufferView
  VkDeviceSize largest_memory = 0;                        // bytes of the largest vkAllocateMemory
  VkDeviceSize live_bytes = 0;                            // of vkAllocateMemory
  std::vector<std::string> names;                         // of objects
  std::vector<std::string> labels;                        // as they begin; "" for the end of a label
  std::vector<Barrier> barriers;
  struct Copy {
    VkBuffer from = VK_NULL_HANDLE, to = VK_NULL_HANDLE;
    VkBufferCopy region;
  };
  std::vector<Copy> copies;
  std::vector<std::pair<uint32_t, VkBuffer>> bound;  // binding and storage buffer, as descriptors are written
  std::vector<VkPipelineStageFlagBits> timestamp_stages;
  std::vector<size_t> barriers_before_timestamps, copies_before_timestamps;

  PFN_vkVoidFunction instance_function(VkInstance instance, const char* name);
  PFN_vkVoidFunction device_function(VkDevice device, const char* name);
  VkResult check_allocation(const VkMemoryAllocateInfo& wanted, VkMemoryAllocateInfo& real) const;
  void note_allocation(VkDeviceMemory handle, const VkMemoryAllocateInfo& info);
  void note_free(VkDeviceMemory handle);
  void note_binding(VkBuffer buffer, VkDeviceMemory handle) { memory_of_[buffer] = handle; }
  /// The properties of the simulated memory type; 0 for unknown handles.
  VkMemoryPropertyFlags properties_of(VkDeviceMemory handle) const;
  VkMemoryPropertyFlags properties_of(VkBuffer buffer) const;

  /// Kept pipelines, by the size of their shader and its specialization constants.
  VkPipeline take_pipeline(const VkComputePipelineCreateInfo& info);
  void note_pipeline(VkPipeline pipeline, const VkComputePipelineCreateInfo& info);
  void keep_pipeline(VkPipeline pipeline);
  void note_live(VkPipeline pipeline, const VkComputePipelineCreateInfo& info);
  void note_module(VkShaderModule module, size_t code_bytes) {
    const HeapFaultPause pause;
    code_bytes_of_[module] = code_bytes;
  }

  /// Counts a fallible call. Returns whether it is to fail.
  bool fails(const std::string& function);

 private:
  std::string source_of(const VkComputePipelineCreateInfo& info) const;

  struct Allocated {
    uint32_t type = 0;
    VkDeviceSize size_bytes = 0;
  };
  const TestDevice& device_;
  std::map<VkDeviceMemory, Allocated> allocated_;
  std::map<VkBuffer, VkDeviceMemory> memory_of_;
  std::map<VkPipeline, std::string> source_of_pipeline_;
  std::map<VkShaderModule, size_t> code_bytes_of_;
  std::multimap<std::string, VkPipeline> kept_;
  VkDeviceSize used_bytes_[VK_MAX_MEMORY_HEAPS] = {};
};

}  // namespace sinew::test
