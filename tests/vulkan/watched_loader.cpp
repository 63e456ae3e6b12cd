#include "vulkan/watched_loader.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "heap_faults.h"

namespace sinew::test {
namespace {

WatchedLoader* g_watch = nullptr;

const Functions& driver() { return g_watch->driver; }

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
    using Handle = std::tuple_element_t<1, std::tuple<Arguments...>>;
    if constexpr (std::is_same_v<Handle, VkBuffer>) {
      if (g_watch->on_destroy_buffer) g_watch->on_destroy_buffer(std::get<1>(std::tuple(arguments...)));
    }
    real(arguments...);
  }
};

VKAPI_ATTR void VKAPI_CALL barrier(VkCommandBuffer cmd, VkPipelineStageFlags from, VkPipelineStageFlags to,
                                   VkDependencyFlags flags, uint32_t count, const VkMemoryBarrier* memory,
                                   uint32_t buffers, const VkBufferMemoryBarrier* buffer, uint32_t images,
                                   const VkImageMemoryBarrier* image) {
  for (uint32_t i = 0; i < count; ++i) g_watch->barriers.push_back({from, to, memory[i]});
  driver().CmdPipelineBarrier(cmd, from, to, flags, count, memory, buffers, buffer, images, image);
}

VKAPI_ATTR void VKAPI_CALL write_timestamp(VkCommandBuffer cmd, VkPipelineStageFlagBits stage, VkQueryPool pool,
                                           uint32_t query) {
  g_watch->timestamp_stages.push_back(stage);
  g_watch->barriers_before_timestamps.push_back(g_watch->barriers.size());
  g_watch->copies_before_timestamps.push_back(g_watch->copies.size());
  driver().CmdWriteTimestamp(cmd, stage, pool, query);
}

VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice device, const VkMemoryAllocateInfo* info,
                                        const VkAllocationCallbacks* callbacks, VkDeviceMemory* memory) {
  g_watch->largest_memory = std::max(g_watch->largest_memory, info->allocationSize);
  VkMemoryAllocateInfo real = *info;
  VkResult result = g_watch->check_allocation(*info, real);
  if (result == VK_SUCCESS) result = driver().AllocateMemory(device, &real, callbacks, memory);
  if (result == VK_SUCCESS) g_watch->note_allocation(*memory, *info);
  return result;
}

VKAPI_ATTR void VKAPI_CALL free_memory(VkDevice device, VkDeviceMemory memory, const VkAllocationCallbacks* callbacks) {
  g_watch->note_free(memory);
  driver().FreeMemory(device, memory, callbacks);
}

VKAPI_ATTR VkResult VKAPI_CALL bind(VkDevice device, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset) {
  g_watch->note_binding(buffer, memory);
  return driver().BindBufferMemory(device, buffer, memory, offset);
}

VKAPI_ATTR VkResult VKAPI_CALL map(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
                                   VkMemoryMapFlags flags, void** mapped) {
  const bool simulated = g_watch->memory.memoryTypeCount != 0;
  const bool mappable = (g_watch->properties_of(memory) & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0;
  if (simulated && !mappable) return VK_ERROR_MEMORY_MAP_FAILED;
  return driver().MapMemory(device, memory, offset, size, flags, mapped);
}

VKAPI_ATTR void VKAPI_CALL copy(VkCommandBuffer cmd, VkBuffer from, VkBuffer to, uint32_t count,
                                const VkBufferCopy* regions) {
  for (uint32_t i = 0; i < count; ++i) g_watch->copies.push_back({from, to, regions[i]});
  driver().CmdCopyBuffer(cmd, from, to, count, regions);
}

VKAPI_ATTR void VKAPI_CALL update(VkDevice device, uint32_t count, const VkWriteDescriptorSet* writes,
                                  uint32_t copy_count, const VkCopyDescriptorSet* copies) {
  const HeapFaultPause pause;
  for (uint32_t i = 0; i < count; ++i) {
    if (writes[i].descriptorType != VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) continue;
    g_watch->bound.push_back({writes[i].dstBinding, writes[i].pBufferInfo->buffer});
  }
  driver().UpdateDescriptorSets(device, count, writes, copy_count, copies);
}

VKAPI_ATTR void VKAPI_CALL get_memory(VkPhysicalDevice physical_device, VkPhysicalDeviceMemoryProperties* properties) {
  driver().GetPhysicalDeviceMemoryProperties(physical_device, properties);
  if (g_watch->memory.memoryTypeCount != 0) *properties = g_watch->memory;
}

VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                const VkComputePipelineCreateInfo* infos,
                                                const VkAllocationCallbacks* callbacks, VkPipeline* pipelines) {
  if (const auto call = std::exchange(g_watch->while_compiling, nullptr)) call();
  if (!g_watch->keep_pipelines) {
    const VkResult created = driver().CreateComputePipelines(device, cache, count, infos, callbacks, pipelines);
    if (created == VK_SUCCESS) g_watch->note_live(*pipelines, *infos);
    return created;
  }
  *pipelines = g_watch->take_pipeline(*infos);  // the library creates one at a time
  if (*pipelines != VK_NULL_HANDLE) return VK_SUCCESS;
  const VkResult result = driver().CreateComputePipelines(device, cache, 1, infos, callbacks, pipelines);
  if (result == VK_SUCCESS) g_watch->note_pipeline(*pipelines, *infos);
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice device, const VkShaderModuleCreateInfo* info,
                                             const VkAllocationCallbacks* callbacks, VkShaderModule* module) {
  const VkResult result = driver().CreateShaderModule(device, info, callbacks, module);
  if (result == VK_SUCCESS) g_watch->note_module(*module, info->codeSize);
  return result;
}

