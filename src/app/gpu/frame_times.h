// Measurements of one frame: by the CPU's clock and by the device's clock.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "gpu/device_clock.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::app {

/// The timestamps around drawing. The skinner writes its own, maybe on another queue: the two must not be compared.
enum class DrawTimestamp : uint32_t { kBegin, kDrawn, kCount };

using SkinTicks = std::array<uint64_t, size_t(vulkan::Timestamp::kCount)>;
using DrawTicks = std::array<uint64_t, size_t(DrawTimestamp::kCount)>;

/// Measurements of one frame. An empty optional was not measured.
struct FrameTimes {
  uint64_t number = 0;  // of the frame, from 1
  double cull_ms = 0, sample_ms = 0, record_ms = 0;
  std::optional<double> cpu_skin_ms;
  double submitted_ms = 0, completed_ms = 0;  // by now_ms(): submission; when the CPU saw the frame complete
  std::optional<SkinTicks> skin_ticks;
  std::optional<DrawTicks> draw_ticks;

  double cpu_ms() const { return cull_ms + sample_ms + record_ms + cpu_skin_ms.value_or(0); }
  double submit_ms() const { return completed_ms - submitted_ms; }
};

/// The clocks of the skinning and the drawing queue, which may be the same queue.
struct QueueClocks {
  DeviceClock skin, draw;
};

}  // namespace sinew::app
