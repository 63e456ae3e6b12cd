#include "store.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "store.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::bench::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void store(float* out, size_t count, float value, bool streaming) {
  constexpr HWY_FULL(float) kFloat;
  const size_t width = hn::Lanes(kFloat);
  const auto values = hn::Set(kFloat, value);
  if (!streaming) {
    for (size_t i = 0; i < count; i += width) hn::Store(values, kFloat, out + i);
    return;
  }
  for (size_t i = 0; i < count; i += width) hn::Stream(values, kFloat, out + i);
  hwy::FlushStream();
}

size_t width_bytes() { return hn::Lanes(HWY_FULL(float)()) * sizeof(float); }

}  // namespace sinew::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::bench {

HWY_EXPORT(store);
HWY_EXPORT(width_bytes);

void store_floats(float* out, size_t count, float value, bool streaming) {
  HWY_DYNAMIC_DISPATCH(store)(out, count, value, streaming);
}

size_t store_width_bytes() { return HWY_DYNAMIC_DISPATCH(width_bytes)(); }

bool crowd_streams(size_t size_bytes) { return size_bytes > size_t(8) << 20; }

}  // namespace sinew::bench
#endif  // HWY_ONCE
