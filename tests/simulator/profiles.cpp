#include "profile.h"

namespace sinew::simulator {
namespace {

constexpr VkDeviceSize kMiB = VkDeviceSize{1} << 20;
constexpr VkMemoryPropertyFlags kDeviceLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kMapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kCached = kMapped | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
constexpr VkMemoryPropertyFlags kAmd =
    VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD | VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD;
constexpr VkMemoryPropertyFlags kUnknown = 1u << 20;  // a flag that no extension has defined yet

constexpr VkMemoryHeap kTwoHeaps[] = {{1536 * kMiB, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}, {2048 * kMiB, 0}};
constexpr VkMemoryHeap kThreeHeaps[] = {
    {1536 * kMiB, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}, {2048 * kMiB, 0}, {256 * kMiB, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}};

// The only mapped device-local memory has flags that need a feature or of no extension.
constexpr VkMemoryType kAmdTypes[] = {{kDeviceLocal, 0},
                                      {kMapped, 1},
                                      {kCached, 1},
                                      {kDeviceLocal | kAmd, 0},
                                      {kDeviceLocal | kMapped | kAmd, 0},
                                      {kMapped | kAmd, 1},
                                      {kDeviceLocal | kMapped | kUnknown, 0}};
constexpr VkMemoryType kNvidiaTypes[] = {{kDeviceLocal, 0}, {kCached, 1}, {kDeviceLocal | kMapped, 2}};
constexpr VkMemoryType kNoBarTypes[] = {{kDeviceLocal, 0}, {kMapped, 1}, {kCached, 1}};

constexpr VkQueueFlags kCompute = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
constexpr VkQueueFlags kComputeFirst[] = {kCompute, kCompute | VK_QUEUE_GRAPHICS_BIT};

constexpr VkFormat kFloatDepth[] = {VK_FORMAT_D32_SFLOAT, VK_FORMAT_D32_SFLOAT_S8_UINT};

void amd_limits(VkPhysicalDeviceLimits& limits) {
  limits.minStorageBufferOffsetAlignment = 4;
  limits.minTexelBufferOffsetAlignment = 4;
  limits.nonCoherentAtomSize = 128;
}

constexpr Profile kProfiles[] = {
    {.name = "amd",
     .description = "discrete; buffers aligned to 16; memory types with device-coherent and unknown flags",
     .type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
     .heaps = kTwoHeaps,
     .types = kAmdTypes,
     .buffer_alignment = 16,
     .change_limits = amd_limits},
    {.name = "nvidia",
     .description = "discrete; device-local, host-visible, and 256 MiB that are both",
     .type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
     .heaps = kThreeHeaps,
     .types = kNvidiaTypes,
     .buffer_alignment = 256},
    {.name = "no-bar",
     .description = "discrete; no memory is both host-visible and device-local",
     .type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
     .heaps = kTwoHeaps,
     .types = kNoBarTypes},
    {.name = "discrete",
     .description = "device type discrete, everything else as it is",
     .type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU},
    {.name = "portability", .description = "VK_KHR_portability_subset with none of its features", .portability = true},
    {.name = "minimum",
     .description = "the lowest limits that the specification allows",
     .max_memory_allocation_size = 1024 * kMiB,
     .change_limits = lower_to_minimum},
    {.name = "small-allocations",
     .description = "maxMemoryAllocationSize is 8 MiB, below the specification's minimum",
     .max_memory_allocation_size = 8 * kMiB},
    {.name = "plain-1.2",
     .description = "Vulkan 1.2, no optional feature, no extension but the swapchain",
     .api_version = VK_MAKE_API_VERSION(0, 1, 2, 0),
     .only_required_features = true,
     .only_swapchain = true},
    {.name = "timestamps-36", .description = "timestamps of 36 bits, which wrap around", .timestamp_valid_bits = 36},
    {.name = "timestamps-0", .description = "no timestamps", .timestamp_valid_bits = 0},
    {.name = "multi-draw",
     .description = "multiDrawIndirect with maxDrawIndirectCount 3",
     .max_draw_indirect_count = 3},
    {.name = "no-d32", .description = "no depth format of 32-bit floats", .missing_formats = kFloatDepth},
    {.name = "compute-first",
     .description = "the first queue family has compute and no graphics",
     .families = kComputeFirst},
};

}  // namespace

std::span<const Profile> profiles() { return kProfiles; }

const Profile* find_profile(const std::string& name) {
  for (const Profile& profile : kProfiles) {
    if (name == profile.name) return &profile;
  }
  return nullptr;
}

}  // namespace sinew::simulator
