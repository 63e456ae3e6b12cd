#include "vulkan/watched_loader.h"

#include <algorithm>
#include <string_view>
#include <type_traits>

#include "heap_faults.h"

namespace sinew::test {
namespace {

WatchedLoader* g_watch = nullptr;

/// Hooks of one driver function. `Tag` distinguishes functions with the same signature.
template <int Tag, class Signature>
struct Hook;

template <int Tag, class Returned, class... Arguments>
struct Hook<Tag, Returned(VKAPI_PTR*)(Arguments...)> {
  static inline Returned(VKAPI_PTR* real)(Arguments...) = nullptr;
  static inline const char* name = nullptr;

  static VKAPI_ATTR Returned VKAPI_CALL make(Arguments... arguments) {
    const HeapFaultPause pause;
    if (g_watch->fails(name)) return g_watch->failure;
    const VkResult result = real(arguments...);
    const std::string_view called(name);
    const bool is_object = called.starts_with("vkCreate") || called == "vkAllocateMemory";
    if (result == VK_SUCCESS && is_object) ++g_watch->live_objects;
    return result;
  }
  static VKAPI_ATTR Returned VKAPI_CALL destroy(Arguments... arguments) {
    const HeapFaultPause pause;
    --g_watch->live_objects;
    if (std::string_view(name) == "vkDestroyPipeline") ++g_watch->destroyed_pipelines;
    real(arguments...);
  }
};

PFN_vkCreateBufferView g_view = nullptr;
PFN_vkCmdPipelineBarrier g_barrier = nullptr;
PFN_vkAllocateMemory g_allocate = nullptr;
PFN_vkGetBufferMemoryRequirements g_requirements = nullptr;
PFN_vkSetDebugUtilsObjectNameEXT g_set_name = nullptr;
PFN_vkCmdBeginDebugUtilsLabelEXT g_begin_label = nullptr;
PFN_vkCmdEndDebugUtilsLabelEXT g_end_label = nullptr;
PFN_vkGetPhysicalDeviceProperties2 g_properties = nullptr;
PFN_vkGetPhysicalDeviceQueueFamilyProperties g_families = nullptr;
PFN_vkCmdWriteTimestamp g_timestamp = nullptr;

VKAPI_ATTR void VKAPI_CALL barrier(VkCommandBuffer cmd, VkPipelineStageFlags from, VkPipelineStageFlags to,
                                   VkDependencyFlags flags, uint32_t count, const VkMemoryBarrier* memory,
                                   uint32_t buffers, const VkBufferMemoryBarrier* buffer, uint32_t images,
                                   const VkImageMemoryBarrier* image) {
  for (uint32_t i = 0; i < count; ++i) g_watch->barriers.push_back({from, to, memory[i]});
  g_barrier(cmd, from, to, flags, count, memory, buffers, buffer, images, image);
}

VKAPI_ATTR void VKAPI_CALL write_timestamp(VkCommandBuffer cmd, VkPipelineStageFlagBits stage, VkQueryPool pool,
                                           uint32_t query) {
  g_watch->timestamp_stages.push_back(stage);
  g_watch->barriers_before_timestamps.push_back(g_watch->barriers.size());
  g_timestamp(cmd, stage, pool, query);
}

VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice device, const VkMemoryAllocateInfo* info,
                                        const VkAllocationCallbacks* callbacks, VkDeviceMemory* memory) {
  g_watch->largest_memory = std::max(g_watch->largest_memory, info->allocationSize);
  return g_allocate(device, info, callbacks, memory);
}

VKAPI_ATTR VkResult VKAPI_CALL create_view(VkDevice device, const VkBufferViewCreateInfo* info,
                                           const VkAllocationCallbacks* callbacks, VkBufferView* view) {
  g_watch->largest_view = std::max(g_watch->largest_view, info->range);
  return g_view(device, info, callbacks, view);
}

VKAPI_ATTR void VKAPI_CALL get_requirements(VkDevice device, VkBuffer buffer, VkMemoryRequirements* requirements) {
  g_requirements(device, buffer, requirements);
  const VkDeviceSize alignment = g_watch->buffer_alignment;
  if (alignment == 0) return;
  requirements->alignment = alignment;
  requirements->size = (requirements->size / (2 * alignment) * 2 + 3) * alignment;
}

VKAPI_ATTR VkResult VKAPI_CALL set_name(VkDevice device, const VkDebugUtilsObjectNameInfoEXT* info) {
  g_watch->names.push_back(info->pObjectName);
  return g_set_name(device, info);
}

VKAPI_ATTR void VKAPI_CALL begin_label(VkCommandBuffer cmd, const VkDebugUtilsLabelEXT* label) {
  g_watch->labels.push_back(label->pLabelName);
  g_begin_label(cmd, label);
}

VKAPI_ATTR void VKAPI_CALL end_label(VkCommandBuffer cmd) {
  g_watch->labels.push_back("");
  g_end_label(cmd);
}

VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice physical_device, VkPhysicalDeviceProperties2* properties) {
  g_properties(physical_device, properties);
  if (g_watch->change_limits != nullptr) g_watch->change_limits(properties->properties);
  if (g_watch->max_memory_bytes == 0) return;
  for (auto* next = static_cast<VkBaseOutStructure*>(properties->pNext); next != nullptr; next = next->pNext) {
    if (next->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES) continue;
    auto* sizes = reinterpret_cast<VkPhysicalDeviceMaintenance3Properties*>(next);
    sizes->maxMemoryAllocationSize = g_watch->max_memory_bytes;
  }
}

