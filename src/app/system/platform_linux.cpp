// What Linux tells in /proc.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>

#include "system/platform.h"

namespace sinew::app {

std::vector<std::string> command_words() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

namespace {

double seconds_of(const timeval& time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; }

/// The number that `text` begins with, after spaces; 0 where it begins with none. The same in every locale.
double number_in(std::string_view text) {
  double value = 0;
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// The values of all lines of /proc/cpuinfo that begin with `name`.
std::vector<std::string> of_processors(std::string_view name) {
  std::ifstream file("/proc/cpuinfo");
  std::vector<std::string> values;
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with(name) && colon != line.npos) values.push_back(line.substr(colon + 2));
  }
  return values;
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

std::optional<double> clock_mhz() {
  double sum = 0;
  const std::vector<std::string> clocks = of_processors("cpu MHz");
  for (const std::string& clock : clocks) sum += number_in(clock);
  return sum > 0 ? std::optional(sum / double(clocks.size())) : std::nullopt;
}

std::string processor_name() {
  const std::vector<std::string> names = of_processors("model name");
  return names.empty() ? "" : names.front();
}

}  // namespace sinew::app
