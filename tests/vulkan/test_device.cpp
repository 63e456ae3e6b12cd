#include "vulkan/test_device.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "test_system.h"

namespace sinew::test {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";
constexpr const char* kPortabilitySubset = "VK_KHR_portability_subset";  // a device that has it must enable it

void require(VkResult result, const char* what) {
  if (result == VK_SUCCESS) return;
  std::fprintf(stderr, "test device: %s: VkResult %d\n", what, result);
  std::abort();
}

/// The Vulkan version that the layer was built for; 0 if it is not installed.
uint32_t version_of_layer(PFN_vkGetInstanceProcAddr load, const char* wanted) {
  const auto enumerate = PFN_vkEnumerateInstanceLayerProperties(load(nullptr, "vkEnumerateInstanceLayerProperties"));
  uint32_t count = 0;
  enumerate(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  enumerate(&count, layers.data());
  for (const VkLayerProperties& layer : layers) {
    if (std::strcmp(layer.layerName, wanted) == 0) return layer.specVersion;
  }
  return 0;
}

std::atomic<bool> g_was_there{false}, g_is_gone{false};

}  // namespace

bool TestDevice::is_gone() { return g_is_gone; }

std::unique_ptr<TestDevice> TestDevice::create(std::string& why_not, const TestDeviceOptions& wanted) {
  TestDeviceOptions options = wanted;
  options.validate = wanted.validate && (wanted.gpu_assisted || validates());
  std::unique_ptr<TestDevice> result(new TestDevice);
  if (!result->create_instance(why_not, options) || !result->choose_device(why_not) ||
      !result->create_device(why_not, options)) {
    g_is_gone = g_was_there && !result->lacks_option_;
    why_not = "NO VULKAN DEVICE FOR THIS TEST: " + why_not;
    return nullptr;
  }
  g_was_there = true, g_is_gone = false;
  return result;
}

bool TestDevice::create_instance(std::string& why_not, const TestDeviceOptions& options) {
  vk.GetInstanceProcAddr = load_vulkan();
  if (vk.GetInstanceProcAddr == nullptr) return why_not = "no Vulkan loader is installed", false;
  const uint32_t layer_version = version_of_layer(vk.GetInstanceProcAddr, kValidationLayer);
  if (options.validate && layer_version == 0) {
    lacks_option_ = true;
    return why_not = std::string(kValidationLayer) + " is not installed", false;
  }

  const VkValidationFeatureEnableEXT enables[] = {options.gpu_assisted
                                                      ? VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT
                                                      : VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
  // GPU-assisted validation: newer layers (1.4.309) warn if core checks are on too; older ones (1.3.239) report nothing
  // without them.
  const bool without_core_checks = options.gpu_assisted && layer_version >= VK_MAKE_API_VERSION(0, 1, 4, 0);
  const VkValidationFeatureDisableEXT core_checks = VK_VALIDATION_FEATURE_DISABLE_CORE_CHECKS_EXT;
  const VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                            .enabledValidationFeatureCount = 1,
                                            .pEnabledValidationFeatures = enables,
                                            .disabledValidationFeatureCount = without_core_checks ? 1u : 0u,
                                            .pDisabledValidationFeatures = &core_checks};
  const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                         .apiVersion = options.instance_version};
  const char* const debug_utils_name = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                     .pNext = options.validate ? &features : nullptr,
                                     .pApplicationInfo = &application,
                                     .enabledLayerCount = options.validate ? 1u : 0u,
                                     .ppEnabledLayerNames = &kValidationLayer,
                                     .enabledExtensionCount = options.validate ? 1u : 0u,
                                     .ppEnabledExtensionNames = &debug_utils_name};
  // Settings that the layers read from the environment only. Newer layers check shader accesses only if the first is
  // set, and ray queries unless the second is 0. Older layers ignore both.
  set_default_variable("VK_LAYER_SYNCVAL_SHADER_ACCESSES_HEURISTIC", "1");
  set_default_variable("VK_LAYER_GPUAV_VALIDATE_RAY_QUERY", "0");
  if (options.across_submits) {
    set_variable("VK_LAYER_ENABLES", "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT");
  }
  const auto create = PFN_vkCreateInstance(vk.GetInstanceProcAddr(nullptr, "vkCreateInstance"));
  const VkResult created = create(&info, nullptr, &instance);
  if (created != VK_SUCCESS) return why_not = "vkCreateInstance gives " + std::to_string(created), false;
