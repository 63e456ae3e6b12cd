#define VK_ENABLE_BETA_EXTENSIONS  // VK_KHR_portability_subset
#include "host/device.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "host/system.h"

namespace host {

std::string version_text(uint32_t version) {
  return std::to_string(VK_API_VERSION_MAJOR(version)) + "." + std::to_string(VK_API_VERSION_MINOR(version)) + "." +
         std::to_string(VK_API_VERSION_PATCH(version));
}

namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

std::atomic<uint32_t> g_messages{0};

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                          VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
  const char* kind = severity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT ? "error" : "warning";
  auto& log = *static_cast<ValidationLog*>(user);
  const std::lock_guard lock(log.mutex);
  log.messages.emplace_back(data->pMessage);
  ++g_messages;
  std::fprintf(stderr, "validation %s: %s\n", kind, data->pMessage);
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messenger_info(ValidationLog* log) {
  VkDebugUtilsMessengerCreateInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  info.pfnUserCallback = on_message;
  info.pUserData = log;
  return info;
}

bool has_layer(const char* name) {
  const auto layers = list_of<VkLayerProperties>(vkEnumerateInstanceLayerProperties);
  return std::any_of(layers.begin(), layers.end(),
                     [&](const VkLayerProperties& layer) { return std::strcmp(layer.layerName, name) == 0; });
}

bool has_extension(const std::vector<VkExtensionProperties>& extensions, const char* name) {
  return std::any_of(extensions.begin(), extensions.end(), [&](const VkExtensionProperties& extension) {
    return std::strcmp(extension.extensionName, name) == 0;
  });
}

bool has_instance_extension(const char* name, const char* layer) {
  return has_extension(list_of<VkExtensionProperties>(vkEnumerateInstanceExtensionProperties, layer), name);
}

Status load_vulkan(const InstanceOptions& options) {
  if (volkInitialize() != VK_SUCCESS)
    return Error{ErrorCode::kUnsupported, std::string("no Vulkan loader ") + kLoaderAdvice};
  if (volkGetInstanceVersion() < VK_API_VERSION_1_2) {
    return Error{ErrorCode::kUnsupported,
                 "the Vulkan loader knows only " + version_text(volkGetInstanceVersion()) + ", and 1.2 is needed"};
  }
  if (options.validate && !has_layer(kValidationLayer)) {
    return Error{ErrorCode::kUnsupported, std::string("validation asked for, but there is no ") + kValidationLayer +
                                              ": install " + kLayersPackage};
  }
  return {};
}

bool has(const QueueFamily& family, VkQueueFlags flags) { return (family.flags & flags) == flags; }

}  // namespace

Instance::Instance(Instance&& other) noexcept { *this = std::move(other); }

Instance& Instance::operator=(Instance&& other) noexcept {
  std::swap(handle, other.handle);
  std::swap(messenger, other.messenger);
  std::swap(debug_utils, other.debug_utils);
  std::swap(log, other.log);
  return *this;
}

Instance::~Instance() {
  if (messenger) vkDestroyDebugUtilsMessengerEXT(handle, messenger, nullptr);
  if (handle) vkDestroyInstance(handle, nullptr);
}

void set_validation_environment() { set_environment("VK_LAYER_SYNCVAL_SHADER_ACCESSES_HEURISTIC", "1"); }

