#include "system/machine_load.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

#include "system/clock.h"

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

}  // namespace sinew::app
