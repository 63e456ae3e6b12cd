#include "system/machine_report.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>

#include "commit.h"
#include "sinew/version.h"
#include "system/clock.h"
#include "system/text.h"

namespace sinew::app {
namespace {

double seconds_of(const timeval& time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; }

/// A chain of dependent operations: its time follows the clock, not memory. The result is used, so that it is kept.
uint64_t fixed_task(uint64_t value) {
  for (int i = 0; i < 1'500'000; ++i) value = (value ^ (value >> 27)) * 0x94d049bb133111eb + 1;
  return value;
}

/// The number that `text` begins with, after spaces; 0 where it begins with none. The same in every locale.
double number_in(std::string_view text) {
  double value = 0;
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

std::optional<ProcessorTimes> processor_times() {
  std::ifstream file("/proc/stat");
  std::string name;
  std::array<double, 8> ticks{};  // user, nice, system, idle, iowait, irq, softirq, steal
  if (!(file >> name) || name != "cpu") return {};
  for (double& value : ticks) {
    std::string word;
    if (!(file >> word)) return {};
    value = number_in(word);
  }
  rusage own{};
  const double per_second = double(sysconf(_SC_CLK_TCK));
  if (per_second <= 0 || getrusage(RUSAGE_SELF, &own) != 0) return {};
  ProcessorTimes times;
  const double idle = ticks[3] + ticks[4];
  for (const double value : ticks) times.all_seconds += value / per_second;
  times.stolen_seconds = ticks[7] / per_second;
  times.busy_seconds = times.all_seconds - idle / per_second - times.stolen_seconds;
  times.own_seconds = seconds_of(own.ru_utime) + seconds_of(own.ru_stime);
  return times;
}

MachineLoad load_between(const ProcessorTimes& first, const ProcessorTimes& last) {
  const double all = last.all_seconds - first.all_seconds;
  if (all <= 0) return {};
  const double others = last.busy_seconds - first.busy_seconds - (last.own_seconds - first.own_seconds);
  return {std::clamp(others / all, 0.0, 1.0), std::clamp((last.stolen_seconds - first.stolen_seconds) / all, 0.0, 1.0)};
}

std::optional<double> clock_mhz() {
  std::ifstream file("/proc/cpuinfo");
  double sum = 0;
  int cores = 0;
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (!line.starts_with("cpu MHz") || colon == line.npos) continue;
    sum += number_in(std::string_view(line).substr(colon + 2));
    ++cores;
  }
  return cores > 0 && sum > 0 ? std::optional(sum / cores) : std::nullopt;
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

namespace {

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

BuildReport this_build() { return {SINEW_VERSION_STRING, SINEW_COMMIT, SINEW_BUILD_TYPE, kOptimized}; }

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc = {};
  if (!gmtime_r(&now, &utc)) return "";
  return text("%04d-%02d-%02dT%02d:%02d:%02dZ", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour,
              utc.tm_min, utc.tm_sec);
}

CpuReport this_cpu(uint32_t threads) {
  CpuReport cpu{"", threads, kInstructionSet, {}};
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != line.npos) return cpu.name = line.substr(colon + 2), cpu;
  }
  return cpu;
}

std::vector<std::string> doubts_about(const MachineReport& machine) {
  std::vector<std::string> doubts;
  const auto percent = [](double share) {
    return share < 0.0995 ? text("%.1f %%", share * 100) : rounded(share * 100, 2) + " %";
  };
  if (machine.validated) doubts.push_back("validation layers were on: CPU times are theirs too.");
  if (machine.load && machine.load->others > kMaxOthers)
    doubts.push_back("other programs used " + percent(machine.load->others) + " of the processors meanwhile.");
  if (machine.load && machine.load->stolen > kMaxStolen)
    doubts.push_back(percent(machine.load->stolen) + " of the processor time was stolen by other virtual machines.");
  if (machine.clock_before_mhz && machine.clock_after_mhz) {
    const double change = *machine.clock_after_mhz / *machine.clock_before_mhz - 1;
    if (std::abs(change) > kMaxChange)
      doubts.push_back(text("the processor's clock went from %.0f to %.0f MHz.", *machine.clock_before_mhz,
                            *machine.clock_after_mhz));
  }
  if (machine.before.median_ms > 0) {
    const double change = machine.after.median_ms / machine.before.median_ms - 1;
    if (std::abs(change) > kMaxChange)
      doubts.push_back("a fixed task took " + percent(std::abs(change)) + (change > 0 ? " longer" : " less") +
                       " after the run than before.");
  }
  const double noise = std::max(machine.before.spread, machine.after.spread);
  if (noise > kMaxNoise)
    doubts.push_back("a fixed task varies by +-" + percent(noise) + ": smaller changes say nothing.");
  return doubts;
}

}  // namespace sinew::app
