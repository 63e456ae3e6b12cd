// What a run was measured on: device, CPU, build, and what else the machine did.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "system/platform.h"

namespace sinew::app {

// What else the machine did while something was measured: reasons to distrust a time.

/// Shares of the processor time of all cores.
struct MachineLoad {
  double others = 0, stolen = 0;  // others: programs besides this one
};

MachineLoad load_between(const ProcessorTimes& first, const ProcessorTimes& last);

/// A fixed task that no build changes, timed several times.
struct FixedTask {
  double median_ms = 0;
  double spread = 0;  // half of the distance from the fastest to the slowest, as a share of the median
};

/// Takes about 50 ms of one core.
FixedTask time_fixed_task();

/// The Vulkan device.
struct DeviceReport {
  std::string name;
  std::string type;                          // cpu, integrated, discrete, virtual or other
  std::string driver;                        // name and version; may be empty
  std::string api;                           // Vulkan version, such as 1.3.230
  std::optional<double> copy_gb_per_second;  // measure_copy_gb_per_second()
};

/// The CPU that culls and evaluates.
struct CpuReport {
  std::string name;
  uint32_t threads = 1;                       // that cull and evaluate
  std::string instruction_set;                // used by the evaluator
  std::optional<double> store_gb_per_second;  // measure_store_gb_per_second()
};

/// This program.
struct BuildReport {
  std::string version, commit, type;  // empty commit: not built from a repository; type: Release and so on
  bool optimized = false;
};

/// What was compiled in: version, commit, type and optimization of this build.
BuildReport this_build();

/// This moment, by ISO 8601: "2026-11-26T13:40:02Z".
std::string utc_now();

/// The CPU of this machine; the name is empty where the system tells none. The instruction set is the one
/// that this program was compiled for; the crowd evaluator may use a wider one.
CpuReport this_cpu(uint32_t threads);

/// What the machine did besides the measurement: reasons to distrust its times.
struct MachineReport {
  std::optional<MachineLoad> load;                          // while the frames were drawn
  std::optional<double> clock_before_mhz, clock_after_mhz;  // of the CPU, as the system states it
  FixedTask before, after;                                  // one task that no build changes
  bool validated = false;                                   // the validation layers were on
};

/// From where doubts_about() doubts: shares of all processor time, and the spread of a fixed task.
inline constexpr double kMaxOthers = 0.05, kMaxStolen = 0.01, kMaxNoise = 0.05;

/// What makes the times of a machine doubtful, one line each with its figure; empty: nothing.
std::vector<std::string> doubts_about(const MachineReport& machine);

}  // namespace sinew::app
