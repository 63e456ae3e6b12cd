#include "host/device_clock.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/system.h"

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

std::optional<ClockMoment> read_both_clocks(const Device& device) {
  if (!device.calibrated_clock) return {};
  VkCalibratedTimestampInfoEXT clocks[2] = {{VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT},
                                            {VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT}};
  clocks[0].timeDomain = VK_TIME_DOMAIN_DEVICE_EXT, clocks[1].timeDomain = kCpuTimeDomain;
  std::optional<ClockMoment> best;
  for (int attempt = 0; attempt < 10; ++attempt) {  // an interruption between the readings makes one worse
    uint64_t times[2] = {}, deviation_ns = 0;
    if (vkGetCalibratedTimestampsEXT(device.handle, 2, clocks, times, &deviation_ns) != VK_SUCCESS) return {};
    const double uncertainty_ms = double(deviation_ns) / 1e6;
    if (!best || uncertainty_ms < best->uncertainty_ms) best = {times[0], ms_of_cpu_time(times[1]), uncertainty_ms};
  }
  return best;
}

ClockMap map_clock(const DeviceClock& clock, const ClockMoment& before, const ClockMoment& after) {
  ClockMap map{clock, before.ticks, before.cpu_ms};
  const double device_ms = clock.ms_between(before.ticks, after.ticks);
  if (device_ms > 0) map.rate = (after.cpu_ms - before.cpu_ms) / device_ms;
  map.uncertainty_ms = std::max(before.uncertainty_ms, after.uncertainty_ms);
  map.is_calibrated = true;
  return map;
}

ClockMap map_clock(const DeviceClock& clock, std::span<const SubmittedTicks> all) {
  ClockMap map{clock, all.front().first};
  double earliest = -std::numeric_limits<double>::infinity(), latest = std::numeric_limits<double>::infinity();
  for (const SubmittedTicks& one : all) {
    earliest = std::max(earliest, one.submitted_ms - clock.ms_between(map.base_ticks, one.first));
    latest = std::min(latest, one.completed_ms - clock.ms_between(map.base_ticks, one.last));
  }
  map.base_ms = (earliest + latest) / 2;
  map.uncertainty_ms = std::abs(latest - earliest) / 2;
  return map;
}

}  // namespace host
