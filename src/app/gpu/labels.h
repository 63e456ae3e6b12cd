// Debug labels in a command buffer, for RenderDoc and similar tools.
#pragma once

#include <cstdint>
#include <cstdio>

#include "gpu/device.h"

namespace sinew::app {

/// The text of a label with a number, without the heap.
struct LabelText {
  LabelText(const char* before, uint32_t number, const char* after = "") {
    std::snprintf(characters, sizeof characters, "%s%u%s", before, number, after);
  }
  char characters[64];
};

/// A label from construction to destruction. Does nothing without debug_utils.
class Label {
 public:
  Label(const Device& device, VkCommandBuffer cmd, const LabelText& text, float red, float green, float blue)
      : Label(device, cmd, text.characters, red, green, blue) {}
  Label(const Device& device, VkCommandBuffer cmd, const char* name, float red, float green, float blue)
      : cmd_(device.debug_utils ? cmd : VK_NULL_HANDLE) {
    if (!cmd_) return;
    const VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, name, {red, green, blue, 1}};
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
