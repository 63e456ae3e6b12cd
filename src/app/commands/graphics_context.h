// The Vulkan instance and device of `sinew crowd` and, with --window, the window and its surface.
#pragma once

#include <memory>

#include "commands/crowd_options.h"
#include "gpu/device.h"
#include "window/window.h"

namespace sinew::app {

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
  std::unique_ptr<Window> window;  // null without --window
  Instance instance;
  Surface surface;  // null without --window
  Device device;
};

/// Fills an empty `graphics`: opens the window where `options` have one, and creates the device that `options` choose.
/// Fails where there is no display, no Vulkan driver or no device that can be used.
Status set_up(const CrowdOptions& options, GraphicsContext& graphics);

}  // namespace sinew::app
