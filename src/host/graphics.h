// Window, instance and device of a program, in one call.
#pragma once

#include <memory>
#include <string>

#include "host/device.h"
#include "host/window.h"

namespace host {

/// Owns `handle`, where it is not null; `instance` must outlive it.
struct Surface {
  VkInstance instance = VK_NULL_HANDLE;
  VkSurfaceKHR handle = VK_NULL_HANDLE;

  ~Surface() {
    if (handle) vkDestroySurfaceKHR(instance, handle, nullptr);
  }
};

/// Members are destroyed in reverse order, as Vulkan requires: device, surface, instance, window.
struct GraphicsContext {
  std::unique_ptr<Window> window;  // null without one
  Instance instance;
  Surface surface;  // null without a window
  Device device;
};

struct GraphicsOptions {
  std::string device;  // as choose_device() takes it
  bool validate = false;
  bool buffer_addresses = false, calibrated_clock = false;  // as DeviceOptions has them
  bool ray_queries = false;  // as DeviceOptions has them; a device that offers them is preferred to all others
  std::string title;         // of the window; empty: no window
  uint32_t width = 1280, height = 720;
};

/// Fills an empty `graphics`: opens the window if there is a title, and creates the device that `options` choose. Fails
/// where there is no display, no Vulkan driver or no device that can be used.
Status set_up(const GraphicsOptions& options, GraphicsContext& graphics);

/// Fails if the validation layers reported messages.
Status check_messages(const GraphicsContext& graphics);

}  // namespace host
