// The window, if there is one, and Vulkan behind it, in the order in which they must go.
#pragma once

#include <memory>

#include "commands/crowd_options.h"
#include "gpu/device.h"
#include "window/window.h"

namespace sinew::app {

struct Surface {
  VkInstance instance = VK_NULL_HANDLE;
  VkSurfaceKHR handle = VK_NULL_HANDLE;

  ~Surface() {
    if (handle) vkDestroySurfaceKHR(instance, handle, nullptr);
  }
};

struct GraphicsContext {
  std::unique_ptr<Window> window;
  Instance instance;
  Surface surface;
  Device device;
};

Status set_up(const CrowdOptions& options, GraphicsContext& stage);

}  // namespace sinew::app
