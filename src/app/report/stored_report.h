// A report that was read back from its JSON, as far as comparisons need it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sinew/asset/result.h"

namespace sinew::app {

/// Values by name. They are JSON: "8", "\"compute\"", "[1,2]".
using Facts = std::map<std::string, std::string>;

struct StoredRun {
  std::string title;  // "1,000 characters of character, compute skinning"
  Facts settings;     // what was requested: runs with other settings are different work
  Facts counters;     // of the last frame: the same work has the same
  std::map<std::string, std::vector<double>> stages_ms;  // "gpu skin": the median of each repeat; those that have times
};

struct StoredReport {
  std::string commit;
  Facts machine;             // device, CPU and build type: times of other machines say nothing
  double fixed_task_ms = 0;  // the mean before and after the run; 0: not measured
  std::vector<StoredRun> runs;
};

/// Reads a report of schema 1. `name` is for messages. Errors: kInvalidData, for text that is no such report.
Result<StoredReport> parse_report(const std::string& json, const std::string& name);

/// Reads it from a file.
Result<StoredReport> read_report(const std::string& path);

}  // namespace sinew::app
