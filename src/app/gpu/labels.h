// Debug labels in a command buffer, for RenderDoc and similar tools.
#pragma once

#include <string>

#include "gpu/device.h"

namespace sinew::app {

/// A label from construction to destruction. Does nothing without debug_utils.
class Label {
 public:
  Label(const Device& device, VkCommandBuffer cmd, const std::string& name, float red, float green, float blue)
      : cmd_(device.debug_utils ? cmd : VK_NULL_HANDLE) {
    if (!cmd_) return;
    const VkDebugUtilsLabelEXT label{
        VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, name.c_str(), {red, green, blue, 1}};
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

}  // namespace sinew::app
