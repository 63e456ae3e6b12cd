// The device's clock, which a queue's timestamps are read from.
#pragma once

#include <cstdint>
#include <span>

#include "host/device.h"

namespace host {

/// Timestamps have `bits` valid bits and wrap around to 0. A queue without timestamps has 0 bits.
struct DeviceClock {
  uint32_t bits = 0;
  double tick_ns = 0;

  explicit operator bool() const { return bits > 0 && tick_ns > 0; }

  /// From one timestamp to a later one, across a wrap-around too.
  double ms_between(uint64_t from, uint64_t to) const;
};

/// The clock of the drawing queue.
inline DeviceClock device_clock(const Device& device) {
  return {device.info.timestamp_bits, device.info.limits.timestampPeriod};
}

/// Whether a duration by the device's clock is possible within a duration that the CPU measured around it. Allows for
/// clocks that differ a little.
bool fits_in(double device_ms, double wall_ms);

/// Whether `ticks`, timestamps in the order in which they were written, are plausible. `wall_ms` is the CPU's time from
/// before their submission until after the CPU saw them complete. A step backward counts as a step forward of almost
/// the clock's whole range. Timestamps that are all 0 were never written.
bool is_credible(const DeviceClock& clock, std::span<const uint64_t> ticks, double wall_ms);

}  // namespace host
