// One family skins, another reads: two semaphores instead of barriers, and buffers that both families share.
#include <vulkan/vulkan.h>

#include "common/evaluated.h"
#include "common/host.h"
#include "common/skin_tube.h"

static VkSemaphore make_semaphore(VkDevice device) {
  const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  must(vkCreateSemaphore(device, &info, nullptr, &semaphore), "vkCreateSemaphore");
  return semaphore;
}

static int skin(Host& host) {
  constexpr VkQueueFlags kCompute = VK_QUEUE_COMPUTE_BIT;
  constexpr VkQueueFlags kCopies = VK_QUEUE_TRANSFER_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT;
  if (host.families.size() < 2 || (host.families[0].queueFlags & kCompute) == 0 ||
      (host.families[1].queueFlags & kCopies) == 0) {
    std::printf("SKIPPED: the device has %d queue family, so skinning on one and reading on another WAS NOT TESTED\n",
                int(host.families.size()));
    return kSkipped;
  }
  const sinew::Character tube = make_tube();
  const uint32_t families[] = {0, 1};
  sinew::vulkan::SkinnerInfo info;
  info.get_instance_proc_addr = vkGetInstanceProcAddr;
  info.queue_families = families;
  info.record_family = 0;
  info.barriers = sinew::vulkan::Barriers::kHost;
  const VkSemaphore skinned = make_semaphore(host.device), read = make_semaphore(host.device);
  int code = 0;
  {
    TubeSkinner<Host> skinner(host, info, tube, evaluated(tube));
    code = skinner.add_mesh();
    for (uint64_t frame = 1; frame <= kFrames && code == 0; ++frame) {
      code = skinner.begin(frame);
      if (code != 0) break;
      host.run([&](VkCommandBuffer cmd) { skinner.record(cmd); }, 0, frame == 1 ? VK_NULL_HANDLE : read, skinned);
      host.run([&](VkCommandBuffer cmd) { skinner.copy(cmd); }, 1, skinned, read);
      code = skinner.compare(frame);
    }
  }
  vkDestroySemaphore(host.device, skinned, nullptr);
  vkDestroySemaphore(host.device, read, nullptr);
  return code;
}

int main() { return with_host(make_instance(vkCreateInstance), skin, {0, 1}); }
