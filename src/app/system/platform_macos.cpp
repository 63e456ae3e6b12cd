// What macOS tells of this process and its processors. Written by its documentation, never compiled there:
// docs/platforms.md.
#include <crt_externs.h>
#include <mach/mach.h>
#include <sys/resource.h>
#include <sys/sysctl.h>
#include <unistd.h>

#include "system/platform.h"

namespace sinew::app {

std::vector<std::string> command_words() {
  char** const words = *_NSGetArgv();
  return {words, words + *_NSGetArgc()};
}

namespace {

double seconds_of(const timeval& time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; }

}  // namespace

std::optional<ProcessorTimes> processor_times() {
  host_cpu_load_info_data_t ticks{};
  mach_msg_type_number_t count = HOST_CPU_LOAD_INFO_COUNT;
  rusage own{};
  const double per_second = double(sysconf(_SC_CLK_TCK));
  if (host_statistics(mach_host_self(), HOST_CPU_LOAD_INFO, host_info_t(&ticks), &count) != KERN_SUCCESS ||
      per_second <= 0 || getrusage(RUSAGE_SELF, &own) != 0)
    return {};
  ProcessorTimes times;
  for (const natural_t value : ticks.cpu_ticks) times.all_seconds += double(value) / per_second;
  times.busy_seconds = times.all_seconds - double(ticks.cpu_ticks[CPU_STATE_IDLE]) / per_second;
  times.own_seconds = seconds_of(own.ru_utime) + seconds_of(own.ru_stime);
  return times;
}

std::optional<double> clock_mhz() { return {}; }  // not told

std::string processor_name() {
  char name[256] = {};
  size_t size = sizeof name - 1;
  return sysctlbyname("machdep.cpu.brand_string", name, &size, nullptr, 0) == 0 ? name : "";
}

}  // namespace sinew::app
