#include "host/queues.h"

namespace host {
namespace {

bool has(const QueueFamily& family, VkQueueFlags flags) { return (family.flags & flags) == flags; }

}  // namespace

std::optional<QueueIndex> choose_queue(std::span<const QueueFamily> families) {
  for (uint32_t i = 0; i < families.size(); ++i) {
    if (has(families[i], VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT) && families[i].presents)
      return QueueIndex{i, 0, families[i].timestamp_bits};
  }
  return {};
}

std::optional<QueueIndex> choose_second_queue(std::span<const QueueFamily> families, const QueueIndex& first) {
  std::optional<QueueIndex> other_family;
  for (uint32_t i = 0; i < families.size(); ++i) {
    if (i == first.family || !has(families[i], VK_QUEUE_COMPUTE_BIT)) continue;
    const QueueIndex queue{i, 0, families[i].timestamp_bits};
    if (!has(families[i], VK_QUEUE_GRAPHICS_BIT)) return queue;
    if (!other_family) other_family = queue;
  }
  if (other_family || families[first.family].queue_count <= first.index + 1) return other_family;
  return QueueIndex{first.family, first.index + 1, first.timestamp_bits};
}

}  // namespace host
