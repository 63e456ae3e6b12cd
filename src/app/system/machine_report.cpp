#include "system/machine_report.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>

#include "commit.h"
#include "sinew/version.h"
#include "system/clock.h"
#include "system/text.h"

namespace sinew::app {
namespace {

/// A chain of dependent operations: its time follows the clock, not memory. The result is used, so that it is kept.
uint64_t fixed_task(uint64_t value) {
  for (int i = 0; i < 1'500'000; ++i) value = (value ^ (value >> 27)) * 0x94d049bb133111eb + 1;
  return value;
}

constexpr const char* kInstructionSet =
#if defined(__AVX512F__)
    "AVX-512";
#elif defined(__AVX2__)
    "AVX2";
#elif defined(__SSE2__)
    "SSE2";
#elif defined(__ARM_NEON)
    "NEON";
#else
    "scalar";
#endif

#if defined(__OPTIMIZE__) && defined(NDEBUG)
constexpr bool kOptimized = true;
#else
constexpr bool kOptimized = false;
#endif

// From these shares on the machine makes times doubtful.
constexpr double kMaxChange = 0.03;  // of the clock or a fixed task

}  // namespace

MachineLoad load_between(const ProcessorTimes& first, const ProcessorTimes& last) {
  const double all = last.all_seconds - first.all_seconds;
  if (all <= 0) return {};
  const double others = last.busy_seconds - first.busy_seconds - (last.own_seconds - first.own_seconds);
  return {std::clamp(others / all, 0.0, 1.0), std::clamp((last.stolen_seconds - first.stolen_seconds) / all, 0.0, 1.0)};
}

FixedTask time_fixed_task() {
  std::array<double, 9> times_ms{};
  volatile uint64_t value = 1;
  for (double& time_ms : times_ms) {
    const Stopwatch watch;
    value = fixed_task(value);
    time_ms = watch.elapsed_ms();
  }
  std::sort(times_ms.begin(), times_ms.end());
  const double median = times_ms[times_ms.size() / 2];
  return {median, (times_ms.back() - times_ms.front()) / 2 / median};
}

BuildReport this_build() { return {SINEW_VERSION_STRING, SINEW_COMMIT, SINEW_BUILD_TYPE, kOptimized}; }

std::string utc_now() {
  using namespace std::chrono;
  const auto now = floor<seconds>(system_clock::now());
  const year_month_day day(floor<days>(now));
  const hh_mm_ss time(now - floor<days>(now));
  return text("%04d-%02u-%02uT%02d:%02d:%02dZ", int(day.year()), unsigned(day.month()), unsigned(day.day()),
              int(time.hours().count()), int(time.minutes().count()), int(time.seconds().count()));
}

CpuReport this_cpu(uint32_t threads) { return {processor_name(), threads, kInstructionSet, {}}; }

std::vector<std::string> doubts_about(const MachineReport& machine) {
  std::vector<std::string> doubts;
  if (machine.validated) doubts.push_back("validation layers were on: CPU times are theirs too.");
  if (machine.load && machine.load->others > kMaxOthers)
    doubts.push_back("other programs used " + percent(machine.load->others) + " % of the processors meanwhile.");
  if (machine.load && machine.load->stolen > kMaxStolen)
    doubts.push_back(percent(machine.load->stolen) + " % of the processor time was stolen by other virtual machines.");
  if (machine.clock_before_mhz && machine.clock_after_mhz) {
    const double change = *machine.clock_after_mhz / *machine.clock_before_mhz - 1;
    if (std::abs(change) > kMaxChange)
      doubts.push_back(text("the processor's clock went from %.0f to %.0f MHz.", *machine.clock_before_mhz,
                            *machine.clock_after_mhz));
  }
  if (machine.before.median_ms > 0) {
    const double change = machine.after.median_ms / machine.before.median_ms - 1;
    if (std::abs(change) > kMaxChange)
      doubts.push_back("a fixed task took " + percent(std::abs(change)) + (change > 0 ? " % longer" : " % less") +
                       " after the run than before.");
  }
  const double noise = std::max(machine.before.spread, machine.after.spread);
  if (noise > kMaxNoise)
    doubts.push_back("a fixed task varies by +-" + percent(noise) + " %: smaller changes say nothing.");
  return doubts;
}

}  // namespace sinew::app
