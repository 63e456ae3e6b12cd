// Debug labels in a command buffer, for RenderDoc and similar tools.
#pragma once

#include <cstdarg>
#include <cstdint>
#include <cstdio>

#include "gpu/device.h"

namespace sinew::app {

/// What a label is about. It decides the label's color.
enum class LabelKind : uint8_t { kFrame, kDraw, kShadowMap, kBackdrop, kDepth, kCrowd, kLines, kOverlay, kPresent };

/// Red, green, blue of each LabelKind.
inline constexpr float kLabelColors[][3] = {{0.35f, 0.40f, 0.50f}, {0.25f, 0.50f, 0.90f}, {0.45f, 0.35f, 0.60f},
                                            {0.60f, 0.50f, 0.40f}, {0.40f, 0.55f, 0.75f}, {0.20f, 0.75f, 0.85f},
                                            {0.90f, 0.60f, 0.20f}, {0.80f, 0.80f, 0.30f}, {0.50f, 0.50f, 0.50f}};

/// A label from construction to destruction. Its text is made as printf() does, without the heap. Does nothing without
/// debug_utils.
class Label {
 public:
  __attribute__((format(printf, 5, 6)))
  Label(const Device& device, VkCommandBuffer cmd, LabelKind kind, const char* format, ...)
      : cmd_(device.debug_utils ? cmd : VK_NULL_HANDLE) {
    if (!cmd_) return;
    char text[96];
    va_list values;
    va_start(values, format);
    std::vsnprintf(text, sizeof text, format, values);
    va_end(values);
    const auto& [red, green, blue] = kLabelColors[size_t(kind)];
    const VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, text, {red, green, blue, 1}};
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
