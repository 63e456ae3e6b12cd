// Hooks between a renderer and volk. They log submissions, waits and barriers, and make submissions fail on request.
#pragma once

#include <volk.h>

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace sinew::test {

struct Wait {
  VkSemaphore semaphore = VK_NULL_HANDLE;
  uint64_t value = 0;
  VkPipelineStageFlags stages = 0;
};

struct Signal {
  VkSemaphore semaphore = VK_NULL_HANDLE;
  uint64_t value = 0;
};

/// One call of vkQueueSubmit with one VkSubmitInfo.
struct Submission {
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandBuffer cmd = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;
  std::vector<Wait> waits;
  std::vector<Signal> signals;
};

/// At most one exists at a time. Create it after the device and before the renderers; destroy it before the device.
class SubmissionLog {
 public:
  SubmissionLog();
  SubmissionLog(const SubmissionLog&) = delete;
  ~SubmissionLog();

  // Set by the test.
  int succeeding = -1;         // number of submissions that succeed before one fails; negative: none fails
  bool without_waits = false;  // remove all semaphore waits

  // Logged.
  std::vector<Submission> submissions;  // the successful ones, in order
  size_t max_in_flight = 0;             // largest number of submissions whose fence the CPU had not yet waited for
  std::map<VkCommandBuffer, VkPipelineStageFlags> stages;  // of all recorded barriers, those of the library included

  /// Clears what was logged.
  void clear();

 private:
  static VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos, VkFence fence);
  static VKAPI_ATTR VkResult VKAPI_CALL wait(VkDevice device, uint32_t count, const VkFence* fences, VkBool32 all,
                                             uint64_t timeout);

  static VKAPI_ATTR void VKAPI_CALL barrier(VkCommandBuffer cmd, VkPipelineStageFlags from, VkPipelineStageFlags to,
                                            VkDependencyFlags flags, uint32_t memory_count,
                                            const VkMemoryBarrier* memory, uint32_t buffer_count,
                                            const VkBufferMemoryBarrier* buffers, uint32_t image_count,
                                            const VkImageMemoryBarrier* images);
  static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function(VkInstance instance, const char* name);
  static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice device, const char* name);

  PFN_vkQueueSubmit submit_ = nullptr;
  PFN_vkWaitForFences wait_ = nullptr;
  PFN_vkCmdPipelineBarrier barrier_ = nullptr;
  PFN_vkGetInstanceProcAddr instance_function_ = nullptr;
  std::set<VkFence> in_flight_;
};

}  // namespace sinew::test