Result<Instance> create_instance(const InstanceOptions& options) {
  if (Status loaded = load_vulkan(options); !loaded) return loaded.error();
  Instance instance;
  if (options.validate) instance.log = std::make_unique<ValidationLog>();
  instance.debug_utils =
      has_instance_extension(VK_EXT_DEBUG_UTILS_EXTENSION_NAME, nullptr) ||
      (options.validate && has_instance_extension(VK_EXT_DEBUG_UTILS_EXTENSION_NAME, kValidationLayer));
  std::vector<const char*> extensions(options.window_extensions.begin(), options.window_extensions.end());
  if (instance.debug_utils) extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  if (options.validate) extensions.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
  const bool portability = has_instance_extension(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME, nullptr);
  if (portability) extensions.push_back(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);

  if (options.validate) set_validation_environment();
  const VkValidationFeatureEnableEXT barriers = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkValidationFeaturesEXT features{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
  features.enabledValidationFeatureCount = 1;
  features.pEnabledValidationFeatures = &barriers;
  VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(instance.log.get());
  messenger.pNext = &features;

  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pApplicationName = "sinew";
  application.apiVersion = VK_API_VERSION_1_2;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pNext = options.validate ? &messenger : nullptr;
  if (portability) info.flags = VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;  // without it MoltenVK is not listed
  info.pApplicationInfo = &application;
  info.enabledLayerCount = options.validate ? 1 : 0;
  info.ppEnabledLayerNames = &kValidationLayer;
  info.enabledExtensionCount = uint32_t(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  if (VkResult result = vkCreateInstance(&info, nullptr, &instance.handle); result != VK_SUCCESS)
    return vulkan_error("no Vulkan instance (is a driver installed?)", result);
  volkLoadInstanceOnly(instance.handle);
  if (options.validate) {
    messenger.pNext = nullptr;
    const VkResult result = vkCreateDebugUtilsMessengerEXT(instance.handle, &messenger, nullptr, &instance.messenger);
    if (result != VK_SUCCESS) return vulkan_error("messages of the validation layers", result);
  }
  return instance;
}

uint32_t validation_messages() { return g_messages; }

uint32_t validation_messages(const Instance& instance) {
  if (!instance.log) return 0;
  const std::lock_guard lock(instance.log->mutex);
  return uint32_t(instance.log->messages.size());
}

std::optional<QueueIndex> choose_queue(std::span<const QueueFamily> families) {
  for (uint32_t i = 0; i < families.size(); ++i) {
    if (has(families[i], VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT) && families[i].presents)
      return QueueIndex{i, 0, families[i].timestamp_bits};
  }
  return {};
}

std::optional<QueueIndex> choose_second_queue(std::span<const QueueFamily> families, const QueueIndex& first) {
  std::optional<QueueIndex> other_family;
  for (uint32_t i = 0; i < families.size(); ++i) {
    if (i == first.family || !has(families[i], VK_QUEUE_COMPUTE_BIT)) continue;
    const QueueIndex queue{i, 0, families[i].timestamp_bits};
    if (!has(families[i], VK_QUEUE_GRAPHICS_BIT)) return queue;
    if (!other_family) other_family = queue;
  }
  if (other_family || families[first.family].queue_count <= first.index + 1) return other_family;
  return QueueIndex{first.family, first.index + 1, first.timestamp_bits};
}

namespace {

const char* type_text(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return "cpu";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return "integrated";
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return "discrete";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return "virtual";
    default:
      return "other";
  }
}

std::string uuid_text(const uint8_t (&uuid)[VK_UUID_SIZE]) {
  std::string text;
  for (uint32_t i = 0; i < VK_UUID_SIZE; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", uuid[i]);
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += digits;
  }
  return text;
}

bool has_device_extension(VkPhysicalDevice physical, const char* name) {
  return has_extension(list_of<VkExtensionProperties>(vkEnumerateDeviceExtensionProperties, physical, nullptr), name);
}

std::vector<QueueFamily> queue_families(VkPhysicalDevice physical, VkSurfaceKHR surface) {
  const auto properties = list_of<VkQueueFamilyProperties>(vkGetPhysicalDeviceQueueFamilyProperties, physical);
  std::vector<QueueFamily> families;
  for (uint32_t i = 0; i < properties.size(); ++i) {
    VkBool32 presents = surface == VK_NULL_HANDLE;
    if (surface) vkGetPhysicalDeviceSurfaceSupportKHR(physical, i, surface, &presents);
    families.push_back(
        {properties[i].queueFlags, properties[i].queueCount, properties[i].timestampValidBits, presents == VK_TRUE});
  }
  return families;
}

/// Finds the queues, or adds to the device's problems.
void find_queues(DeviceInfo& info, VkSurfaceKHR surface) {
  std::vector<QueueFamily> families = queue_families(info.physical, surface);
  const auto queue = choose_queue(families);
  if (!queue) {
    for (QueueFamily& family : families) family.presents = true;
    info.problems.push_back(choose_queue(families) ? "cannot present to this window"
                                                   : "has no queue family with both graphics and compute");
    return;
  }
  info.queue_family = queue->family;
  info.timestamp_bits = queue->timestamp_bits;
  info.timestamps = queue->timestamp_bits > 0 && info.limits.timestampPeriod > 0;
  info.second_queue = choose_second_queue(families, *queue);
}

/// Some drivers append details to the name, and a blank even where there are no details.
std::string without_trailing_blanks(std::string name) {
  while (name.ends_with(' ')) name.pop_back();
  return name;
}

void read_properties(DeviceInfo& info) {
  VkPhysicalDeviceIDProperties ids{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
  VkPhysicalDeviceDriverProperties driver{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  properties.pNext = &ids;
  ids.pNext = &driver;
  vkGetPhysicalDeviceProperties2(info.physical, &properties);
  const VkPhysicalDeviceProperties& core = properties.properties;
  info.name = without_trailing_blanks(core.deviceName);
  info.type = type_text(core.deviceType);
  info.api = version_text(core.apiVersion);
  info.uuid = uuid_text(ids.deviceUUID);
  info.driver = std::string(driver.driverName) + (driver.driverInfo[0] ? " " : "") + driver.driverInfo;
  info.limits = core.limits;
  info.max_storage_buffer_bytes = core.limits.maxStorageBufferRange;
  const VkSampleCountFlags samples =
      core.limits.framebufferColorSampleCounts & core.limits.framebufferDepthSampleCounts;
  info.multisampling = samples & VK_SAMPLE_COUNT_4_BIT;
  if (core.apiVersion < VK_API_VERSION_1_2) info.problems.push_back("knows Vulkan " + info.api + ", and 1.2 is needed");
}

/// VK_EXT_calibrated_timestamps, with the CPU's clock. Only for a device with Vulkan 1.2.
bool has_calibrated_clock(VkPhysicalDevice physical) {
  if (!has_device_extension(physical, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME) ||
      !vkGetPhysicalDeviceCalibrateableTimeDomainsEXT)
    return false;
  uint32_t count = 0;
  if (vkGetPhysicalDeviceCalibrateableTimeDomainsEXT(physical, &count, nullptr) != VK_SUCCESS) return false;
  std::vector<VkTimeDomainEXT> domains(count);
  if (vkGetPhysicalDeviceCalibrateableTimeDomainsEXT(physical, &count, domains.data()) != VK_SUCCESS) return false;
  const auto has = [&](VkTimeDomainEXT domain) {
    return std::find(domains.begin(), domains.end(), domain) != domains.end();
  };
  return has(VK_TIME_DOMAIN_DEVICE_EXT) && has(kCpuTimeDomain);
}

bool has_buffer_addresses(VkPhysicalDevice physical) {
  VkPhysicalDeviceBufferDeviceAddressFeatures addresses{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &addresses};
  vkGetPhysicalDeviceFeatures2(physical, &features);
  return addresses.bufferDeviceAddress;
}

// Ray queries, and what they depend on.
constexpr const char* kRayQueryExtensions[] = {VK_KHR_RAY_QUERY_EXTENSION_NAME,
                                               VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                                               VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME};

/// Their features, as one list of structs. It points into itself: it stays where it was made.
struct RayQueryFeatures {
  RayQueryFeatures() = default;
  RayQueryFeatures(const RayQueryFeatures&) = delete;
  RayQueryFeatures& operator=(const RayQueryFeatures&) = delete;
  VkPhysicalDeviceRayQueryFeaturesKHR queries{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR};
  VkPhysicalDeviceAccelerationStructureFeaturesKHR structures{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR, &queries};
};

bool has_ray_queries(VkPhysicalDevice physical) {
  for (const char* name : kRayQueryExtensions) {
    if (!has_device_extension(physical, name)) return false;
  }
  RayQueryFeatures offered;
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &offered.structures};
  vkGetPhysicalDeviceFeatures2(physical, &features);
  return offered.queries.rayQuery && offered.structures.accelerationStructure;
}

/// Floats where the device draws into them, else 24 bits: the specification promises one of the two.
VkFormat choose_depth_format(VkPhysicalDevice physical) {
  VkFormatProperties floats;
  vkGetPhysicalDeviceFormatProperties(physical, VK_FORMAT_D32_SFLOAT, &floats);
  const bool drawn = floats.optimalTilingFeatures & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
  return drawn ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_X8_D24_UNORM_PACK32;
}

/// SINEW_FEATURES=none: the device is used as if it had no optional feature. For tests.
bool uses_features() {
  const char* value = std::getenv("SINEW_FEATURES");
  return !value || std::strcmp(value, "none") != 0;
}

DeviceInfo describe(VkPhysicalDevice physical, uint32_t index, VkSurfaceKHR surface) {
  DeviceInfo info;
  info.index = index;
  info.physical = physical;
  read_properties(info);
  VkPhysicalDeviceFeatures features{};
  if (uses_features()) vkGetPhysicalDeviceFeatures(physical, &features);
  info.multi_draw_indirect = features.multiDrawIndirect;
  info.draw_indirect_first_instance = features.drawIndirectFirstInstance;
  info.wireframe = features.fillModeNonSolid;
  info.depth_format = choose_depth_format(physical);
  info.calibrated_clock = info.problems.empty() && has_calibrated_clock(physical);
  info.buffer_addresses = uses_features() && info.problems.empty() && has_buffer_addresses(physical);
  info.ray_queries = info.buffer_addresses && has_ray_queries(physical);
  vkGetPhysicalDeviceMemoryProperties(physical, &info.memory);
  for (const VkMemoryHeap& heap : std::span(info.memory.memoryHeaps, info.memory.memoryHeapCount)) {
    if (heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) info.memory_bytes = std::max(info.memory_bytes, heap.size);
  }
  find_queues(info, surface);
  if (surface && !has_device_extension(physical, VK_KHR_SWAPCHAIN_EXTENSION_NAME))
    info.problems.push_back("has no swapchains");
  return info;
}

int rank(const DeviceInfo& info) {
  if (!info.problems.empty()) return -1;
  if (info.type == "discrete") return 4;
  if (info.type == "integrated") return 3;
  if (info.type == "virtual") return 2;
  return info.is_cpu() ? 0 : 1;
}

/// Of ASCII, whatever the locale.
std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char letter) { return letter >= 'A' && letter <= 'Z' ? char(letter - 'A' + 'a') : letter; });
  return text;
}

