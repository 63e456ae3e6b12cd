#include "report/store_bandwidth.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>

#include "system/clock.h"

namespace sinew::app {
namespace {

constexpr size_t kBytes = size_t(64) << 20, kCacheLineBytes = 64;
constexpr size_t kTaskBytes = size_t(1) << 20;
constexpr size_t kRounds = 9;  // measured, after a first one that is not

struct AlignedDelete {
  void operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t(kCacheLineBytes)); }
};

}  // namespace

std::optional<double> measure_store_gb_per_second(ThreadPool& pool) {
  const std::unique_ptr<std::byte[], AlignedDelete> memory(
      static_cast<std::byte*>(::operator new[](kBytes, std::align_val_t(kCacheLineBytes), std::nothrow)));
  if (!memory) return {};
  std::array<double, kRounds> rounds_ms;
  for (size_t round = 0; round <= kRounds; ++round) {
    const Stopwatch watch;
    pool.for_each(kBytes / kTaskBytes,
                  [&](uint32_t task) { std::memset(memory.get() + task * kTaskBytes, int(round), kTaskBytes); });
    if (round > 0) rounds_ms[round - 1] = watch.elapsed_ms();
  }
  std::sort(rounds_ms.begin(), rounds_ms.end());
  const double median_ms = rounds_ms[kRounds / 2];
  if (median_ms <= 0) return {};
  return double(kBytes) / (median_ms / 1e3) / 1e9;
}

}  // namespace sinew::app
