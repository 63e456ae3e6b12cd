#include "crowd/report/bandwidth.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <span>

#include "gpu/compute.h"
#include "host/pipeline.h"
#include "system/cache.h"
#include "system/clock.h"

namespace sinew::app {
namespace {

constexpr uint64_t kMeasurement = 2;  // raised when values of older programs must not be kept
constexpr size_t kMaxFiles = 8;
constexpr uint32_t kStores = 9;  // measured, after a first one that is not
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

/// CopySpeed::best(); on a CPU device vkCmdCopyBuffer alone, which is the faster one there. None where the device has
/// no timestamps or too little memory, or where its timestamps are not credible.
std::optional<double> measure_copy_gb_per_second(const Device& device) {
  auto speed = measure_copy(device, !device.info.is_cpu());
  if (!speed && !device.info.is_cpu()) speed = measure_copy(device, false);
  return speed && speed->best() > 0 ? std::optional(speed->best()) : std::nullopt;
}

/// Bytes that the C library's memset stores, by all threads of the pool together, in 1e9 bytes per second: the median
/// of several rounds over 64 MiB. None where the memory cannot be allocated.
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

}  // namespace

Bandwidth find_bandwidth(const Device& device, ThreadPool& pool, bool again) {
  ContentHash of;
  of.add(kMeasurement);
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
