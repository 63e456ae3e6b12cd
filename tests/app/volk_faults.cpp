#include "volk_faults.h"

#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sinew::test {
namespace {

VolkFaults* g_faults = nullptr;

std::map<std::string, PFN_vkVoidFunction>& hooks() {
  static std::map<std::string, PFN_vkVoidFunction> all;
  return all;
}

bool is_creation(std::string_view function) {
  return function.starts_with("vkCreate") || function == "vkAllocateMemory";
}

/// Only what reaches the device reports that it is lost.
bool can_lose_device(std::string_view function) {
  return function == "vkQueueSubmit" || function == "vkQueueWaitIdle" || function == "vkWaitForFences";
}

/// The kind of object that a function creates or destroys: "Pipeline" of vkCreateGraphicsPipelines.
std::string kind_of(const std::string& function) {
  if (function.ends_with("Memory")) return "Memory";
  if (function.ends_with("Pipelines")) return "Pipeline";
  return function.substr(std::string_view(is_creation(function) ? "vkCreate" : "vkDestroy").size());
}

/// A hook in the pointer `function` of volk. `Real` may be a replacement of the driver's function.
template <auto* function, class Signature = std::remove_pointer_t<decltype(function)>>
struct Hook;

template <auto* function, class... Arguments>
struct Hook<function, VkResult(VKAPI_PTR*)(Arguments...)> {
  static inline VkResult(VKAPI_PTR* real)(Arguments...) = nullptr;
  static inline std::string name;

  static VKAPI_ATTR VkResult VKAPI_CALL call(Arguments... arguments) {
    if (g_faults->fails(name)) return g_faults->failure;
    const VkResult result = real(arguments...);
    if (result == VK_SUCCESS && is_creation(name)) ++g_faults->live[kind_of(name)];
    return result;
  }
};

template <auto* function, class Object>
struct Hook<function, void(VKAPI_PTR*)(VkDevice, Object, const VkAllocationCallbacks*)> {
  static inline void(VKAPI_PTR* real)(VkDevice, Object, const VkAllocationCallbacks*) = nullptr;
  static inline std::string name;

