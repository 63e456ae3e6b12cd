// What was measured of one frame: by the CPU's clock, and by the device's.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "gpu/device_clock.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::app {

/// The timestamps around the drawing. The skinner has its own, perhaps of another queue: the two are never compared.
enum class DrawTimestamp : uint32_t { kBegin, kDrawn, kCount };

using SkinTicks = std::array<uint64_t, size_t(vulkan::Timestamp::kCount)>;
using DrawTicks = std::array<uint64_t, size_t(DrawTimestamp::kCount)>;

/// One frame as it was measured. Empty: not measured.
struct FrameTimes {
  uint64_t number = 0;  // of the run, from 1
  double cull_ms = 0, sample_ms = 0, record_ms = 0;
  std::optional<double> cpu_skin_ms;
  double submitted_ms = 0, seen_ms = 0;  // by now_ms(): when it was submitted, when the CPU saw it done
  std::optional<SkinTicks> skin_ticks;
  std::optional<DrawTicks> draw_ticks;

  double cpu_ms() const { return cull_ms + sample_ms + record_ms + cpu_skin_ms.value_or(0); }
  double submit_ms() const { return seen_ms - submitted_ms; }
};

/// The clocks of the two queues, which may be one.
struct QueueClocks {
  DeviceClock skin, draw;
};

}  // namespace sinew::app
