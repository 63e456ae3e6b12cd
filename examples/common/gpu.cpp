#include "common/gpu.h"

#define VOLK_IMPLEMENTATION
#include <volk.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>

#include "common/check.h"

namespace host {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";
constexpr const char* kPortabilitySubset = "VK_KHR_portability_subset";
// Ray queries, and what they depend on. Buffer addresses are a feature of Vulkan 1.2.
constexpr const char* kRayQueryExtensions[] = {VK_KHR_RAY_QUERY_EXTENSION_NAME,
                                               VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                                               VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME};
std::atomic<uint32_t> messages{0};

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
  std::fprintf(stderr, "validation: %s\n", data->pMessage);
  ++messages;
  return VK_FALSE;
}

bool has_validation_layer() {
  uint32_t count = 0;
  vkEnumerateInstanceLayerProperties(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  vkEnumerateInstanceLayerProperties(&count, layers.data());
  for (const VkLayerProperties& layer : layers) {
    if (std::strcmp(layer.layerName, kValidationLayer) == 0) return true;
  }
  return false;
}

bool has_name(const std::vector<VkExtensionProperties>& extensions, const char* name) {
  for (const VkExtensionProperties& extension : extensions) {
    if (std::strcmp(extension.extensionName, name) == 0) return true;
  }
  return false;
}

bool has_extension(const char* name, const char* layer) {
  uint32_t count = 0;
  vkEnumerateInstanceExtensionProperties(layer, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vkEnumerateInstanceExtensionProperties(layer, &count, extensions.data());
  return has_name(extensions, name);
}

bool has_device_extension(VkPhysicalDevice physical, const char* name) {
  uint32_t count = 0;
  vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, extensions.data());
  return has_name(extensions, name);
}

/// A queue family that draws, computes and, if there is a surface, presents to it.
bool find_family(VkPhysicalDevice physical, VkSurfaceKHR surface, uint32_t& family) {
  uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
  constexpr VkQueueFlags kNeeded = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
  for (family = 0; family < count; ++family) {
    VkBool32 presents = VK_TRUE;
    if (surface) vkGetPhysicalDeviceSurfaceSupportKHR(physical, family, surface, &presents);
    if (presents && (families[family].queueFlags & kNeeded) == kNeeded) return true;
  }
  return false;
}

/// The features of ray queries, as one list of structs. It points into itself: it stays where it was made.
struct RayQueryFeatures {
  RayQueryFeatures() = default;
  RayQueryFeatures(const RayQueryFeatures&) = delete;
  RayQueryFeatures& operator=(const RayQueryFeatures&) = delete;

  VkPhysicalDeviceRayQueryFeaturesKHR queries{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR};
  VkPhysicalDeviceAccelerationStructureFeaturesKHR structures{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR, &queries};
  VkPhysicalDeviceVulkan12Features core{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &structures};
  VkPhysicalDeviceFeatures2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &core};
};

bool has_ray_queries(VkPhysicalDevice physical) {
  for (const char* name : kRayQueryExtensions) {
    if (!has_device_extension(physical, name)) return false;
  }
  RayQueryFeatures offered;
  vkGetPhysicalDeviceFeatures2(physical, &offered.all);
  return offered.queries.rayQuery && offered.structures.accelerationStructure && offered.core.bufferDeviceAddress;
}

/// The higher the better.
int rank(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return 4;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return 3;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return 2;
    default:
      return 1;
  }
}

}  // namespace

void check(VkResult result, const char* what) {
  if (result < 0) fail(std::string(what) + " failed (VkResult " + std::to_string(result) + ")");
}

uint32_t validation_messages() { return messages; }

void Owner::free_all() {
  for (; !list_.empty(); list_.pop_back()) list_.back()();
}

Gpu::Gpu(const char* name, bool validate, const Window* window, bool ray_queries) {
  if (volkInitialize() != VK_SUCCESS) fail("no Vulkan loader (libvulkan.so.1): install libvulkan1 and a driver");
  if (validate && !has_validation_layer())
    fail("--validate needs the validation layer: install vulkan-validationlayers");
  create_instance(name, validate, window);
  if (window) surface = window->create_surface(instance);
  if (surface) owned.add([this] { vkDestroySurfaceKHR(instance, surface, nullptr); });
  choose_device(ray_queries);
  create_device(ray_queries);
}

Gpu::~Gpu() { owned.free_all(); }

