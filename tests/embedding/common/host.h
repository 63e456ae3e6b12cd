// A host with one queue. It calls Vulkan by the plain names, in whichever way the includer has declared them: volk's
// pointers, the loader's prototypes, or its own pointers.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

inline constexpr int kSkipped = 77;  // exit code

inline void must(VkResult result, const char* call) {
  if (result == VK_SUCCESS) return;
  std::fprintf(stderr, "%s: %d\n", call, int(result));
  std::exit(1);
}

inline VkInstance make_instance(PFN_vkCreateInstance create) {
  const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2};
  const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
  VkInstance instance = VK_NULL_HANDLE;
  must(create(&info, nullptr, &instance), "vkCreateInstance");
  return instance;
}

struct HostBuffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  void* mapped = nullptr;
};

/// The first memory type among `types` that has all `properties`.
inline uint32_t memory_type(VkPhysicalDevice physical_device, uint32_t types, VkMemoryPropertyFlags properties) {
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(physical_device, &memory);
  for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    if ((types >> i & 1) != 0 && (memory.memoryTypes[i].propertyFlags & properties) == properties) return i;
  }
  std::fprintf(stderr, "no memory type\n");
  std::exit(1);
}

class Host {
 public:
  VkInstance instance;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  std::vector<VkQueueFamilyProperties> families;

  /// A device with a queue of each family in `used`.
  explicit Host(VkInstance of, const std::vector<uint32_t>& used = {0}) : instance(of) {
    uint32_t count = 1;
    const VkResult found = vkEnumeratePhysicalDevices(instance, &count, &physical_device);
    if (count == 0 || (found != VK_SUCCESS && found != VK_INCOMPLETE)) {
      std::printf("SKIPPED: there is no Vulkan device\n");
      std::exit(kSkipped);
    }
    vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &count, nullptr);
    families.resize(count);
    vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &count, families.data());
    const float priority = 1;
    std::vector<VkDeviceQueueCreateInfo> queues;
    for (const uint32_t family : used) {
      if (family >= count) continue;
      queues.push_back({.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                        .queueFamilyIndex = family,
                        .queueCount = 1,
                        .pQueuePriorities = &priority});
    }
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .queueCreateInfoCount = uint32_t(queues.size()),
                                     .pQueueCreateInfos = queues.data()};
    must(vkCreateDevice(physical_device, &info, nullptr, &device), "vkCreateDevice");
    pools_.resize(count);
    for (const VkDeviceQueueCreateInfo& queue : queues) {
      const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                            .queueFamilyIndex = queue.queueFamilyIndex};
      must(vkCreateCommandPool(device, &pool, nullptr, &pools_[queue.queueFamilyIndex]), "vkCreateCommandPool");
    }
  }
  Host(const Host&) = delete;
  ~Host() {
    if (read_.buffer != VK_NULL_HANDLE) free(read_);
    for (VkCommandPool pool : pools_) vkDestroyCommandPool(device, pool, nullptr);
    vkDestroyDevice(device, nullptr);
  }

  /// Records into a command buffer of the family, submits it, and waits. The semaphores may be null.
  template <class Record>
  void run(const Record& record, uint32_t family = 0, VkSemaphore wait = VK_NULL_HANDLE,
           VkSemaphore signal = VK_NULL_HANDLE) {
    const VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                  .commandPool = pools_[family],
                                                  .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                  .commandBufferCount = 1};
    VkCommandBuffer cmd = VK_NULL_HANDLE;
    must(vkAllocateCommandBuffers(device, &allocate, &cmd), "vkAllocateCommandBuffers");
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    must(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
    record(cmd);
    must(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
    const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .waitSemaphoreCount = wait != VK_NULL_HANDLE ? 1u : 0u,
                                 .pWaitSemaphores = &wait,
                                 .pWaitDstStageMask = &all,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &cmd,
                                 .signalSemaphoreCount = signal != VK_NULL_HANDLE ? 1u : 0u,
                                 .pSignalSemaphores = &signal};
    VkQueue queue = VK_NULL_HANDLE;
    vkGetDeviceQueue(device, family, 0, &queue);
    must(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    must(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
    vkFreeCommandBuffers(device, pools_[family], 1, &cmd);
  }

  /// Copies to memory that read() returns once the commands have completed.
  void copy(VkCommandBuffer cmd, VkBuffer from, VkDeviceSize offset, VkDeviceSize size_bytes) {
    if (read_.buffer != VK_NULL_HANDLE) free(read_);
    read_ = make_buffer(size_bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const VkBufferCopy region = {offset, 0, size_bytes};
    vkCmdCopyBuffer(cmd, from, read_.buffer, 1, &region);
    const VkMemoryBarrier to_host = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host, 0, nullptr, 0,
                         nullptr);
  }
  const void* read() const { return read_.mapped; }

  HostBuffer make_buffer(VkDeviceSize size_bytes, VkBufferUsageFlags usage) const {
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size_bytes, .usage = usage};
    HostBuffer made;
    must(vkCreateBuffer(device, &info, nullptr, &made.buffer), "vkCreateBuffer");
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, made.buffer, &needs);
    const VkMemoryPropertyFlags mapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = memory_type(physical_device, needs.memoryTypeBits, mapped)};
    must(vkAllocateMemory(device, &allocate, nullptr, &made.memory), "vkAllocateMemory");
    must(vkBindBufferMemory(device, made.buffer, made.memory, 0), "vkBindBufferMemory");
    must(vkMapMemory(device, made.memory, 0, VK_WHOLE_SIZE, 0, &made.mapped), "vkMapMemory");
    return made;
  }
  void free(HostBuffer& made) const {
    vkDestroyBuffer(device, made.buffer, nullptr);
    vkFreeMemory(device, made.memory, nullptr);
    made = {};
  }

 private:
  HostBuffer read_;
  std::vector<VkCommandPool> pools_;  // by family; null where it is not used
};

/// What `body` returns of a host of the instance, which is destroyed after it. `used`: queue families.
template <class Body>
int with_host(VkInstance instance, Body body, const std::vector<uint32_t>& used = {0}) {
  int code = 0;
  {
    Host host(instance, used);
    code = body(host);
  }
  vkDestroyInstance(instance, nullptr);
  return code;
}
