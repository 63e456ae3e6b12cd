#include "report/bandwidth.h"

#include <algorithm>
#include <array>
#include <vector>

#include "gpu/host.h"
#include "system/clock.h"

namespace sinew::app {
namespace {

constexpr uint32_t kCopies = 5;  // measured, after a first one that is not

/// Records kCopies + 1 copies and a timestamp after each.
void record_copies(const Device& device, VkCommandBuffer cmd, VkQueryPool queries, VkBuffer from, VkBuffer to,
                   VkDeviceSize size_bytes) {
  const VkBufferCopy copy{0, 0, size_bytes};
  vkCmdResetQueryPool(cmd, queries, 0, kCopies + 1);
  for (uint32_t i = 0; i <= kCopies; ++i) {
    vkCmdCopyBuffer(cmd, from, to, 1, &copy);
    full_barrier(cmd);
    vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, i);
    if (device.info.is_cpu()) full_barrier(cmd);
  }
}

}  // namespace

std::optional<double> measure_copy_gb_per_second(const Device& device) {
  if (!device.info.timestamps) return {};
  const VkDeviceSize size_bytes = VkDeviceSize(device.info.is_cpu() ? 256 : 1024) << 20;
  const auto make = [&](VkBufferUsageFlags usage, const char* name) {
    return create_buffer(device, size_bytes, usage, MemoryKind::kDevice, name);
  };
  const auto from = make(VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, "sinew.copy_source");
  const auto to = make(VK_BUFFER_USAGE_TRANSFER_DST_BIT, "sinew.copy_target");
  if (!from || !to || !from->device_local || !to->device_local) return {};
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = kCopies + 1;
  VkQueryPool handle = VK_NULL_HANDLE;
  if (vkCreateQueryPool(device.handle, &info, nullptr, &handle) != VK_SUCCESS) return {};
  const QueryPoolHandle queries(device.handle, handle);
  const Stopwatch watch;
  const Status copied = run_once(device, "copies that are timed", [&](VkCommandBuffer cmd) {
    vkCmdFillBuffer(cmd, from->get(), 0, VK_WHOLE_SIZE, 0x3f800000);  // pages that were never written may not be mapped
    full_barrier(cmd);
    record_copies(device, cmd, handle, from->get(), to->get(), size_bytes);
  });
  const double wall_ms = watch.elapsed_ms();
  std::array<uint64_t, kCopies + 1> ticks{};
  if (!copied || vkGetQueryPoolResults(device.handle, handle, 0, kCopies + 1, sizeof ticks, ticks.data(),
                                       sizeof ticks[0], VK_QUERY_RESULT_64_BIT) != VK_SUCCESS)
    return {};
  const DeviceClock clock = device_clock(device);
  if (!is_credible(clock, ticks, wall_ms)) return {};
  std::array<double, kCopies> copies_ms;
  for (uint32_t i = 0; i < kCopies; ++i) copies_ms[i] = clock.ms_between(ticks[i], ticks[i + 1]);
  std::sort(copies_ms.begin(), copies_ms.end());
  const double median_ms = copies_ms[kCopies / 2];
  if (median_ms <= 0) return {};
  return 2 * double(size_bytes) / (median_ms / 1e3) / 1e9;
}

}  // namespace sinew::app
