// The summary of a run, printed around Google Benchmark's own table.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

#include "checks.h"
#include "rows.h"

namespace sinew::bench {

/// The processor's name from the operating system.
std::string cpu_name();

/// Keeps the medians, and prints them in Google Benchmark's table, in the order in which the rows were registered.
class MedianReporter : public benchmark::ConsoleReporter {
 public:
  MedianReporter() : ConsoleReporter(OO_Tabular) {}

  struct Median {
    double ns_per_joint = 0, gb_per_second = 0, wall_time = 0;
  };

  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

  /// Keys are "row/instances", such as "crowd/1000".
  const std::map<std::string, Median>& medians() const { return medians_; }

 private:
  std::vector<Run> runs_;
  std::map<std::string, Median> medians_;
};

/// Prints the machine, the workload, and the results of the checks.
void print_subjects(const Subjects& subjects, const std::vector<Check>& checks);

/// Prints ratios between the rows that were run. `palette_bytes` is the size of one instance's palette.
void print_ratios(const std::map<std::string, MedianReporter::Median>& medians, size_t palette_bytes);

}  // namespace sinew::bench
