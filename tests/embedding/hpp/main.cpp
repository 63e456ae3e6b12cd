// Vulkan-Hpp: handles are classes, functions are members of a dispatcher.
#define VULKAN_HPP_DISPATCH_LOADER_DYNAMIC 1
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.hpp>

#include "common/evaluated.h"
#include "common/skin_tube.h"

VULKAN_HPP_DEFAULT_DISPATCH_LOADER_DYNAMIC_STORAGE

/// The part of common/host.h that TubeSkinner uses.
struct HppHost {
  vk::UniqueInstance owner;
  vk::PhysicalDevice physical_device;
  vk::UniqueDevice device_owner;
  vk::UniqueCommandPool pool;
  vk::UniqueBuffer buffer;
  vk::UniqueDeviceMemory memory;
  VkInstance instance = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  void* mapped = nullptr;

  HppHost() {
    const vk::ApplicationInfo application("consumer", 1, nullptr, 0, VK_API_VERSION_1_2);
    owner = vk::createInstanceUnique(vk::InstanceCreateInfo({}, &application));
    VULKAN_HPP_DEFAULT_DISPATCHER.init(*owner);
    const auto devices = owner->enumeratePhysicalDevices();
    if (devices.empty()) std::printf("SKIPPED: there is no Vulkan device\n"), std::exit(77);
    physical_device = devices[0];
    const float priority = 1;
    const vk::DeviceQueueCreateInfo queue({}, 0, 1, &priority);
    device_owner = physical_device.createDeviceUnique(vk::DeviceCreateInfo({}, queue));
    VULKAN_HPP_DEFAULT_DISPATCHER.init(*device_owner);
    pool = device_owner->createCommandPoolUnique({});
    instance = *owner, device = *device_owner;
  }

  template <class Record>
  void run(const Record& record) {
    const auto buffers = device_owner->allocateCommandBuffersUnique({*pool, vk::CommandBufferLevel::ePrimary, 1});
    buffers[0]->begin(vk::CommandBufferBeginInfo());
    record(*buffers[0]);
    buffers[0]->end();
    const vk::Queue queue = device_owner->getQueue(0, 0);
    queue.submit(vk::SubmitInfo({}, {}, *buffers[0]));
    queue.waitIdle();
  }

  void copy(vk::CommandBuffer cmd, VkBuffer from, VkDeviceSize offset, VkDeviceSize size_bytes) {
    buffer = device_owner->createBufferUnique({{}, size_bytes, vk::BufferUsageFlagBits::eTransferDst});
    const auto needs = device_owner->getBufferMemoryRequirements(*buffer);
    const auto types = physical_device.getMemoryProperties();
    const auto wanted = vk::MemoryPropertyFlagBits::eHostVisible | vk::MemoryPropertyFlagBits::eHostCoherent;
    uint32_t type = 0;
    while ((needs.memoryTypeBits >> type & 1) == 0 || (types.memoryTypes[type].propertyFlags & wanted) != wanted)
      ++type;
    memory = device_owner->allocateMemoryUnique({needs.size, type});
    device_owner->bindBufferMemory(*buffer, *memory, 0);
    mapped = device_owner->mapMemory(*memory, 0, VK_WHOLE_SIZE);
    cmd.copyBuffer(from, *buffer, vk::BufferCopy(offset, 0, size_bytes));
    cmd.pipelineBarrier(vk::PipelineStageFlagBits::eTransfer, vk::PipelineStageFlagBits::eHost, {},
                        vk::MemoryBarrier(vk::AccessFlagBits::eTransferWrite, vk::AccessFlagBits::eHostRead), {}, {});
  }
  const void* read() const { return mapped; }
};

/// Here newer headers have the loader.
namespace vk::detail {}

int main() {
  using namespace vk;
  using namespace vk::detail;
  const DynamicLoader loader;
  const auto get = loader.getProcAddress<PFN_vkGetInstanceProcAddr>("vkGetInstanceProcAddr");
  VULKAN_HPP_DEFAULT_DISPATCHER.init(get);
  HppHost host;
  const sinew::Character tube = make_tube();
  return skin_tube(host, copied_vertices(get), tube, evaluated(tube));
}