VKAPI_ATTR void VKAPI_CALL destroy_pipeline(VkDevice device, VkPipeline pipeline,
                                            const VkAllocationCallbacks* callbacks) {
  if (g_watch->keep_pipelines) return g_watch->keep_pipeline(pipeline);
  g_watch->live_pipelines.erase(pipeline);
  driver().DestroyPipeline(device, pipeline, callbacks);
}

VKAPI_ATTR VkResult VKAPI_CALL create_view(VkDevice device, const VkBufferViewCreateInfo* info,
                                           const VkAllocationCallbacks* callbacks, VkBufferView* view) {
  g_watch->largest_view = std::max(g_watch->largest_view, info->range);
  return driver().CreateBufferView(device, info, callbacks, view);
}

VKAPI_ATTR void VKAPI_CALL get_requirements(VkDevice device, VkBuffer buffer, VkMemoryRequirements* requirements) {
  driver().GetBufferMemoryRequirements(device, buffer, requirements);
  if (const uint32_t types = g_watch->memory.memoryTypeCount; types != 0)
    requirements->memoryTypeBits = (1u << types) - 1;
  const VkDeviceSize alignment = g_watch->buffer_alignment;
  if (alignment == 0) return;
  requirements->alignment = alignment;
  requirements->size = (requirements->size / (2 * alignment) * 2 + 3) * alignment;
}

VKAPI_ATTR VkResult VKAPI_CALL set_name(VkDevice device, const VkDebugUtilsObjectNameInfoEXT* info) {
  g_watch->names.push_back(info->pObjectName);
  return driver().SetDebugUtilsObjectNameEXT(device, info);
}

VKAPI_ATTR void VKAPI_CALL begin_label(VkCommandBuffer cmd, const VkDebugUtilsLabelEXT* label) {
  g_watch->labels.push_back(label->pLabelName);
  driver().CmdBeginDebugUtilsLabelEXT(cmd, label);
}

VKAPI_ATTR void VKAPI_CALL end_label(VkCommandBuffer cmd) {
  g_watch->labels.push_back("");
  driver().CmdEndDebugUtilsLabelEXT(cmd);
}

VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice physical_device, VkPhysicalDeviceProperties2* properties) {
  driver().GetPhysicalDeviceProperties2(physical_device, properties);
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
  driver().GetPhysicalDeviceQueueFamilyProperties(physical_device, count, families);
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

}  // namespace

WatchedLoader::WatchedLoader(const TestDevice& device) : driver(device.vk), device_(device) { g_watch = this; }
WatchedLoader::~WatchedLoader() {
  for (const auto& [constants, pipeline] : kept_) device_.vk.DestroyPipeline(device_.device, pipeline, nullptr);
  g_watch = nullptr;
}

void WatchedLoader::attach(vulkan::SkinnerInfo& info) const {
  info.get_instance_proc_addr = get_instance_function;
  info.get_device_proc_addr = nullptr;  // so that the skinner gets it through the instance
}

/// Fails where the simulated heap has no room. `real` is in memory of the driver that is mapped and coherent.
VkResult WatchedLoader::check_allocation(const VkMemoryAllocateInfo& wanted, VkMemoryAllocateInfo& real) const {
  if (memory.memoryTypeCount == 0) return VK_SUCCESS;
  const uint32_t heap = memory.memoryTypes[wanted.memoryTypeIndex].heapIndex;
  if (used_bytes_[heap] + wanted.allocationSize > memory.memoryHeaps[heap].size) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  VkPhysicalDeviceMemoryProperties own;
  device_.vk.GetPhysicalDeviceMemoryProperties(device_.physical_device, &own);
  const VkMemoryPropertyFlags mapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  real.memoryTypeIndex = 0;
  while ((own.memoryTypes[real.memoryTypeIndex].propertyFlags & mapped) != mapped) ++real.memoryTypeIndex;
  return VK_SUCCESS;
}

void WatchedLoader::note_allocation(VkDeviceMemory handle, const VkMemoryAllocateInfo& info) {
  live_bytes += info.allocationSize;
  memory_types.push_back(info.memoryTypeIndex);
  allocated_[handle] = {info.memoryTypeIndex, info.allocationSize};
  used_bytes_[memory.memoryTypes[info.memoryTypeIndex].heapIndex] += info.allocationSize;
}

