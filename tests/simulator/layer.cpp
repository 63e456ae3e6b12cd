// The layer: negotiation with the loader, instances and devices, and the table of functions that it replaces.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "chain.h"
#include "lost.h"

namespace sinew::simulator {
namespace {

/// The loader stores the address of a dispatch table first in every dispatchable object; those of one device share it.
void* dispatch_of(const void* handle) { return *static_cast<void* const*>(handle); }

std::mutex g_mutex;
std::map<void*, std::unique_ptr<Instance>> g_instances;
std::map<void*, std::unique_ptr<Device>> g_devices;

/// The profile that the environment names; the real device where it names none. Null where there is no such profile.
const Profile* chosen_profile() {
  static const Profile kReal = {.name = "none"};
  const char* name = std::getenv("SINEW_DEVICE_PROFILE");
  if (name == nullptr || *name == '\0') return &kReal;
  if (const Profile* found = find_profile(name)) return found;
  std::string names;
  for (const Profile& profile : profiles()) names += std::string(names.empty() ? "" : ", ") + profile.name;
  std::fprintf(stderr, "SINEW_DEVICE_PROFILE: no profile '%s'; there is %s\n", name, names.c_str());
  return nullptr;
}

template <class Info>
Info* link_of(const void* chain, VkStructureType type, VkLayerFunction function) {
  auto* link = find_in_chain<Info>(chain, type);
  while (link != nullptr && link->function != function) link = find_in_chain<Info>(link->pNext, type);
  return link;
}

VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* callbacks,
                                               VkInstance* handle) {
  auto* link = link_of<VkLayerInstanceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO,
                                                  VK_LAYER_LINK_INFO);
  const Profile* const profile = chosen_profile();
  if (link == nullptr || profile == nullptr || !read_lost_call()) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const PFN_GetPhysicalDeviceProcAddr get_physical = link->u.pLayerInfo->pfnNextGetPhysicalDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto create = PFN_vkCreateInstance(get(VK_NULL_HANDLE, "vkCreateInstance"));
  if (const VkResult result = create(info, callbacks, handle); result != VK_SUCCESS) return result;
  Instance& instance = add_instance(*handle);
  instance.profile = profile;
  instance.get = get;
  instance.get_physical = get_physical;
#define SIMULATOR_LOAD(name) instance.name = PFN_vk##name(get(*handle, "vk" #name));
  SIMULATOR_INSTANCE_FUNCTIONS(SIMULATOR_LOAD)
#undef SIMULATOR_LOAD
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance handle, const VkAllocationCallbacks* callbacks) {
  if (handle == VK_NULL_HANDLE) return;
  const auto destroy = instance_of(handle).DestroyInstance;
  remove_instance(handle);
  destroy(handle, callbacks);
}

/// What the real device is created with: without the extension that it lacks, with its own queue.
struct RealDeviceInfo {
  std::vector<const char*> extensions;
  VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  VkDeviceCreateInfo info;

