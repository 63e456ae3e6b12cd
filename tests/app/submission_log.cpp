#include "submission_log.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sinew::test {
namespace {

SubmissionLog* current = nullptr;

const VkTimelineSemaphoreSubmitInfo* values_of(const VkSubmitInfo& info) {
  const auto* next = static_cast<const VkBaseInStructure*>(info.pNext);
  while (next && next->sType != VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO) next = next->pNext;
  return reinterpret_cast<const VkTimelineSemaphoreSubmitInfo*>(next);
}

Submission describe(VkQueue queue, const VkSubmitInfo& info, VkFence fence) {
  Submission submission{queue, info.pCommandBuffers[0], fence, {}, {}};
  const VkTimelineSemaphoreSubmitInfo* values = values_of(info);
  for (uint32_t i = 0; i < info.waitSemaphoreCount; ++i) {
    const uint64_t value = values ? values->pWaitSemaphoreValues[i] : 0;
    submission.waits.push_back({info.pWaitSemaphores[i], value, info.pWaitDstStageMask[i]});
  }
  for (uint32_t i = 0; i < info.signalSemaphoreCount; ++i)
    submission.signals.push_back({info.pSignalSemaphores[i], values ? values->pSignalSemaphoreValues[i] : 0});
  return submission;
}

}  // namespace

SubmissionLog::SubmissionLog()
    : submit_(std::exchange(vkQueueSubmit, submit)),
      wait_(std::exchange(vkWaitForFences, wait)),
      barrier_(std::exchange(vkCmdPipelineBarrier, barrier)),
      instance_function_(std::exchange(vkGetInstanceProcAddr, instance_function)) {
  current = this;
}

SubmissionLog::~SubmissionLog() {
  vkQueueSubmit = submit_;
  vkWaitForFences = wait_;
  vkCmdPipelineBarrier = barrier_;
  vkGetInstanceProcAddr = instance_function_;
  current = nullptr;
}

void SubmissionLog::clear() {
  submissions.clear();
  max_in_flight = 0;
  stages.clear();
}

VkResult SubmissionLog::submit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos, VkFence fence) {
  if (current->succeeding == 0) return current->succeeding = -1, VK_ERROR_OUT_OF_DEVICE_MEMORY;
  if (current->succeeding > 0) --current->succeeding;
  VkSubmitInfo info = infos[0];
  const VkTimelineSemaphoreSubmitInfo* values = values_of(info);
  VkTimelineSemaphoreSubmitInfo signals = values ? *values : VkTimelineSemaphoreSubmitInfo{};
  signals.waitSemaphoreValueCount = 0;
  if (current->without_waits) info.waitSemaphoreCount = 0, info.pNext = values ? &signals : nullptr;
  const VkResult result = current->submit_(queue, count, &info, fence);
  if (result != VK_SUCCESS) return result;
  current->submissions.push_back(describe(queue, info, fence));
  if (fence) current->in_flight_.insert(fence);
  current->max_in_flight = std::max(current->max_in_flight, current->in_flight_.size());
  return result;
}

VkResult SubmissionLog::wait(VkDevice device, uint32_t count, const VkFence* fences, VkBool32 all, uint64_t timeout) {
  const VkResult result = current->wait_(device, count, fences, all, timeout);
  for (uint32_t i = 0; i < count && result == VK_SUCCESS; ++i) current->in_flight_.erase(fences[i]);
  return result;
}

void SubmissionLog::barrier(VkCommandBuffer cmd, VkPipelineStageFlags from, VkPipelineStageFlags to,
                            VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier* memory,
                            uint32_t buffer_count, const VkBufferMemoryBarrier* buffers, uint32_t image_count,
                            const VkImageMemoryBarrier* images) {
  current->stages[cmd] |= from | to;
  current->barrier_(cmd, from, to, flags, memory_count, memory, buffer_count, buffers, image_count, images);
}

PFN_vkVoidFunction SubmissionLog::instance_function(VkInstance instance, const char* name) {
  if (!std::strcmp(name, "vkGetDeviceProcAddr")) return reinterpret_cast<PFN_vkVoidFunction>(device_function);
  return current->instance_function_(instance, name);
}

PFN_vkVoidFunction SubmissionLog::device_function(VkDevice device, const char* name) {
  if (!std::strcmp(name, "vkCmdPipelineBarrier")) return reinterpret_cast<PFN_vkVoidFunction>(barrier);
  return vkGetDeviceProcAddr(device, name);
}

}  // namespace sinew::test