void WatchedLoader::note_free(VkDeviceMemory handle) {
  const auto found = allocated_.find(handle);
  if (found == allocated_.end()) return;
  live_bytes -= found->second.size_bytes;
  used_bytes_[memory.memoryTypes[found->second.type].heapIndex] -= found->second.size_bytes;
  allocated_.erase(found);
}

VkMemoryPropertyFlags WatchedLoader::properties_of(VkDeviceMemory handle) const {
  const auto found = allocated_.find(handle);
  return found == allocated_.end() ? 0 : memory.memoryTypes[found->second.type].propertyFlags;
}

VkMemoryPropertyFlags WatchedLoader::properties_of(VkBuffer buffer) const {
  const auto found = memory_of_.find(buffer);
  return found == memory_of_.end() ? 0 : properties_of(found->second);
}

std::string WatchedLoader::source_of(const VkComputePipelineCreateInfo& info) const {
  const VkSpecializationInfo& constants = *info.stage.pSpecializationInfo;
  return std::to_string(code_bytes_of_.at(info.stage.module)) + ' ' +
         std::string(static_cast<const char*>(constants.pData), constants.dataSize);
}

void WatchedLoader::note_live(VkPipeline pipeline, const VkComputePipelineCreateInfo& info) {
  live_pipelines[pipeline] = code_bytes_of_.at(info.stage.module);
  const VkSpecializationInfo& given = *info.stage.pSpecializationInfo;
  specialized.emplace_back();
  for (uint32_t i = 0; i < given.mapEntryCount; ++i) {
    const VkSpecializationMapEntry& entry = given.pMapEntries[i];
    std::memcpy(&specialized.back()[entry.constantID], static_cast<const char*>(given.pData) + entry.offset,
                entry.size);
  }
}

VkPipeline WatchedLoader::take_pipeline(const VkComputePipelineCreateInfo& info) {
  const HeapFaultPause pause;
  const auto found = kept_.find(source_of(info));
  if (found == kept_.end()) return VK_NULL_HANDLE;
  const VkPipeline pipeline = found->second;
  kept_.erase(found);
  return pipeline;
}

void WatchedLoader::note_pipeline(VkPipeline pipeline, const VkComputePipelineCreateInfo& info) {
  const HeapFaultPause pause;
  source_of_pipeline_[pipeline] = source_of(info);
}

void WatchedLoader::keep_pipeline(VkPipeline pipeline) { kept_.emplace(source_of_pipeline_.at(pipeline), pipeline); }

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
  if (wanted == "vkGetPhysicalDeviceProperties2") return PFN_vkVoidFunction(get_properties);
  if (wanted == "vkGetPhysicalDeviceQueueFamilyProperties") return PFN_vkVoidFunction(get_families);
  if (wanted == "vkGetPhysicalDeviceMemoryProperties") return PFN_vkVoidFunction(get_memory);
  return found;
}

PFN_vkVoidFunction WatchedLoader::device_function(VkDevice device, const char* name) {
  PFN_vkVoidFunction found = device_.vk.GetDeviceProcAddr(device, name);
  const std::string_view wanted(name);
  if (wanted == missing) return nullptr;
  if (wanted == "vkCmdPipelineBarrier") return PFN_vkVoidFunction(barrier);
  if (wanted == "vkCmdWriteTimestamp") return PFN_vkVoidFunction(write_timestamp);
  if (wanted == "vkSetDebugUtilsObjectNameEXT") return PFN_vkVoidFunction(set_name);
  if (wanted == "vkCmdBeginDebugUtilsLabelEXT") return PFN_vkVoidFunction(begin_label);
  if (wanted == "vkCmdEndDebugUtilsLabelEXT") return PFN_vkVoidFunction(end_label);
  if (wanted == "vkCreateBufferView") found = PFN_vkVoidFunction(create_view);
  if (wanted == "vkGetBufferMemoryRequirements") return PFN_vkVoidFunction(get_requirements);
  if (wanted == "vkCmdCopyBuffer") return PFN_vkVoidFunction(copy);
  if (wanted == "vkUpdateDescriptorSets") return PFN_vkVoidFunction(update);
  if (wanted == "vkAllocateMemory") found = PFN_vkVoidFunction(allocate);
  if (wanted == "vkCreateComputePipelines") found = PFN_vkVoidFunction(create_pipelines);
  if (wanted == "vkCreateShaderModule") found = PFN_vkVoidFunction(create_module);
  if (wanted == "vkDestroyPipeline") found = PFN_vkVoidFunction(destroy_pipeline);
  if (wanted == "vkFreeMemory") found = PFN_vkVoidFunction(free_memory);
  if (wanted == "vkBindBufferMemory") found = PFN_vkVoidFunction(bind);
  if (wanted == "vkMapMemory") found = PFN_vkVoidFunction(map);
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