  RealDeviceInfo(const Profile& profile, const VkDeviceCreateInfo& asked) : info(asked) {
    for (const char* name : std::span(asked.ppEnabledExtensionNames, asked.enabledExtensionCount)) {
      if (!profile.portability || std::strcmp(name, VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME) != 0)
        extensions.push_back(name);
    }
    info.enabledExtensionCount = uint32_t(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    if (profile.families.empty()) return;
    static constexpr float kPriority = 1;
    queue.queueCount = 1;
    queue.pQueuePriorities = &kPriority;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
  }
};

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* callbacks, VkDevice* handle) {
  constexpr VkStructureType kLoader = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO;
  auto* link = link_of<VkLayerDeviceCreateInfo>(info->pNext, kLoader, VK_LAYER_LINK_INFO);
  auto* data = link_of<VkLayerDeviceCreateInfo>(info->pNext, kLoader, VK_LOADER_DATA_CALLBACK);
  if (link == nullptr || data == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const Instance& instance = instance_of(physical);
  const PFN_vkGetDeviceProcAddr get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  const auto create =
      PFN_vkCreateDevice(link->u.pLayerInfo->pfnNextGetInstanceProcAddr(instance.handle, "vkCreateDevice"));
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const RealDeviceInfo real(*instance.profile, *info);
  if (const VkResult result = create(physical, &real.info, callbacks, handle); result != VK_SUCCESS) return result;
  Device& device = add_device(*handle);
  device.handle = *handle;
  device.profile = instance.profile;
  device.get = get;
  device.set_loader_data = data->u.pfnSetDeviceLoaderData;
#define SIMULATOR_LOAD(name) device.name = PFN_vk##name(get(*handle, "vk" #name));
  SIMULATOR_DEVICE_FUNCTIONS(SIMULATOR_LOAD)
#undef SIMULATOR_LOAD
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL destroy_device(VkDevice handle, const VkAllocationCallbacks* callbacks) {
  if (handle == VK_NULL_HANDLE) return;
  const auto destroy = device_of(handle).DestroyDevice;
  remove_device(handle);
  destroy(handle, callbacks);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_function(VkInstance instance, const char* name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_function(VkDevice device, const char* name);

std::span<const Entry> own_entries() {
  static const Entry kEntries[] = {{"vkCreateInstance", PFN_vkVoidFunction(create_instance)},
                                   {"vkDestroyInstance", PFN_vkVoidFunction(destroy_instance)},
                                   {"vkCreateDevice", PFN_vkVoidFunction(create_device)},
                                   {"vkDestroyDevice", PFN_vkVoidFunction(destroy_device)},
                                   {"vkGetInstanceProcAddr", PFN_vkVoidFunction(get_instance_function)},
                                   {"vkGetDeviceProcAddr", PFN_vkVoidFunction(get_device_function)}};
  return kEntries;
}

PFN_vkVoidFunction find_entry(const char* name) {
  for (const auto& entries :
       {own_entries(), query_entries(), memory_entries(), queue_entries(), timestamp_entries(), wait_entries()}) {
    for (const Entry& entry : entries) {
      if (std::strcmp(entry.name, name) == 0) return entry.function;
    }
  }
  return nullptr;
}

/// The layer's function where the chain below has one of the name.
PFN_vkVoidFunction replaced(const char* name, PFN_vkVoidFunction below) {
  const PFN_vkVoidFunction own = below != nullptr ? find_entry(name) : nullptr;
  return own != nullptr ? own : below;
}

PFN_vkVoidFunction get_instance_function(VkInstance instance, const char* name) {
  if (instance == VK_NULL_HANDLE) return find_entry(name);
  return replaced(name, instance_of(instance).get(instance, name));
}

PFN_vkVoidFunction get_device_function(VkDevice device, const char* name) {
  return replaced(name, device_of(device).get(device, name));
}

/// Only for functions of physical devices.
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_physical_function(VkInstance instance, const char* name) {
  const PFN_GetPhysicalDeviceProcAddr below = instance_of(instance).get_physical;
  return replaced(name, below != nullptr ? below(instance, name) : nullptr);
}

}  // namespace

Instance& instance_of(const void* handle) {
  const std::lock_guard lock(g_mutex);
  return *g_instances.at(dispatch_of(handle));
}

Device& device_of(const void* handle) {
  const std::lock_guard lock(g_mutex);
  return *g_devices.at(dispatch_of(handle));
}

const Profile& profile_of(const void* handle) { return *instance_of(handle).profile; }

Instance& add_instance(VkInstance instance) {
  const std::lock_guard lock(g_mutex);
  auto& added = g_instances[dispatch_of(instance)] = std::make_unique<Instance>();
  added->handle = instance;
  return *added;
}

void remove_instance(VkInstance instance) {
  const std::lock_guard lock(g_mutex);
  g_instances.erase(dispatch_of(instance));
}

Device& add_device(VkDevice device) {
  const std::lock_guard lock(g_mutex);
  return *(g_devices[dispatch_of(device)] = std::make_unique<Device>());
}

void remove_device(VkDevice device) {
  const std::lock_guard lock(g_mutex);
  g_devices.erase(dispatch_of(device));
}

}  // namespace sinew::simulator

extern "C" __attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* interface) {
  using namespace sinew::simulator;
  if (interface->loaderLayerInterfaceVersion < CURRENT_LOADER_LAYER_INTERFACE_VERSION) {
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  interface->loaderLayerInterfaceVersion = CURRENT_LOADER_LAYER_INTERFACE_VERSION;
  interface->pfnGetInstanceProcAddr = get_instance_function;
  interface->pfnGetDeviceProcAddr = get_device_function;
  interface->pfnGetPhysicalDeviceProcAddr = get_physical_function;
  return VK_SUCCESS;
}
