// Which queues of a device are used. The input is plain lists, so that tests need no device.
#pragma once

#include <volk.h>

#include <cstdint>
#include <optional>
#include <span>

namespace host {

struct QueueFamily {
  VkQueueFlags flags = 0;
  uint32_t queue_count = 1;
  uint32_t timestamp_bits = 0;  // valid bits; 0: no timestamps
  bool presents = true;         // to the window; true without a window
};

/// One queue of a device: the family, and the index in it.
struct QueueIndex {
  uint32_t family = 0, index = 0;
  uint32_t timestamp_bits = 0;
};

/// The queue for graphics, compute and presenting: of the first family with all three. Empty where there is none.
std::optional<QueueIndex> choose_queue(std::span<const QueueFamily> families);

/// The queue for compute in parallel with `first`: of a family without graphics, else of another family with compute,
/// else of the family of `first`. Empty where there is no second queue.
std::optional<QueueIndex> choose_second_queue(std::span<const QueueFamily> families, const QueueIndex& first);

}  // namespace host
