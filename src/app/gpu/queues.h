// Which queues of a device to take. A choice over plain lists, so that devices that are not here can be tried.
#pragma once

#include <volk.h>

#include <cstdint>
#include <optional>
#include <span>

namespace sinew::app {

struct QueueFamily {
  VkQueueFlags flags = 0;
  uint32_t queue_count = 1;
  uint32_t timestamp_bits = 0;  // 0: no timestamps
  bool presents = true;         // to the window at hand; true where there is none
};

/// One queue of a device.
struct QueueIndex {
  uint32_t family = 0, index = 0;
  uint32_t timestamp_bits = 0;
};

/// Draws, computes and presents: the first family with all three. Nothing where there is none.
std::optional<QueueIndex> choose_queue(std::span<const QueueFamily> families);

/// Computes beside `first`: of a family that does not draw, else of another one with compute, else of the first's own.
/// Nothing where there is no second queue.
std::optional<QueueIndex> choose_second_queue(std::span<const QueueFamily> families, const QueueIndex& first);

}  // namespace sinew::app
