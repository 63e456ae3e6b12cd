// Stands between a renderer and volk: sees what is submitted and waited for, and makes submissions fail on request.
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

/// One call of vkQueueSubmit, of one batch.
struct Submission {
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandBuffer cmd = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;
  std::vector<Wait> waits;
  std::vector<Signal> signals;
};

/// One at a time, from after the device is made until before it goes; renderers are made in between.
class SubmissionLog {
 public:
  SubmissionLog();
  SubmissionLog(const SubmissionLog&) = delete;
  ~SubmissionLog();

  // What it is told.
  int succeeding = -1;         // so many submissions succeed, then one fails; none fails where negative
  bool without_waits = false;  // submissions wait for nothing

  // What it saw.
  std::vector<Submission> submissions;  // those that succeeded
  size_t most_in_flight = 0;            // submissions with a fence that the CPU had not seen done, at most
  std::map<VkCommandBuffer, VkPipelineStageFlags> stages;  // of all barriers recorded, by the library too

  /// Forgets what it saw.
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
