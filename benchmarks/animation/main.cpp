// sinew_bench_animation: the time per joint from clips to palettes. See benchmarks/README.md.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

#include "checks.h"
#include "rows.h"
#include "summary.h"

using namespace sinew::bench;

namespace {

/// Adds default arguments: interleaved and repeated, under a minute. The user's arguments come later and override.
std::vector<char*> with_defaults(int argc, char** argv) {
  static char interleaving[] = "--benchmark_enable_random_interleaving=true";
  static char repetitions[] = "--benchmark_repetitions=7";
  static char min_time[] = "--benchmark_min_time=0.05";
  std::vector<char*> arguments(argv, argv + argc);
  arguments.insert(arguments.begin() + 1, {interleaving, repetitions, min_time});
  return arguments;
}

/// Whether standard output is for a program, which reads nothing but what Google Benchmark writes.
bool writes_for_programs(int argc, char** argv) {
  return std::any_of(argv, argv + argc, [](const std::string_view word) {
    return word.starts_with("--benchmark_format=") && word != "--benchmark_format=console";
  });
}

}  // namespace

int main(int argc, char** argv) {
  const bool for_programs = writes_for_programs(argc, argv);
  std::vector<char*> arguments = with_defaults(argc, argv);
  int count = int(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;

  Subjects subjects;
  const std::vector<Check> checks = check_rows(subjects);
  if (!for_programs) print_subjects(subjects, checks);
  std::fflush(stdout);
  if (!std::all_of(checks.begin(), checks.end(), [](const Check& check) { return check.passed(); })) {
    std::fprintf(stderr, "sinew_bench_animation: rows that compute nonsense are not timed\n");
    return 1;
  }

  benchmark::AddCustomContext("cpu", cpu_name());
  benchmark::AddCustomContext("instruction_set", subjects.rigid.crowd.instruction_set());
  benchmark::AddCustomContext("bake_error_mm", std::to_string(bake_error_mm(subjects.rigid.baked)));
  register_rows(subjects);
  if (for_programs) {
    benchmark::RunSpecifiedBenchmarks();
    return 0;
  }
  MedianReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  if (!reporter.medians().empty())
    print_ratios(reporter.medians(), subjects.rigid.palette_stride * sizeof(sinew::Matrix3x4));
  return 0;
}
