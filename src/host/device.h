// The Vulkan instance, the device and its queues: selection and optional features, names and labels for debuggers.
//
// volk loads Vulkan into its global function table: a process can use one device at a time. Required are Vulkan 1.2 and
// a queue family with graphics and compute; everything else is optional.
#pragma once

#include <volk.h>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/prints.h"
#include "host/put.h"
#include "sinew/asset/result.h"
#include "sinew/vulkan/vulkan_error.h"

namespace host {

using sinew::Error, sinew::ErrorCode, sinew::Result, sinew::Status;
using sinew::vulkan::vulkan_error;

/// Messages of the validation layers, added from any thread. Each message is also printed to standard error at once.
struct ValidationLog {
  std::mutex mutex;
  std::vector<std::string> messages;
};

struct InstanceOptions {
  bool validate = false;                           // core and synchronization validation; fails without the layer
  std::span<const char* const> window_extensions;  // instance extensions for the window; empty without a window
};

/// Move-only. Must outlive devices and surfaces created from it.
struct Instance {
  VkInstance handle = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  bool debug_utils = false;            // VK_EXT_debug_utils is enabled: names and labels have an effect
  std::unique_ptr<ValidationLog> log;  // null unless validating

  Instance() = default;
  Instance(Instance&& other) noexcept;
  Instance& operator=(Instance&& other) noexcept;
  ~Instance();
};

/// A variable of the environment, unless it is set: newer layers check the memory accesses of shaders only with it.
/// create_instance() sets it too. Call this first where other threads read the environment by then: those that start
/// processes do.
void set_validation_environment();

/// Loads Vulkan and creates the instance. The error says what is missing: the loader, a driver, Vulkan 1.2, or the
/// validation layer.
Result<Instance> create_instance(const InstanceOptions& options);

/// The number of validation messages so far; 0 unless validating. Any thread may call it. Without an instance: of all
/// instances of the process, those included that are destroyed.
uint32_t validation_messages(const Instance& instance);
uint32_t validation_messages();

/// A version of Vulkan, as "1.3.230".
std::string version_text(uint32_t version);

// Which queues of a device are used. The input is plain lists, so that tests need no device.

struct QueueFamily {
  VkQueueFlags flags = 0;
  uint32_t queue_count = 1;
  uint32_t timestamp_bits = 0;  // valid bits; 0: no timestamps
  bool presents = true;         // to the window; true without a window
};

/// One queue of a device: the family, and the index in it.
struct QueueIndex {
  uint32_t family = 0, index = 0;
  uint32_t timestamp_bits = 0;
};

/// The queue for graphics, compute and presenting: of the first family with all three. Empty where there is none.
std::optional<QueueIndex> choose_queue(std::span<const QueueFamily> families);

/// The queue for compute in parallel with `first`: of a family without graphics, else of another family with compute,
/// else of the family of `first`. Empty where there is no second queue.
std::optional<QueueIndex> choose_second_queue(std::span<const QueueFamily> families, const QueueIndex& first);

// The Vulkan device: selection and optional features.
//
// volk loads Vulkan into its global function table: a process can use one device at a time. Required are Vulkan 1.2 and
// a queue family with graphics and compute; everything else is optional.

/// A physical device, as users choose it and as reports name it.
struct DeviceInfo {
  uint32_t index = 0;
  std::string name, type, driver, api, uuid;  // type: cpu, integrated, discrete, virtual or other; api: as 1.3.230
  std::vector<std::string> problems;          // why the device cannot be used; empty: it can
  uint64_t memory_bytes = 0;                  // of the largest device-local heap
  uint64_t max_storage_buffer_bytes = 0;
  bool timestamps = false;  // the queue writes timestamps
  bool multi_draw_indirect = false, draw_indirect_first_instance = false;
  VkFormat depth_format = VK_FORMAT_D32_SFLOAT;  // every device has one of two
  bool wireframe = false;                        // draws the edges of triangles only
  bool buffer_addresses = false;                 // offered: shaders can read buffers by address
  bool ray_queries = false;                      // offered: shaders trace rays through acceleration structures
  bool multisampling = false;                    // 4 samples for color and depth
  bool calibrated_clock = false;                 // offered: reads its clock and the CPU's together

  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkPhysicalDeviceLimits limits{};
  VkPhysicalDeviceMemoryProperties memory{};
  uint32_t queue_family = 0;               // graphics and compute; presents too where a surface was given
  uint32_t timestamp_bits = 0;             // valid bits of that family's timestamps
  std::optional<QueueIndex> second_queue;  // for compute in parallel with the first queue

