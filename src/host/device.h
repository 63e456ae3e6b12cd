// The Vulkan device: selection and optional features.
//
// volk loads Vulkan into its global function table: a process can use one device at a time. Required are Vulkan 1.2 and
// a queue family with graphics and compute; everything else is optional.
#pragma once

#include <volk.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/instance.h"
#include "host/queues.h"

namespace host {

/// The clock of now_ms() on Linux. Where it is another one, devices do not offer this one.
inline constexpr VkTimeDomainEXT kCpuTimeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;

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
  VkPipelineCache pipeline_cache = VK_NULL_HANDLE;  // owned; that pipelines are created with: host/pipeline_cache.h
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

/// Names an object for debuggers and validation messages. Does nothing without debug_utils.
void set_name(const Device& device, VkObjectType type, uint64_t object, const std::string& name);

template <class Object>
void set_name(const Device& device, VkObjectType type, Object object, const std::string& name) {
  set_name(device, type, reinterpret_cast<uint64_t>(object), name);
}

}  // namespace host
