#include "gpu/frame_slots.h"

namespace sinew::app {
namespace {

constexpr uint32_t kSkinTimestamps = uint32_t(vulkan::Timestamp::kCount);

/// Those of a slot's frame. They are empty where there are no timestamps, or none that were written.
VkResult read_ticks(const Device& device, FrameSlot& slot) {
  slot.times.skin_ticks.reset(), slot.times.draw_ticks.reset();
  if (slot.compute_timestamps) {
    SkinTicks ticks{};
    const VkResult result = read_timestamps(device, slot.compute_timestamps, ticks);
    if (result == VK_SUCCESS) slot.times.skin_ticks = ticks;
    if (result != VK_SUCCESS && result != VK_NOT_READY) return result;
  }
  if (!slot.timestamps) return VK_SUCCESS;
  DrawTicks ticks(slot.timestamp_count);
  const VkResult result = read_timestamps(device, slot.timestamps, ticks.span());
  if (result == VK_SUCCESS) slot.times.draw_ticks = ticks;
  return result == VK_NOT_READY ? VK_SUCCESS : result;
}

}  // namespace

QueueClocks queue_clocks(const Device& device, AsyncCompute async) {
  const DeviceClock draw = device_clock(device);
  if (async == AsyncCompute::kNone) return {draw, draw};
  return {{compute_queue_index(device.info).timestamp_bits, draw.tick_ns}, draw};
}

Result<std::vector<FrameSlot>> create_frame_slots(const Device& device, const SlotsInfo& info) {
  const host::SlotInfo own{info.async, 1 + info.timed_passes, info.skins ? kSkinTimestamps : 0};
  std::vector<FrameSlot> slots;
  for (uint32_t i = 0; i < info.count; ++i) {
    auto slot = create_frame_slot(device, own, i);
    if (!slot) return slot.error();
    slots.push_back({std::move(*slot), {}});
  }
  return slots;
}

Status wait_for(const Device& device, FrameSlot& slot) {
  if (!slot.pending) return {};
  if (Status waited = host::wait_for(device, slot); !waited) return waited;
  slot.times.submitted_ms = slot.submitted_ms, slot.times.completed_ms = slot.completed_ms;
  if (VkResult result = read_ticks(device, slot); result != VK_SUCCESS)
    return vulkan_error("timestamps of frame " + std::to_string(slot.number), result);
  return {};
}

}  // namespace sinew::app