  static VKAPI_ATTR void VKAPI_CALL call(VkDevice device, Object object, const VkAllocationCallbacks* callbacks) {
    if (object != VK_NULL_HANDLE) --g_faults->live[kind_of(name)];
    real(device, object, callbacks);
  }
};

// --- objects that are kept ---

PFN_vkCreateGraphicsPipelines g_graphics = nullptr;
PFN_vkCreateComputePipelines g_compute = nullptr;
PFN_vkDestroyPipeline g_destroy_pipeline = nullptr;
PFN_vkCreateSampler g_sampler = nullptr;
PFN_vkDestroySampler g_destroy_sampler = nullptr;
PFN_vkCreateDescriptorSetLayout g_set_layout = nullptr;
PFN_vkDestroyDescriptorSetLayout g_destroy_set_layout = nullptr;
PFN_vkCreatePipelineLayout g_pipeline_layout = nullptr;
PFN_vkDestroyPipelineLayout g_destroy_pipeline_layout = nullptr;
PFN_vkCreateShaderModule g_module = nullptr;

template <class Value>
void append(std::string& description, const Value* values, size_t count) {
  const auto bytes = std::as_bytes(std::span(values, count));
  description.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void append(std::string& description, const VkPipelineShaderStageCreateInfo& stage) {
  description += g_faults->code_of(stage.module);
  append(description, static_cast<const char*>(stage.pSpecializationInfo->pData), stage.pSpecializationInfo->dataSize);
}

/// What differs between the program's pipelines.
std::string describe(const VkGraphicsPipelineCreateInfo& info) {
  std::string description = "graphics";
  for (uint32_t i = 0; i < info.stageCount; ++i) append(description, info.pStages[i]);
  const auto& input = *info.pVertexInputState;
  append(description, input.pVertexBindingDescriptions, input.vertexBindingDescriptionCount);
  append(description, input.pVertexAttributeDescriptions, input.vertexAttributeDescriptionCount);
  append(description, &info.pInputAssemblyState->topology, 1);
  append(description, &info.pRasterizationState->rasterizerDiscardEnable, 1);
  append(description, &info.pRasterizationState->polygonMode, 1);
  append(description, &info.pMultisampleState->rasterizationSamples, 1);
  append(description, &info.pDepthStencilState->depthTestEnable, 1);
  append(description, &info.pDepthStencilState->depthWriteEnable, 1);
  append(description, &info.pColorBlendState->attachmentCount, 1);
  append(description, info.pColorBlendState->pAttachments, 1);
  return description;
}

/// Gives out a kept object, or makes one.
template <class Object, class Make>
VkResult give(const std::string& description, Object* object, const Make& make) {
  *object = reinterpret_cast<Object>(g_faults->take_kept(description));
  if (*object != VK_NULL_HANDLE) return VK_SUCCESS;
  const VkResult result = make();
  if (result == VK_SUCCESS) g_faults->note_kept(reinterpret_cast<uint64_t>(*object), description);
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL graphics(VkDevice device, VkPipelineCache cache, uint32_t count,
                                        const VkGraphicsPipelineCreateInfo* infos,
                                        const VkAllocationCallbacks* callbacks, VkPipeline* pipelines) {
  return give(describe(*infos), pipelines,
              [&] { return g_graphics(device, cache, count, infos, callbacks, pipelines); });
}

VKAPI_ATTR VkResult VKAPI_CALL compute(VkDevice device, VkPipelineCache cache, uint32_t count,
                                       const VkComputePipelineCreateInfo* infos, const VkAllocationCallbacks* callbacks,
                                       VkPipeline* pipelines) {
  std::string description = "compute";
  append(description, infos->stage);
  return give(description, pipelines, [&] { return g_compute(device, cache, count, infos, callbacks, pipelines); });
}

VKAPI_ATTR VkResult VKAPI_CALL sampler(VkDevice device, const VkSamplerCreateInfo* info,
                                       const VkAllocationCallbacks* callbacks, VkSampler* sampler) {
  std::string description = "sampler";
  append(description, &info->magFilter, (sizeof *info - offsetof(VkSamplerCreateInfo, magFilter)) / sizeof(uint32_t));
  return give(description, sampler, [&] { return g_sampler(device, info, callbacks, sampler); });
}

VKAPI_ATTR VkResult VKAPI_CALL set_layout(VkDevice device, const VkDescriptorSetLayoutCreateInfo* info,
                                          const VkAllocationCallbacks* callbacks, VkDescriptorSetLayout* layout) {
  std::string description = "set layout";
  for (const VkDescriptorSetLayoutBinding& binding : std::span(info->pBindings, info->bindingCount)) {
    append(description, &binding.binding, 4);  // up to the stages
    if (binding.pImmutableSamplers) append(description, binding.pImmutableSamplers, binding.descriptorCount);
  }
  return give(description, layout, [&] { return g_set_layout(device, info, callbacks, layout); });
}

VKAPI_ATTR VkResult VKAPI_CALL pipeline_layout(VkDevice device, const VkPipelineLayoutCreateInfo* info,
                                               const VkAllocationCallbacks* callbacks, VkPipelineLayout* layout) {
  std::string description = "pipeline layout";
  append(description, info->pSetLayouts, info->setLayoutCount);
  append(description, info->pPushConstantRanges, info->pushConstantRangeCount);
  return give(description, layout, [&] { return g_pipeline_layout(device, info, callbacks, layout); });
}

VKAPI_ATTR VkResult VKAPI_CALL module(VkDevice device, const VkShaderModuleCreateInfo* info,
                                      const VkAllocationCallbacks* callbacks, VkShaderModule* module) {
  const VkResult result = g_module(device, info, callbacks, module);
  if (result != VK_SUCCESS) return result;
  std::string& code = g_faults->code_of(*module);
  code.clear();
  append(code, info->pCode, info->codeSize / sizeof(uint32_t));
  return result;
}

template <class Object>
VKAPI_ATTR void VKAPI_CALL keep_object(VkDevice, Object object, const VkAllocationCallbacks*) {
  if (object != VK_NULL_HANDLE) g_faults->keep(reinterpret_cast<uint64_t>(object));
}

// --- all hooks ---

template <auto* function>
void install(const char* name) {
  using Hooked = Hook<function>;
  Hooked::name = name;
  Hooked::real = std::exchange(*function, Hooked::call);
  hooks()[name] = reinterpret_cast<PFN_vkVoidFunction>(*function);
}
template <auto* function>
void remove() {
  *function = Hook<function>::real;
}

// clang-format off
#define SINEW_HOOKED_FUNCTIONS(X) \
  X(vkAllocateCommandBuffers) X(vkAllocateDescriptorSets) X(vkAllocateMemory) X(vkBeginCommandBuffer) \
  X(vkBindBufferMemory) X(vkBindImageMemory) X(vkCreateBuffer) X(vkCreateBufferView) X(vkCreateCommandPool) \
  X(vkCreateComputePipelines) X(vkCreateDescriptorPool) X(vkCreateDescriptorSetLayout) X(vkCreateFence) \
  X(vkCreateFramebuffer) X(vkCreateGraphicsPipelines) X(vkCreateImage) X(vkCreateImageView) \
  X(vkCreatePipelineLayout) X(vkCreateQueryPool) X(vkCreateRenderPass) X(vkCreateSampler) X(vkCreateSemaphore) \
  X(vkCreateShaderModule) X(vkDestroyBuffer) X(vkDestroyBufferView) X(vkDestroyCommandPool) \
  X(vkDestroyDescriptorPool) X(vkDestroyDescriptorSetLayout) X(vkDestroyFence) X(vkDestroyFramebuffer) \
  X(vkDestroyImage) X(vkDestroyImageView) X(vkDestroyPipeline) X(vkDestroyPipelineLayout) X(vkDestroyQueryPool) \
  X(vkDestroyRenderPass) X(vkDestroySampler) X(vkDestroySemaphore) X(vkDestroyShaderModule) X(vkEndCommandBuffer) \
  X(vkFreeMemory) X(vkMapMemory) X(vkQueueSubmit) X(vkQueueWaitIdle) X(vkResetCommandPool) X(vkResetFences) \
  X(vkWaitForFences)
// clang-format on

PFN_vkGetInstanceProcAddr g_instance_function = nullptr;

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice device, const char* name) {
  const auto found = hooks().find(name);
  return found == hooks().end() ? vkGetDeviceProcAddr(device, name) : found->second;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function(VkInstance instance, const char* name) {
  if (std::string_view(name) == "vkGetDeviceProcAddr") return reinterpret_cast<PFN_vkVoidFunction>(device_function);
  return g_instance_function(instance, name);
}

}  // namespace

VolkFaults::VolkFaults(VkDevice device) : device_(device) {
  g_faults = this;
  g_graphics = std::exchange(vkCreateGraphicsPipelines, graphics);
  g_compute = std::exchange(vkCreateComputePipelines, compute);
  g_destroy_pipeline = std::exchange(vkDestroyPipeline, keep_object<VkPipeline>);
  g_sampler = std::exchange(vkCreateSampler, sampler);
  g_destroy_sampler = std::exchange(vkDestroySampler, keep_object<VkSampler>);
  g_set_layout = std::exchange(vkCreateDescriptorSetLayout, set_layout);
  g_destroy_set_layout = std::exchange(vkDestroyDescriptorSetLayout, keep_object<VkDescriptorSetLayout>);
  g_pipeline_layout = std::exchange(vkCreatePipelineLayout, pipeline_layout);
  g_destroy_pipeline_layout = std::exchange(vkDestroyPipelineLayout, keep_object<VkPipelineLayout>);
  g_module = std::exchange(vkCreateShaderModule, module);
#define SINEW_INSTALL(function) install<&function>(#function);
  SINEW_HOOKED_FUNCTIONS(SINEW_INSTALL)
#undef SINEW_INSTALL
  g_instance_function = std::exchange(vkGetInstanceProcAddr, instance_function);
}

VolkFaults::~VolkFaults() {
  vkGetInstanceProcAddr = g_instance_function;
#define SINEW_REMOVE(function) remove<&function>();
  SINEW_HOOKED_FUNCTIONS(SINEW_REMOVE)
#undef SINEW_REMOVE
  vkCreateGraphicsPipelines = g_graphics, vkCreateComputePipelines = g_compute;
  vkDestroyPipeline = g_destroy_pipeline;
  vkCreateSampler = g_sampler, vkDestroySampler = g_destroy_sampler;
  vkCreateDescriptorSetLayout = g_set_layout, vkDestroyDescriptorSetLayout = g_destroy_set_layout;
  vkCreatePipelineLayout = g_pipeline_layout, vkDestroyPipelineLayout = g_destroy_pipeline_layout;
  vkCreateShaderModule = g_module;
  for (const auto& [description, object] : kept_) {
    if (description.starts_with("sampler")) {
      vkDestroySampler(device_, reinterpret_cast<VkSampler>(object), nullptr);
    } else if (description.starts_with("set layout")) {
      vkDestroyDescriptorSetLayout(device_, reinterpret_cast<VkDescriptorSetLayout>(object), nullptr);
    } else if (description.starts_with("pipeline layout")) {
      vkDestroyPipelineLayout(device_, reinterpret_cast<VkPipelineLayout>(object), nullptr);
    } else {
      vkDestroyPipeline(device_, reinterpret_cast<VkPipeline>(object), nullptr);
    }
  }
  g_faults = nullptr;
}

int VolkFaults::live_objects() const {
  int count = 0;
  for (const auto& [kind, objects] : live) count += objects;
  return count;
}

bool VolkFaults::fails(const std::string& function) {
  if (failure == VK_ERROR_DEVICE_LOST && !can_lose_device(function)) return false;
  calls.push_back(function);
  if (succeeding < 0 || succeeding-- > 0) return false;
  failed = function;
  if (can_lose_device(function)) vkDeviceWaitIdle(device_);  // the test goes on to use and free what was submitted
  return true;
}

uint64_t VolkFaults::take_kept(const std::string& description) {
  const auto found = kept_.find(description);
  if (found == kept_.end()) return 0;
  const uint64_t object = found->second;
  kept_.erase(found);
  return object;
}

}  // namespace sinew::test