#define SINEW_TEST_LOAD(name) vk.name = PFN_vk##name(vk.GetInstanceProcAddr(instance, "vk" #name));
  SINEW_TEST_INSTANCE_FUNCTIONS(SINEW_TEST_LOAD)
  debug_utils = options.validate;
  if (!debug_utils) return true;

  const VkDebugUtilsMessengerCreateInfoEXT messenger = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity =
          VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                     VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
      .pfnUserCallback = on_message,
      .pUserData = this};
  require(vk.CreateDebugUtilsMessengerEXT(instance, &messenger, nullptr, &messenger_), "messenger");
  return true;
}

/// The first GPU; without one, the first CPU device.
bool TestDevice::choose_device(std::string& why_not) {
  uint32_t count = 0;
  vk.EnumeratePhysicalDevices(instance, &count, nullptr);
  std::vector<VkPhysicalDevice> devices(count);
  vk.EnumeratePhysicalDevices(instance, &count, devices.data());
  for (const VkPhysicalDevice candidate : devices) {
    VkPhysicalDeviceProperties candidate_properties;
    vk.GetPhysicalDeviceProperties(candidate, &candidate_properties);
    if (candidate_properties.apiVersion < VK_API_VERSION_1_2) continue;
    const bool better =
        physical_device == VK_NULL_HANDLE || (properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU &&
                                              candidate_properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU);
    if (!better) continue;
    physical_device = candidate;
    properties = candidate_properties;
  }
  if (physical_device == VK_NULL_HANDLE)
    return why_not = "no Vulkan 1.2 among " + std::to_string(count) + " devices", false;
  return true;
}

bool TestDevice::has_extension(const char* wanted) const {
  uint32_t count = 0;
  vk.EnumerateDeviceExtensionProperties(physical_device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vk.EnumerateDeviceExtensionProperties(physical_device, nullptr, &count, extensions.data());
  return std::any_of(extensions.begin(), extensions.end(), [&](const VkExtensionProperties& extension) {
    return std::strcmp(extension.extensionName, wanted) == 0;
  });
}

bool TestDevice::create_device(std::string& why_not, const TestDeviceOptions& options) {
  uint32_t count = 0;
  vk.GetPhysicalDeviceQueueFamilyProperties(physical_device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vk.GetPhysicalDeviceQueueFamilyProperties(physical_device, &count, families.data());
  const VkQueueFlags wanted = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
  while (queue_family < count && (families[queue_family].queueFlags & wanted) != wanted) ++queue_family;
  if (queue_family == count) return why_not = "no queue with graphics and compute", false;
  const uint32_t bits = families[queue_family].timestampValidBits;
  timestamp_mask = bits < 64 ? (uint64_t{1} << bits) - 1 : UINT64_MAX;

  const float priority = 1;
  const VkDeviceQueueCreateInfo queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                              .queueFamilyIndex = queue_family,
                                              .queueCount = 1,
                                              .pQueuePriorities = &priority};
  VkPhysicalDeviceVulkan12Features offered = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &offered};
  const bool has_features = options.instance_version >= VK_API_VERSION_1_2;
  if (has_features) vk.GetPhysicalDeviceFeatures2(physical_device, &features);
  buffer_addresses = offered.bufferDeviceAddress == VK_TRUE;
  VkPhysicalDeviceVulkan12Features enabled = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                              .bufferDeviceAddress = offered.bufferDeviceAddress};
  VkPhysicalDeviceFeatures core = {};
  if (options.gpu_assisted) {  // the layer's shaders need these features; it warns if they are not enabled
    const VkPhysicalDeviceFeatures& core_offered = features.features;
    if (!core_offered.fragmentStoresAndAtomics || !core_offered.vertexPipelineStoresAndAtomics) {
      lacks_option_ = true;
      return why_not = "GPU-assisted validation needs stores and atomics in the stages of drawing", false;
    }
    enabled.timelineSemaphore = offered.timelineSemaphore;
    enabled.vulkanMemoryModel = offered.vulkanMemoryModel;
    enabled.vulkanMemoryModelDeviceScope = offered.vulkanMemoryModelDeviceScope;
    enabled.uniformAndStorageBuffer8BitAccess = offered.uniformAndStorageBuffer8BitAccess;
    core.fragmentStoresAndAtomics = core_offered.fragmentStoresAndAtomics;
    core.vertexPipelineStoresAndAtomics = core_offered.vertexPipelineStoresAndAtomics;
    core.shaderInt64 = core_offered.shaderInt64;
  }
  const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                   .pNext = has_features ? &enabled : nullptr,
                                   .queueCreateInfoCount = 1,
                                   .pQueueCreateInfos = &queue_info,
                                   .enabledExtensionCount = has_extension(kPortabilitySubset) ? 1u : 0u,
                                   .ppEnabledExtensionNames = &kPortabilitySubset,
                                   .pEnabledFeatures = &core};
  if (vk.CreateDevice(physical_device, &info, nullptr, &device) != VK_SUCCESS) {
    return why_not = "vkCreateDevice fails", false;
  }
