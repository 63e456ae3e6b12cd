// The device's clock, which a queue's timestamps are read from, and its timestamps on the CPU's clock.
#pragma once

#include <cstdint>
#include <optional>
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

// Timestamps of the device on the CPU's clock.

/// One moment by both clocks.
struct ClockMoment {
  uint64_t ticks = 0;         // of the device, all bits
  double cpu_ms = 0;          // by now_ms()
  double uncertainty_ms = 0;  // between the two readings
};

/// Empty where the device was created without calibrated_clock, or cannot be read.
std::optional<ClockMoment> read_both_clocks(const Device& device);

/// Converts a queue's timestamps to now_ms().
struct ClockMap {
  DeviceClock clock;
  uint64_t base_ticks = 0;  // no timestamp is earlier
  double base_ms = 0;       // by now_ms(), at base_ticks
  double rate = 1;          // the CPU's milliseconds for each of the device's
  double uncertainty_ms = 0;
  bool is_calibrated = false;

  double cpu_ms(uint64_t ticks) const { return base_ms + rate * clock.ms_between(base_ticks, ticks); }
};

/// From both clocks before and after all timestamps: right where the clocks drift apart, within the larger uncertainty.
ClockMap map_clock(const DeviceClock& clock, const ClockMoment& before, const ClockMoment& after);

/// The first and the last timestamp of a submission, and the CPU's times of submitting and seeing it complete.
struct SubmittedTicks {
  uint64_t first = 0, last = 0;
  double submitted_ms = 0, completed_ms = 0;
};

/// From submissions alone, in their order: timestamps lie between submission and completion, and the uncertainty is
/// what that leaves open. `all` is not empty.
ClockMap map_clock(const DeviceClock& clock, std::span<const SubmittedTicks> all);

}  // namespace host