VKAPI_ATTR void VKAPI_CALL get_families(VkPhysicalDevice physical_device, uint32_t* count,
                                        VkQueueFamilyProperties* families) {
  const uint32_t room = *count;
  g_families(physical_device, count, families);
  const uint32_t own = *count, added = g_watch->added_queue_families;
  *count = families == nullptr ? own + added : std::min(own + added, room);
  for (uint32_t i = own; families != nullptr && i < *count; ++i) families[i] = families[own - 1];
  for (uint32_t i = 0; families != nullptr && i < *count; ++i) families[i].queueFlags &= ~g_watch->missing_queue_flags;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_function(VkDevice device, const char* name) {
  return g_watch->device_function(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_function(VkInstance instance, const char* name) {
  return g_watch->instance_function(instance, name);
}

template <class Function>
PFN_vkVoidFunction replaced(Function& real, PFN_vkVoidFunction found, Function hook) {
  real = Function(found);
  return PFN_vkVoidFunction(hook);
}

}  // namespace

WatchedLoader::WatchedLoader(const TestDevice& device) : device_(device) { g_watch = this; }
WatchedLoader::~WatchedLoader() { g_watch = nullptr; }

void WatchedLoader::attach(vulkan::SkinnerInfo& info) const {
  info.get_instance_proc_addr = get_instance_function;
  info.get_device_proc_addr = nullptr;  // so that the skinner gets it through the instance
}

bool WatchedLoader::fails(const std::string& function) {
  ++fallible_calls;
  const bool chosen = function == failing && failing_calls != 0;
  if (chosen && failing_calls > 0) --failing_calls;
  if (!chosen && (succeeding < 0 || succeeding-- > 0)) return false;
  ++failed;
  return true;
}

PFN_vkVoidFunction WatchedLoader::instance_function(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction found = device_.vk.GetInstanceProcAddr(instance, name);
  const std::string_view wanted(name);
  if (wanted == missing) return nullptr;
  if (wanted == "vkGetDeviceProcAddr") return PFN_vkVoidFunction(get_device_function);
  if (wanted == "vkGetPhysicalDeviceProperties2") return replaced(g_properties, found, get_properties);
  if (wanted == "vkGetPhysicalDeviceQueueFamilyProperties") return replaced(g_families, found, get_families);
  return found;
}

PFN_vkVoidFunction WatchedLoader::device_function(VkDevice device, const char* name) {
  PFN_vkVoidFunction found = device_.vk.GetDeviceProcAddr(device, name);
  const std::string_view wanted(name);
  if (wanted == missing) return nullptr;
  if (wanted == "vkCmdPipelineBarrier") return replaced(g_barrier, found, barrier);
  if (wanted == "vkCmdWriteTimestamp") return replaced(g_timestamp, found, write_timestamp);
  if (wanted == "vkSetDebugUtilsObjectNameEXT") return replaced(g_set_name, found, set_name);
  if (wanted == "vkCmdBeginDebugUtilsLabelEXT") return replaced(g_begin_label, found, begin_label);
  if (wanted == "vkCmdEndDebugUtilsLabelEXT") return replaced(g_end_label, found, end_label);
  if (wanted == "vkCreateBufferView") found = replaced(g_view, found, create_view);
  if (wanted == "vkGetBufferMemoryRequirements") return replaced(g_requirements, found, get_requirements);
  if (wanted == "vkAllocateMemory") found = replaced(g_allocate, found, allocate);
#define SINEW_TEST_HOOK(function, how)                \
  if (wanted == "vk" #function) {                     \
    using Watched = Hook<__LINE__, PFN_vk##function>; \
    Watched::real = PFN_vk##function(found);          \
    Watched::name = "vk" #function;                   \
    return PFN_vkVoidFunction(&Watched::how);         \
  }
  SINEW_TEST_HOOK(AllocateDescriptorSets, make)
  SINEW_TEST_HOOK(AllocateMemory, make)
  SINEW_TEST_HOOK(BindBufferMemory, make)
  SINEW_TEST_HOOK(CreateBuffer, make)
  SINEW_TEST_HOOK(CreateBufferView, make)
  SINEW_TEST_HOOK(CreateComputePipelines, make)
  SINEW_TEST_HOOK(CreateDescriptorPool, make)
  SINEW_TEST_HOOK(CreateDescriptorSetLayout, make)
  SINEW_TEST_HOOK(CreatePipelineLayout, make)
  SINEW_TEST_HOOK(CreateShaderModule, make)
  SINEW_TEST_HOOK(MapMemory, make)
  SINEW_TEST_HOOK(DestroyBuffer, destroy)
  SINEW_TEST_HOOK(DestroyBufferView, destroy)
  SINEW_TEST_HOOK(DestroyDescriptorPool, destroy)
  SINEW_TEST_HOOK(DestroyDescriptorSetLayout, destroy)
  SINEW_TEST_HOOK(DestroyPipeline, destroy)
  SINEW_TEST_HOOK(DestroyPipelineLayout, destroy)
  SINEW_TEST_HOOK(DestroyShaderModule, destroy)
  SINEW_TEST_HOOK(FreeMemory, destroy)
#undef SINEW_TEST_HOOK
  return found;
}

}  // namespace sinew::test
