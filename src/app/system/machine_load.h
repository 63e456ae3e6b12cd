// What else the machine did while something was measured: reasons to distrust a time. From /proc; none where that has
// no such file.
#pragma once

#include <optional>

namespace sinew::app {

/// Processor time since the start of the machine, summed over all cores, and of this process.
struct ProcessorTimes {
  double busy_seconds = 0, stolen_seconds = 0, all_seconds = 0;  // stolen: by other virtual machines
  double own_seconds = 0;
};

std::optional<ProcessorTimes> processor_times();

/// Shares of the processor time of all cores.
struct MachineLoad {
  double others = 0, stolen = 0;  // others: programs besides this one
};

MachineLoad load_between(const ProcessorTimes& first, const ProcessorTimes& last);

/// The mean clock of all cores, as the system states it; virtual machines often state a fixed one.
std::optional<double> clock_mhz();

/// A fixed task that no build changes, timed several times.
struct FixedTask {
  double median_ms = 0;
  double spread = 0;  // half of the distance from the fastest to the slowest, as a share of the median
};

/// Takes about 50 ms of one core.
FixedTask time_fixed_task();

}  // namespace sinew::app