bool matches(const DeviceInfo& info, const std::string& wanted) {
  uint32_t index = 0;
  const char* end = wanted.data() + wanted.size();
  if (auto [stop, error] = std::from_chars(wanted.data(), end, index); error == std::errc{} && stop == end)
    return index == info.index;
  return lower(wanted) == info.uuid || lower(info.name).find(lower(wanted)) != std::string::npos;
}

std::string list_text(std::span<const DeviceInfo> devices) {
  std::string text;
  for (const DeviceInfo& info : devices)
    text += (text.empty() ? "" : ", ") + std::to_string(info.index) + " " + info.name;
  return text;
}

std::string problems_text(const DeviceInfo& info) {
  std::string text = "device " + std::to_string(info.index) + " (" + info.name + ")";
  for (size_t i = 0; i < info.problems.size(); ++i) text += (i ? " and " : " ") + info.problems[i];
  return text;
}

std::vector<VkDeviceQueueCreateInfo> queue_infos(const DeviceInfo& info) {
  static constexpr float kPriorities[] = {1, 1};
  VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueFamilyIndex = info.queue_family;
  queue.queueCount = 1;
  queue.pQueuePriorities = kPriorities;
  std::vector<VkDeviceQueueCreateInfo> queues = {queue};
  if (!info.second_queue) return queues;
  if (info.second_queue->family == info.queue_family) {
    queues[0].queueCount = 2;
    return queues;
  }
  queue.queueFamilyIndex = info.second_queue->family;
  queues.push_back(queue);
  return queues;
}

