// What one wants to know of a run, after Google Benchmark's own table.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

#include "checks.h"
#include "rows.h"

namespace sinew::bench {

/// The processor as the system names it.
std::string cpu_name();

/// Keeps the medians, and prints them as Google Benchmark does, in the order of the rows' registration.
class MedianReporter : public benchmark::ConsoleReporter {
 public:
  MedianReporter() : ConsoleReporter(OO_Tabular) {}

  struct Median {
    double ns_per_joint = 0, gb_per_second = 0, wall_time = 0;
  };

  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

  /// By the row's name, such as crowd/1000.
  const std::map<std::string, Median>& medians() const { return medians_; }

 private:
  std::vector<Run> runs_;
  std::map<std::string, Median> medians_;
};

/// The machine, the workload, and what the checks gave.
void print_subjects(const Subjects& subjects, const std::vector<Check>& checks);

/// Ratios between the rows that were run. `palette_bytes` is what an instance's palette takes.
void print_ratios(const std::map<std::string, MedianReporter::Median>& medians, size_t palette_bytes);

}  // namespace sinew::bench