#undef SINEW_TEST_LOAD
#define SINEW_TEST_LOAD(name) vk.name = PFN_vk##name(vk.GetDeviceProcAddr(device, "vk" #name));
  SINEW_TEST_DEVICE_FUNCTIONS(SINEW_TEST_LOAD)
#undef SINEW_TEST_LOAD
  vk.GetDeviceQueue(device, queue_family, 0, &queue);
  const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                        .queueFamilyIndex = queue_family};
  require(vk.CreateCommandPool(device, &pool, nullptr, &pool_), "vkCreateCommandPool");
  return true;
}

TestDevice::~TestDevice() {
  // The library stays loaded, so that sanitizers can name its functions at exit.
  for (VkSemaphore semaphore : semaphores_) vk.DestroySemaphore(device, semaphore, nullptr);
  for (VkQueryPool pool : query_pools_) vk.DestroyQueryPool(device, pool, nullptr);
  if (pool_ != VK_NULL_HANDLE) vk.DestroyCommandPool(device, pool_, nullptr);
  if (device != VK_NULL_HANDLE) vk.DestroyDevice(device, nullptr);
  if (messenger_ != VK_NULL_HANDLE) vk.DestroyDebugUtilsMessengerEXT(instance, messenger_, nullptr);
  if (instance != VK_NULL_HANDLE) vk.DestroyInstance(instance, nullptr);
}

VkCommandBuffer TestDevice::record_commands(const std::function<void(VkCommandBuffer)>& record) {
  const VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = pool_,
                                                .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                .commandBufferCount = 1};
  VkCommandBuffer cmd = VK_NULL_HANDLE;
  require(vk.AllocateCommandBuffers(device, &allocate, &cmd), "vkAllocateCommandBuffers");
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  require(vk.BeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
  record(cmd);
  require(vk.EndCommandBuffer(cmd), "vkEndCommandBuffer");
  return cmd;
}

void TestDevice::record_only(const std::function<void(VkCommandBuffer)>& record) {
  const VkCommandBuffer cmd = record_commands(record);
  vk.FreeCommandBuffers(device, pool_, 1, &cmd);
}

void TestDevice::submit_and_wait(const std::function<void(VkCommandBuffer)>& record) {
  submit(record, {});
  finish();
}

