#include "store_bandwidth.h"

#include <algorithm>
#include <array>
#include <memory>
#include <new>

#include "clock.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sinew::app {
namespace {

constexpr size_t kBytes = size_t(64) << 20, kLineBytes = 64, kFloats = kBytes / sizeof(float);
constexpr size_t kTaskFloats = size_t(1) << 18;  // a MiB
constexpr size_t kRounds = 9;                    // after one that is not measured

struct AlignedDelete {
  void operator()(float* memory) const { ::operator delete[](memory, std::align_val_t(kLineBytes)); }
};

#if defined(__SSE2__)
template <bool kStreaming>
void store(float* out, size_t count, float value) {
  const __m128 values = _mm_set1_ps(value);
  for (size_t i = 0; i < count; i += 4) {
    if constexpr (kStreaming)
      _mm_stream_ps(out + i, values);
    else
      _mm_store_ps(out + i, values);
  }
  if constexpr (kStreaming) _mm_sfence();
}
#else
template <bool kStreaming>
void store(float* out, size_t count, float value) {
  std::fill_n(out, count, value);
}
#endif

template <bool kStreaming>
double median_ms(ThreadPool& pool, float* memory) {
  std::array<double, kRounds> rounds_ms;
  for (size_t round = 0; round <= kRounds; ++round) {
    const Stopwatch watch;
    pool.for_each(kFloats / kTaskFloats,
                  [&](uint32_t task) { store<kStreaming>(memory + task * kTaskFloats, kTaskFloats, float(round)); });
    if (round > 0) rounds_ms[round - 1] = watch.elapsed_ms();
  }
  std::sort(rounds_ms.begin(), rounds_ms.end());
  return rounds_ms[kRounds / 2];
}

}  // namespace

std::optional<double> measure_store_gb_per_second(ThreadPool& pool) {
  const std::unique_ptr<float[], AlignedDelete> memory(
      static_cast<float*>(::operator new[](kBytes, std::align_val_t(kLineBytes), std::nothrow)));
  if (!memory) return {};
  const double fastest_ms = std::min(median_ms<false>(pool, memory.get()), median_ms<true>(pool, memory.get()));
  if (fastest_ms <= 0) return {};
  return double(kBytes) / (fastest_ms / 1e3) / 1e9;
}

}  // namespace sinew::app
