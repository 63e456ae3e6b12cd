// Instance and device: which one, with what switched on, and what validation has to say.
//
// volk loads Vulkan here, into its global table: one device at a time in a process. Everything is optional but
// Vulkan 1.2 and a queue family with graphics and compute.
#pragma once

#include <volk.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/queues.h"
#include "sinew/asset/result.h"

namespace sinew::app {

/// What the validation layers said. Filled from any thread; each message is printed to standard error as it comes.
struct ValidationLog {
  std::mutex mutex;
  std::vector<std::string> messages;
};

struct InstanceOptions {
  bool validate = false;                           // core and barriers validation; fails where they are missing
  std::span<const char* const> window_extensions;  // what the window system needs; empty when headless
};

/// Move-only; must outlive devices and surfaces made from it.
struct Instance {
  VkInstance handle = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  bool debug_utils = false;            // names and labels are seen by somebody
  std::unique_ptr<ValidationLog> log;  // null unless validating

  Instance() = default;
  Instance(Instance&& other) noexcept;
  Instance& operator=(Instance&& other) noexcept;
  ~Instance();
};

/// Loads Vulkan and creates the instance. Fails with words where there is no Vulkan at all.
Result<Instance> create_instance(const InstanceOptions& options);

/// Messages so far. 0 unless validating.
uint32_t validation_messages(const Instance& instance);

/// One physical device, as a user chooses it and as a report names it.
struct DeviceInfo {
  uint32_t index = 0;
  std::string name, type, driver, api, uuid;  // type: cpu, integrated, discrete, virtual or other; api: 1.3.230
  std::vector<std::string> problems;          // why it will not do; empty: it will
  uint64_t memory_bytes = 0;                  // of the largest device-local heap
  uint64_t max_storage_buffer_bytes = 0;
  bool timestamps = false;  // stages can be timed
  bool multi_draw_indirect = false, draw_indirect_first_instance = false;
  bool multisampling = false;  // 4 samples

  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkPhysicalDeviceLimits limits{};
  VkPhysicalDeviceMemoryProperties memory{};
  uint32_t queue_family = 0;               // graphics and compute, and presents where a surface was given
  uint32_t timestamp_bits = 0;             // of that family
  std::optional<QueueIndex> second_queue;  // computes beside it

  bool is_cpu() const { return type == "cpu"; }
};

/// All devices, in the loader's order. With a `surface`, a device must also be able to present to it.
Result<std::vector<DeviceInfo>> list_devices(const Instance& instance, VkSurfaceKHR surface = VK_NULL_HANDLE);

/// The device that `wanted` names: an index, a UUID, or a part of the name in any case. Empty: the fastest kind that
/// will do. The error says what there is.
Result<DeviceInfo> choose_device(std::span<const DeviceInfo> devices, const std::string& wanted);

/// Move-only; everything made from it must be gone before it is.
struct Device {
  VkDevice handle = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  VkQueue second_queue = VK_NULL_HANDLE;  // null where info has none
  DeviceInfo info;
  VkInstance instance = VK_NULL_HANDLE;
  bool debug_utils = false;

  Device() = default;
  Device(Device&& other) noexcept;
  Device& operator=(Device&& other) noexcept;
  ~Device();
};

/// The queues of `info`; its optional features that exist are on, and swapchains where `present`.
Result<Device> create_device(const Instance& instance, const DeviceInfo& info, bool present = false);

/// Names an object for debuggers and validation messages. Free where nobody listens.
void set_name(const Device& device, VkObjectType type, uint64_t object, const std::string& name);

template <class Object>
void set_name(const Device& device, VkObjectType type, Object object, const std::string& name) {
  set_name(device, type, reinterpret_cast<uint64_t>(object), name);
}

/// "what: VK_ERROR_…" as an Error; the code says whether memory, the device or something else failed.
Error vulkan_error(const std::string& what, VkResult result);

}  // namespace sinew::app