/// A device that runs on top of another API lacks parts of Vulkan. The parts that it has must be enabled.
void enable_portable_subset(const DeviceInfo& info, VkPhysicalDevicePortabilitySubsetFeaturesKHR& subset,
                            std::vector<const char*>& extensions, VkDeviceCreateInfo& create) {
  if (!has_device_extension(info.physical, VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME)) return;
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &subset};
  vkGetPhysicalDeviceFeatures2(info.physical, &features);
  extensions.push_back(VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME);
  subset.pNext = const_cast<void*>(create.pNext);
  create.pNext = &subset;
}

}  // namespace

Result<std::vector<DeviceInfo>> list_devices(const Instance& instance, VkSurfaceKHR surface) {
  uint32_t count = 0;
  if (VkResult result = vkEnumeratePhysicalDevices(instance.handle, &count, nullptr); result != VK_SUCCESS)
    return vulkan_error("Vulkan devices cannot be listed", result);
  std::vector<VkPhysicalDevice> handles(count);
  vkEnumeratePhysicalDevices(instance.handle, &count, handles.data());
  std::vector<DeviceInfo> devices;
  for (uint32_t i = 0; i < count; ++i) devices.push_back(describe(handles[i], i, surface));
  return devices;
}

Result<DeviceInfo> choose_device(std::span<const DeviceInfo> devices, const std::string& wanted) {
  if (devices.empty())
    return Error{ErrorCode::kNotFound, "no Vulkan device: install a driver (mesa-vulkan-drivers has a software one)"};
  const DeviceInfo* best = nullptr;
  for (const DeviceInfo& info : devices) {
    if (!wanted.empty() && !matches(info, wanted)) continue;
    if (!best || rank(info) > rank(*best)) best = &info;
  }
  if (!best) return Error{ErrorCode::kNotFound, "no device matches '" + wanted + "'; there is " + list_text(devices)};
  if (!best->problems.empty()) return Error{ErrorCode::kUnsupported, problems_text(*best)};
  return *best;
}

