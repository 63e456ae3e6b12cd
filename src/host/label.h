// Debug labels in a command buffer, for RenderDoc and similar tools.
#pragma once

#include <cstdarg>
#include <cstdio>

#include "host/device.h"

namespace host {

struct LabelColor {
  float red = 0.25f, green = 0.50f, blue = 0.90f;
};

/// A label from construction to destruction. Its text is made as printf() does, without the heap. Does nothing without
/// debug_utils.
class Label {
 public:
  __attribute__((format(printf, 5, 6)))
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
