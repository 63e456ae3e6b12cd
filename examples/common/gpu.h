// The Vulkan device of an example: Vulkan 1.2, one queue, no optional feature unless the example asks for ray queries.
#pragma once

#include <volk.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/window.h"

namespace host {

/// Fails with what could not be done, unless `result` is a success.
void check(VkResult result, const char* what);

/// The number of messages of the validation layer so far. Each was printed.
uint32_t validation_messages();

/// A list of things to free, the last one first.
class Owner {
 public:
  Owner() = default;
  ~Owner() { free_all(); }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;

  void add(std::function<void()> free) { list_.push_back(std::move(free)); }
  void free_all();

 private:
  std::vector<std::function<void()>> list_;
};

/// Instance, device and queue. What the examples make once is freed with it.
struct Gpu {
  /// `window` is null, or outlives the device. `ray_queries`: buffer addresses, acceleration structures and
  /// VK_KHR_ray_query are enabled; throws Missing if no device has them.
  Gpu(const char* name, bool validate, const Window* window, bool ray_queries = false);
  ~Gpu();

  /// Records commands, submits them and waits until they have completed.
  void run_once(const std::function<void(VkCommandBuffer)>& record) const;

  /// Names an object for RenderDoc and the validation layer. Does nothing without debug_utils.
  template <class Object>
  void set_name(VkObjectType type, Object object, const std::string& name) const {
    set_name(type, reinterpret_cast<uint64_t>(object), name);
  }
  void set_name(VkObjectType type, uint64_t object, const std::string& name) const;

  /// A label around commands, in RenderDoc's list of events. Does nothing without debug_utils.
  void begin_label(VkCommandBuffer cmd, const char* name) const;
  void end_label(VkCommandBuffer cmd) const;

  VkInstance instance = VK_NULL_HANDLE;
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  uint32_t family = 0;       // of the queue: graphics and compute
  bool debug_utils = false;  // VK_EXT_debug_utils is enabled: names and labels have an effect
  VkCommandPool commands = VK_NULL_HANDLE;
  VkDescriptorPool descriptors = VK_NULL_HANDLE;
  Owner owned;

 private:
  void create_instance(const char* name, bool validate, const Window* window);
  void choose_device(bool ray_queries);
  void create_device(bool ray_queries);
};

}  // namespace host