void TestDevice::submit(const std::function<void(VkCommandBuffer)>& record, const TestOrder& order) {
  const VkCommandBuffer cmd = record_commands(record);
  const std::vector<VkPipelineStageFlags> stages(order.waits.size(), order.stages);
  const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                             .waitSemaphoreCount = uint32_t(order.waits.size()),
                             .pWaitSemaphores = order.waits.data(),
                             .pWaitDstStageMask = stages.data(),
                             .commandBufferCount = 1,
                             .pCommandBuffers = &cmd,
                             .signalSemaphoreCount = order.signal != VK_NULL_HANDLE ? 1u : 0u,
                             .pSignalSemaphores = &order.signal};
  require(vk.QueueSubmit(queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
  submitted_.push_back(cmd);
}

void TestDevice::finish() {
  require(vk.QueueWaitIdle(queue), "vkQueueWaitIdle");
  for (VkCommandBuffer cmd : std::exchange(submitted_, {})) vk.FreeCommandBuffers(device, pool_, 1, &cmd);
}

VkSemaphore TestDevice::make_semaphore() {
  const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  require(vk.CreateSemaphore(device, &info, nullptr, &semaphore), "vkCreateSemaphore");
  semaphores_.push_back(semaphore);
  return semaphore;
}

VkQueryPool TestDevice::make_timestamps(uint32_t count) {
  const VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = count};
  VkQueryPool pool = VK_NULL_HANDLE;
  require(vk.CreateQueryPool(device, &info, nullptr, &pool), "vkCreateQueryPool");
  query_pools_.push_back(pool);
  return pool;
}

TestBuffer TestDevice::make_buffer(VkDeviceSize size_bytes, VkBufferUsageFlags usage, bool host_visible) {
  TestBuffer buffer;
  const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size_bytes, .usage = usage};
  require(vk.CreateBuffer(device, &info, nullptr, &buffer.handle), "vkCreateBuffer");
  VkMemoryRequirements requirements;
  vk.GetBufferMemoryRequirements(device, buffer.handle, &requirements);
  VkPhysicalDeviceMemoryProperties memory;
  vk.GetPhysicalDeviceMemoryProperties(physical_device, &memory);
  const VkMemoryPropertyFlags wanted = host_visible
                                           ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
                                           : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  uint32_t type = 0;
  while ((requirements.memoryTypeBits >> type & 1) == 0 || (memory.memoryTypes[type].propertyFlags & wanted) != wanted)
    ++type;
  const VkMemoryAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = requirements.size, .memoryTypeIndex = type};
  require(vk.AllocateMemory(device, &allocate, nullptr, &buffer.memory), "vkAllocateMemory");
  require(vk.BindBufferMemory(device, buffer.handle, buffer.memory, 0), "vkBindBufferMemory");
  if (host_visible) {
    require(vk.MapMemory(device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.mapped), "vkMapMemory");
  }
  return buffer;
}

void TestDevice::free_buffer(const TestBuffer& buffer) {
  vk.DestroyBuffer(device, buffer.handle, nullptr);
  vk.FreeMemory(device, buffer.memory, nullptr);
}

void TestDevice::fill(VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size_bytes, uint32_t word) {
  submit_and_wait([&](VkCommandBuffer cmd) { vk.CmdFillBuffer(cmd, buffer, offset, size_bytes, word); });
}

std::vector<uint32_t> TestDevice::read_back(VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size_bytes) {
  const TestBuffer copy = make_buffer(size_bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, true);
  submit_and_wait([&](VkCommandBuffer cmd) {
    full_barrier(cmd);
    const VkBufferCopy region = {offset, 0, size_bytes};
    vk.CmdCopyBuffer(cmd, buffer, copy.handle, 1, &region);
    full_barrier(cmd);
  });
  std::vector<uint32_t> words(size_bytes / sizeof(uint32_t));
  std::memcpy(words.data(), copy.mapped, size_bytes);
  free_buffer(copy);
  return words;
}

void TestDevice::full_barrier(VkCommandBuffer cmd) const {
  const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  const VkMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = all, .dstAccessMask = all | VK_ACCESS_HOST_READ_BIT};
  vk.CmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr, 0,
                        nullptr);
}

std::vector<std::string> TestDevice::take_messages() {
  const std::lock_guard lock(mutex_);
  return std::exchange(messages_, {});
}

VkBool32 TestDevice::on_message(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                const VkDebugUtilsMessengerCallbackDataEXT* data, void* self) {
  auto& device = *static_cast<TestDevice*>(self);
  const std::lock_guard lock(device.mutex_);
  const std::string id =
      data->pMessageIdName != nullptr ? data->pMessageIdName : "";  // newer layers omit it from the message
  device.messages_.push_back(id + ": " + data->pMessage);
  return VK_FALSE;
}

}  // namespace sinew::test
