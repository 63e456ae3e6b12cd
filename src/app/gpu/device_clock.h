// The clock that timestamps of a queue are read from.
#pragma once

#include <cstdint>
#include <span>

#include "gpu/device.h"

namespace sinew::app {

/// After `bits` bits it starts again from 0. No clock: 0 bits.
struct DeviceClock {
  uint32_t bits = 0;
  double tick_ns = 0;

  explicit operator bool() const { return bits > 0 && tick_ns > 0; }

  /// The way forward from one timestamp to a later one.
  double ms_between(uint64_t from, uint64_t to) const;
};

/// That of the queue that draws.
inline DeviceClock device_clock(const Device& device) {
  return {device.info.timestamp_bits, device.info.limits.timestampPeriod};
}

/// Whether a device can have taken so long in a time that the CPU measured around it. Clocks differ a little.
bool fits_in(double device_ms, double wall_ms);

/// Whether timestamps, each written after the one before it, can be true. `wall_ms` is the time from before the first
/// was submitted until after the last was seen, by the CPU's clock. A step back is a step of almost the clock's whole
/// range forward, and timestamps that are all 0 were never written.
bool is_credible(const DeviceClock& clock, std::span<const uint64_t> ticks, double wall_ms);

}  // namespace sinew::app
