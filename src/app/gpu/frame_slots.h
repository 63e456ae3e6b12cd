// The program's frames in flight: what the host keeps of each, and what was measured of it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "gpu/host.h"
#include "sinew/vulkan/skinner.h"
#include "system/clock.h"

namespace sinew::app {

// Measurements of one frame: by the CPU's clock and by the device's clock.

inline constexpr uint32_t kMaxTimedPasses = 6;

using SkinTicks = std::array<uint64_t, size_t(vulkan::Timestamp::kCount)>;

/// The timestamps around drawing: before it, and at the end of each timed pass; at least two. The skinner writes its
/// own, maybe on another queue: the two must be compared only where one queue writes both (TimesInfo::one_queue).
struct DrawTicks {
  std::array<uint64_t, 1 + kMaxTimedPasses> values = {};
  uint32_t count;

  explicit DrawTicks(uint32_t tick_count) : count(tick_count) {}
  DrawTicks(std::initializer_list<uint64_t> ticks) : count(uint32_t(ticks.size())) {
    std::ranges::copy(ticks, values.begin());
  }
  std::span<uint64_t> span() { return std::span(values).first(count); }
  std::span<const uint64_t> span() const { return std::span(values).first(count); }
  uint64_t& front() { return values.front(); }
  uint64_t& back() { return values[count - 1]; }
  uint64_t front() const { return values.front(); }
  uint64_t back() const { return values[count - 1]; }
};

/// What the calling thread does for a frame, in this order.
enum class CpuStage : uint32_t {
  kWait,
  kCull,
  kPrepareSkinning,
  kSample,
  kSkin,
  kPrepareDraws,
  kRecord,
  kSubmit,
  kCount
};

/// Measurements of one frame. An empty optional was not measured.
struct FrameTimes {
  uint64_t number = 0;  // of the frame, from 1
  std::array<CpuSpan, size_t(CpuStage::kCount)> spans;
  double submitted_ms = 0, completed_ms = 0;  // by now_ms(): submission; when the CPU saw the frame complete
  std::optional<SkinTicks> skin_ticks;
  std::optional<DrawTicks> draw_ticks;

  CpuSpan& span(CpuStage stage) { return spans[size_t(stage)]; }
  const CpuSpan& span(CpuStage stage) const { return spans[size_t(stage)]; }
  double cull_ms() const { return span(CpuStage::kCull).ms(); }
  double sample_ms() const { return span(CpuStage::kSample).ms(); }
  double record_ms() const {
    return span(CpuStage::kPrepareSkinning).ms() + span(CpuStage::kPrepareDraws).ms() + span(CpuStage::kRecord).ms();
  }
  std::optional<double> cpu_skin_ms() const {
    const CpuSpan& skin = span(CpuStage::kSkin);
    return skin ? std::optional(skin.ms()) : std::nullopt;
  }
  double cpu_ms() const { return cull_ms() + sample_ms() + record_ms() + cpu_skin_ms().value_or(0); }
  double submit_ms() const { return completed_ms - submitted_ms; }
};

/// The clocks of the skinning and the drawing queue, which may be the same queue.
struct QueueClocks {
  DeviceClock skin, draw;
};

/// `compute_cmd` skins, `cmd` draws. With timestamps of both.
struct FrameSlot : host::FrameSlot {
  FrameTimes times;
};

struct SlotsInfo {
  uint32_t count = 2;
  bool skins = true;  // the device skins before it draws
  AsyncCompute async = AsyncCompute::kNone;
  uint32_t timed_passes = 1;  // at most kMaxTimedPasses
};

Result<std::vector<FrameSlot>> create_frame_slots(const Device& device, const SlotsInfo& info);

/// The clocks of the queues that frames are submitted to.
QueueClocks queue_clocks(const Device& device, AsyncCompute async);

/// Waits for the slot's frame, if one is pending, and reads its timestamps into `slot.times`.
Status wait_for(const Device& device, FrameSlot& slot);

}  // namespace sinew::app