  bool is_cpu() const { return type == "cpu"; }
  /// Device-local memory is not the CPU's.
  bool has_own_memory() const { return !is_cpu() && type != "integrated"; }
};

/// All devices, in the loader's order, with their problems. With a `surface` a device must be able to present to it.
Result<std::vector<DeviceInfo>> list_devices(const Instance& instance, VkSurfaceKHR surface = VK_NULL_HANDLE);

/// The device that `wanted` names: an index, a UUID, or a part of the name, case-insensitive. Empty: any. Of several
/// devices the best type without problems: discrete, integrated, virtual, other, cpu. The error lists the devices, or
/// the problems of the best.
Result<DeviceInfo> choose_device(std::span<const DeviceInfo> devices, const std::string& wanted);

/// What a device is created for.
struct DeviceOptions {
  bool present = false;  // swapchains
  /// Where the device has them. Not for all devices: under RenderDoc a device that cannot replay them cannot be created
  /// with them.
  bool buffer_addresses = false;
  bool calibrated_clock = false;     // where the device has it
  bool pipeline_statistics = false;  // where the device has them: what its compiler makes of a shader
  bool ray_queries = false;          // where the device has them; buffer addresses too
};

/// Move-only. Everything created from it must be destroyed first.
struct Device {
  VkDevice handle = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  VkQueue second_queue = VK_NULL_HANDLE;            // null where `info` has no second queue
  VkPipelineCache pipeline_cache = VK_NULL_HANDLE;  // owned; that pipelines are created with: host/pipeline.h
  DeviceInfo info;
  VkInstance instance = VK_NULL_HANDLE;
  bool debug_utils = false;
  bool buffer_addresses = false;     // enabled
  bool calibrated_clock = false;     // enabled
  bool pipeline_statistics = false;  // enabled
  bool ray_queries = false;          // enabled

  Device() = default;
  Device(Device&& other) noexcept;
  Device& operator=(Device&& other) noexcept;
  ~Device();
};

/// Creates the device with the queues of `info`. Enables the optional features that it has, and those of `options`.
Result<Device> create_device(const Instance& instance, const DeviceInfo& info, const DeviceOptions& options = {});

/// What one of Vulkan's functions lists. Its errors are not seen.
template <class Item, class Call, class... Given>
std::vector<Item> list_of(Call* call, Given... given) {
  uint32_t count = 0;
  call(given..., &count, nullptr);
  std::vector<Item> items(count);
  call(given..., &count, items.data());
  return items;
}

/// Names an object for debuggers and validation messages. Does nothing without debug_utils.
void set_name(const Device& device, VkObjectType type, uint64_t object, const std::string& name);

template <class Object>
void set_name(const Device& device, VkObjectType type, Object object, const std::string& name) {
  set_name(device, type, reinterpret_cast<uint64_t>(object), name);
}

// Debug labels in a command buffer, for RenderDoc and similar tools.

struct LabelColor {
  float red = 0.25f, green = 0.50f, blue = 0.90f;
};

/// A label from construction to destruction. Its text is made as printf() does, without the heap. Does nothing without
/// debug_utils.
class Label {
 public:
  SINEW_PRINTS(5, 6)
  Label(const Device& device, VkCommandBuffer cmd, const LabelColor& color, const char* format, ...)
      : cmd_(device.debug_utils ? cmd : VK_NULL_HANDLE) {
    if (!cmd_) return;
    char text[96];
    va_list values;
    va_start(values, format);
    std::vsnprintf(text, sizeof text, format, values);
    va_end(values);
    const VkDebugUtilsLabelEXT label{
        VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, text, {color.red, color.green, color.blue, 1}};
    vkCmdBeginDebugUtilsLabelEXT(cmd_, &label);
  }
  ~Label() {
    if (cmd_) vkCmdEndDebugUtilsLabelEXT(cmd_);
  }
  Label(const Label&) = delete;
  Label& operator=(const Label&) = delete;

 private:
  VkCommandBuffer cmd_;
};

}  // namespace host
