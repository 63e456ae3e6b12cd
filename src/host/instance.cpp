#include "host/instance.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

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
  uint32_t count = 0;
  vkEnumerateInstanceLayerProperties(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  vkEnumerateInstanceLayerProperties(&count, layers.data());
  return std::any_of(layers.begin(), layers.end(),
                     [&](const VkLayerProperties& layer) { return std::strcmp(layer.layerName, name) == 0; });
}

bool has_instance_extension(const char* name, const char* layer) {
  uint32_t count = 0;
  vkEnumerateInstanceExtensionProperties(layer, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vkEnumerateInstanceExtensionProperties(layer, &count, extensions.data());
  return std::any_of(extensions.begin(), extensions.end(), [&](const VkExtensionProperties& extension) {
    return std::strcmp(extension.extensionName, name) == 0;
  });
}

Status load_vulkan(const InstanceOptions& options) {
  if (volkInitialize() != VK_SUCCESS)
    return Error{ErrorCode::kUnsupported, "no Vulkan loader (libvulkan.so.1): install libvulkan1 and a driver"};
  if (volkGetInstanceVersion() < VK_API_VERSION_1_2) {
    return Error{ErrorCode::kUnsupported,
                 "the Vulkan loader knows only " + version_text(volkGetInstanceVersion()) + ", and 1.2 is needed"};
  }
  if (options.validate && !has_layer(kValidationLayer)) {
    return Error{ErrorCode::kUnsupported, std::string("validation asked for, but there is no ") + kValidationLayer +
                                              ": install vulkan-validationlayers"};
  }
  return {};
}

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

  // Newer layers check the memory accesses of shaders only with this setting; older layers always check them.
  if (options.validate) setenv("VK_LAYER_SYNCVAL_SHADER_ACCESSES_HEURISTIC", "1", 0);
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

}  // namespace host
