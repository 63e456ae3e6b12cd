// Timestamps of the device on the CPU's clock.
#pragma once

#include <optional>
#include <span>

#include "host/device_clock.h"

namespace host {

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
