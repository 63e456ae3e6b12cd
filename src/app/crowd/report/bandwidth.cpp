#include "crowd/report/bandwidth.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <span>

#include "host/pipeline_cache.h"
#include "system/cache.h"
#include "system/clock.h"

namespace sinew::app {
namespace {

constexpr size_t kMaxFiles = 8;
constexpr uint32_t kCopies = 5, kStores = 9;  // measured, after a first one that is not
constexpr size_t kStoredBytes = size_t(64) << 20, kTaskBytes = size_t(1) << 20;

/// None where the median is no time. Sorts.
std::optional<double> gb_per_second(double bytes, std::span<double> rounds_ms) {
  std::sort(rounds_ms.begin(), rounds_ms.end());
  const double median_ms = rounds_ms[rounds_ms.size() / 2];
  return median_ms > 0 ? std::optional(bytes / (median_ms / 1e3) / 1e9) : std::nullopt;
}

/// Cache lines of one task.
struct alignas(64) Block {
  std::byte bytes[kTaskBytes];
};

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
  return gb_per_second(2 * double(size_bytes), copies_ms);
}

std::optional<double> measure_store_gb_per_second(ThreadPool& pool) {
  const std::unique_ptr<Block[]> blocks(new (std::nothrow) Block[kStoredBytes / kTaskBytes]);
  if (!blocks) return {};
  std::array<double, kStores> rounds_ms;
  for (size_t round = 0; round <= kStores; ++round) {
    const Stopwatch watch;
    pool.for_each(kStoredBytes / kTaskBytes,
                  [&](uint32_t task) { std::memset(&blocks[task], int(round), kTaskBytes); });
    if (round > 0) rounds_ms[round - 1] = watch.elapsed_ms();
  }
  return gb_per_second(double(kStoredBytes), rounds_ms);
}

Bandwidth find_bandwidth(const Device& device, ThreadPool& pool, bool again) {
  ContentHash of;
  of.add(host::pipeline_cache_owner(device.info));
  of.add(uint64_t(pool.thread_count()));
  const std::string name = "bandwidth-" + of.digits();
  const auto kept = again ? std::nullopt : read_kept(name);
  std::array<double, 2> values{};  // 0: it cannot be measured
  if (kept && kept->size() == sizeof values) {
    std::memcpy(values.data(), kept->data(), sizeof values);
  } else {
    values = {measure_copy_gb_per_second(device).value_or(0), measure_store_gb_per_second(pool).value_or(0)};
    keep(name, std::as_bytes(std::span(values)));
    remove_oldest(cache_folder(), "bandwidth", kMaxFiles);
  }
  const auto value = [](double measured) { return measured > 0 ? std::optional(measured) : std::nullopt; };
  return {value(values[0]), value(values[1])};
}

}  // namespace sinew::app