Device::Device(Device&& other) noexcept { *this = std::move(other); }

Device& Device::operator=(Device&& other) noexcept {
  std::swap(handle, other.handle);
  std::swap(queue, other.queue);
  std::swap(second_queue, other.second_queue);
  std::swap(pipeline_cache, other.pipeline_cache);
  std::swap(info, other.info);
  std::swap(instance, other.instance);
  std::swap(debug_utils, other.debug_utils);
  std::swap(buffer_addresses, other.buffer_addresses);
  std::swap(calibrated_clock, other.calibrated_clock);
  std::swap(pipeline_statistics, other.pipeline_statistics);
  std::swap(ray_queries, other.ray_queries);
  return *this;
}

Device::~Device() {
  if (pipeline_cache) vkDestroyPipelineCache(handle, pipeline_cache, nullptr);
  if (handle) vkDestroyDevice(handle, nullptr);
}

Result<Device> create_device(const Instance& instance, const DeviceInfo& info, const DeviceOptions& options) {
  VkPhysicalDeviceFeatures features{};
  features.multiDrawIndirect = info.multi_draw_indirect;
  features.drawIndirectFirstInstance = info.draw_indirect_first_instance;
  features.fillModeNonSolid = info.wireframe;
  VkPhysicalDeviceTimelineSemaphoreFeatures timelines{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
  timelines.timelineSemaphore = VK_TRUE;  // every device with Vulkan 1.2 supports them
  void* enabled = &timelines;
  const bool ray_queries = options.ray_queries && info.ray_queries;
  RayQueryFeatures rays;
  rays.queries.rayQuery = rays.structures.accelerationStructure = VK_TRUE;
  if (ray_queries) rays.queries.pNext = std::exchange(enabled, &rays.structures);
  const bool buffer_addresses = (options.buffer_addresses || ray_queries) && info.buffer_addresses;
  VkPhysicalDeviceBufferDeviceAddressFeatures addresses{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES, nullptr, VK_TRUE};
  if (buffer_addresses) addresses.pNext = std::exchange(enabled, &addresses);
  const bool pipeline_statistics =
      options.pipeline_statistics &&
      has_device_extension(info.physical, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR statistics{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, nullptr, VK_TRUE};
  if (pipeline_statistics) statistics.pNext = std::exchange(enabled, &statistics);
  const bool calibrated_clock = options.calibrated_clock && info.calibrated_clock;
  const std::vector<VkDeviceQueueCreateInfo> queues = queue_infos(info);
  std::vector<const char*> extensions;
  if (options.present) extensions.push_back(VK_KHR_SWAPCHAIN_EXTENSION_NAME);
  if (calibrated_clock) extensions.push_back(VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
  if (pipeline_statistics) extensions.push_back(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
  if (ray_queries) extensions.insert(extensions.end(), std::begin(kRayQueryExtensions), std::end(kRayQueryExtensions));
  VkDeviceCreateInfo create{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  create.pNext = enabled;
  create.queueCreateInfoCount = uint32_t(queues.size());
  create.pQueueCreateInfos = queues.data();
  create.pEnabledFeatures = &features;
  VkPhysicalDevicePortabilitySubsetFeaturesKHR subset{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PORTABILITY_SUBSET_FEATURES_KHR};
  enable_portable_subset(info, subset, extensions, create);
  create.enabledExtensionCount = uint32_t(extensions.size());
  create.ppEnabledExtensionNames = extensions.data();

  Device device;
  device.info = info;
  device.instance = instance.handle;
  device.debug_utils = instance.debug_utils;
  device.buffer_addresses = buffer_addresses;
  device.calibrated_clock = calibrated_clock;
  device.pipeline_statistics = pipeline_statistics;
  device.ray_queries = ray_queries;
  if (VkResult result = vkCreateDevice(info.physical, &create, nullptr, &device.handle); result != VK_SUCCESS)
    return vulkan_error("device " + info.name + " cannot be opened", result);
  volkLoadDevice(device.handle);
  vkGetDeviceQueue(device.handle, info.queue_family, 0, &device.queue);
  set_name(device, VK_OBJECT_TYPE_DEVICE, device.handle, "sinew.device");
  set_name(device, VK_OBJECT_TYPE_QUEUE, device.queue, "sinew.queue");
  if (const auto& second = info.second_queue) {
    vkGetDeviceQueue(device.handle, second->family, second->index, &device.second_queue);
    set_name(device, VK_OBJECT_TYPE_QUEUE, device.second_queue, "sinew.second_queue");
  }
  return device;
}

void set_name(const Device& device, VkObjectType type, uint64_t object, const std::string& name) {
  if (!device.debug_utils) return;
  VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
  info.objectType = type;
  info.objectHandle = object;
  info.pObjectName = name.c_str();
  vkSetDebugUtilsObjectNameEXT(device.handle, &info);
}

}  // namespace host
