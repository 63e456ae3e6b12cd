#include "system/machine_report.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>

#include "commit.h"
#include "sinew/version.h"
#include "system/text.h"

namespace sinew::app {
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