void Gpu::create_instance(const char* name, bool validate, const Window* window) {
  std::vector<const char*> extensions;
  if (window) extensions.assign(window->instance_extensions().begin(), window->instance_extensions().end());
  debug_utils = has_extension(VK_EXT_DEBUG_UTILS_EXTENSION_NAME, nullptr) ||
                (validate && has_extension(VK_EXT_DEBUG_UTILS_EXTENSION_NAME, kValidationLayer));
  if (debug_utils) extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  const bool portable = has_extension(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME, nullptr);
  if (portable) extensions.push_back(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
  // Newer layers check the accesses of shaders only with this setting; older layers always do.
  if (validate) setenv("VK_LAYER_SYNCVAL_SHADER_ACCESSES_HEURISTIC", "1", 0);

  const VkValidationFeatureEnableEXT checks[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
  VkValidationFeaturesEXT features{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
  features.enabledValidationFeatureCount = 1;
  features.pEnabledValidationFeatures = checks;
  VkDebugUtilsMessengerCreateInfoEXT messenger{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT, &features};
  messenger.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  messenger.pfnUserCallback = on_message;

  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pApplicationName = name;
  application.apiVersion = VK_API_VERSION_1_2;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, validate ? &messenger : nullptr};
  if (portable) info.flags = VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;  // lists MoltenVK too
  info.pApplicationInfo = &application;
  info.enabledLayerCount = validate ? 1 : 0;
  info.ppEnabledLayerNames = &kValidationLayer;
  info.enabledExtensionCount = uint32_t(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  if (vkCreateInstance(&info, nullptr, &instance) != VK_SUCCESS) fail("no Vulkan instance: is a driver installed?");
  volkLoadInstanceOnly(instance);
  owned.add([this] { vkDestroyInstance(instance, nullptr); });
  if (!validate) return;
  messenger.pNext = nullptr;
  VkDebugUtilsMessengerEXT made = VK_NULL_HANDLE;
  check(vkCreateDebugUtilsMessengerEXT(instance, &messenger, nullptr, &made), "vkCreateDebugUtilsMessengerEXT");
  owned.add([this, made] { vkDestroyDebugUtilsMessengerEXT(instance, made, nullptr); });
}

void Gpu::choose_device(bool ray_queries) {
  uint32_t count = 0;
  vkEnumeratePhysicalDevices(instance, &count, nullptr);
  std::vector<VkPhysicalDevice> devices(count);
  vkEnumeratePhysicalDevices(instance, &count, devices.data());
  int best = 0;
  std::string without_ray_queries;
  for (VkPhysicalDevice candidate : devices) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(candidate, &properties);
    uint32_t found = 0;
    if (properties.apiVersion < VK_API_VERSION_1_2 || !find_family(candidate, surface, found)) continue;
    if (ray_queries && !has_ray_queries(candidate)) {
      without_ray_queries += std::string(without_ray_queries.empty() ? "" : ", ") + properties.deviceName;
      continue;
    }
    if (rank(properties.deviceType) > best) best = rank(properties.deviceType), physical = candidate, family = found;
  }
  if (!physical && !without_ray_queries.empty())
    throw Missing("no device has ray queries (VK_KHR_ray_query) among: " + without_ray_queries);
  if (!physical) fail("no device with Vulkan 1.2: install a driver (mesa-vulkan-drivers has one without a GPU)");
}

void Gpu::create_device(bool ray_queries) {
  const float priority = 1;
  VkDeviceQueueCreateInfo queue_info{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue_info.queueFamilyIndex = family;
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  std::vector<const char*> extensions;
  if (surface) extensions.push_back(VK_KHR_SWAPCHAIN_EXTENSION_NAME);
  if (has_device_extension(physical, kPortabilitySubset)) extensions.push_back(kPortabilitySubset);  // then it must be
  RayQueryFeatures enabled;
  enabled.queries.rayQuery = enabled.structures.accelerationStructure = enabled.core.bufferDeviceAddress = VK_TRUE;
  if (ray_queries) extensions.insert(extensions.end(), std::begin(kRayQueryExtensions), std::end(kRayQueryExtensions));
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, ray_queries ? &enabled.all : nullptr};
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue_info;
  info.enabledExtensionCount = uint32_t(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  check(vkCreateDevice(physical, &info, nullptr, &device), "vkCreateDevice");
  volkLoadDevice(device);
  owned.add([this] { vkDestroyDevice(device, nullptr); });
  vkGetDeviceQueue(device, family, 0, &queue);
  set_name(VK_OBJECT_TYPE_DEVICE, device, "device");
  set_name(VK_OBJECT_TYPE_QUEUE, queue, "queue");

  VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = family;
  check(vkCreateCommandPool(device, &pool, nullptr, &commands), "vkCreateCommandPool");
  set_name(VK_OBJECT_TYPE_COMMAND_POOL, commands, "command pool");
  owned.add([this] { vkDestroyCommandPool(device, commands, nullptr); });

  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4096},
                                        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1024},
                                        {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 64}};
  VkDescriptorPoolCreateInfo descriptor_info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  descriptor_info.maxSets = 1024;
  descriptor_info.poolSizeCount = ray_queries ? 3 : 2;  // the last type needs the extension
  descriptor_info.pPoolSizes = sizes;
  check(vkCreateDescriptorPool(device, &descriptor_info, nullptr, &descriptors), "vkCreateDescriptorPool");
  set_name(VK_OBJECT_TYPE_DESCRIPTOR_POOL, descriptors, "descriptor pool");
  owned.add([this] { vkDestroyDescriptorPool(device, descriptors, nullptr); });
}

void Gpu::run_once(const std::function<void(VkCommandBuffer)>& record) const {
  VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, commands};
  allocate.commandBufferCount = 1;
  VkCommandBuffer cmd = VK_NULL_HANDLE;
  check(vkAllocateCommandBuffers(device, &allocate, &cmd), "vkAllocateCommandBuffers");
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
  record(cmd);
  check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &cmd;
  check(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  check(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
  vkFreeCommandBuffers(device, commands, 1, &cmd);
}

void Gpu::set_name(VkObjectType type, uint64_t object, const std::string& name) const {
  if (!debug_utils) return;
  VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
  info.objectType = type;
  info.objectHandle = object;
  info.pObjectName = name.c_str();
  vkSetDebugUtilsObjectNameEXT(device, &info);
}

void Gpu::begin_label(VkCommandBuffer cmd, const char* name) const {
  if (!debug_utils) return;
  const VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, name, {0.25f, 0.5f, 0.9f, 1}};
  vkCmdBeginDebugUtilsLabelEXT(cmd, &label);
}

void Gpu::end_label(VkCommandBuffer cmd) const {
  if (debug_utils) vkCmdEndDebugUtilsLabelEXT(cmd);
}

}  // namespace host
