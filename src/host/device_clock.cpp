#include "host/device_clock.h"

#include <algorithm>

namespace host {

double DeviceClock::ms_between(uint64_t from, uint64_t to) const {
  const uint64_t mask = bits < 64 ? (uint64_t(1) << bits) - 1 : UINT64_MAX;
  return double((to - from) & mask) * tick_ns / 1e6;
}

bool fits_in(double device_ms, double wall_ms) { return device_ms <= 1.1 * wall_ms + 0.5; }

bool is_credible(const DeviceClock& clock, std::span<const uint64_t> ticks, double wall_ms) {
  if (std::all_of(ticks.begin(), ticks.end(), [](uint64_t tick) { return tick == 0; })) return false;
  double device_ms = 0;
  for (size_t i = 1; i < ticks.size(); ++i) device_ms += clock.ms_between(ticks[i - 1], ticks[i]);
  return fits_in(device_ms, wall_ms);
}

}  // namespace host
