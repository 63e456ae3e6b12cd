// The comparison of two reports: for each stage one of four verdicts, and the counters, which must be equal.
#pragma once

#include <string>
#include <vector>

#include "report/stored_report.h"
#include "report/verdict.h"

namespace sinew::app {

struct StageComparison {
  std::string name;
  double old_ms = 0, new_ms = 0;  // medians over the repeats
  TimeRatio ratio;
  Verdict verdict = Verdict::kCannotTell;
};

/// A counter or setting that differs; the values are JSON.
struct CounterChange {
  std::string name, old_value, new_value;
};

struct RunComparison {
  std::string title;
  std::vector<StageComparison> stages;
  std::vector<CounterChange> counters;
};

struct ReportComparison {
  std::string old_commit, new_commit;
  double machine_drift = 1;  // how much slower the machine itself was in the new report; 1 in pairs
  bool paired = false;
  std::vector<RunComparison> runs;
};

/// Compares each run of the new report with that of the same settings in the old one. Errors: kUnsupported, where they
/// cannot be compared; the message names what differs.
Result<ReportComparison> compare_reports(const StoredReport& older, const StoredReport& newer);

/// Compares reports of two programs that ran in turn: `older[i]` with `newer[i]`. Reports 2k and 2k + 1 are pair k, so
/// that each program can be the first in one of them. Errors: as above, and kUnsupported where a list
/// is empty.
Result<ReportComparison> compare_pairs(const std::vector<StoredReport>& older, const std::vector<StoredReport>& newer);

/// A table for each run; `old_name` is the file or program that is compared with.
std::string comparison_table(const ReportComparison& comparison, const std::string& old_name);

/// Whether the frame of any run is slower by more than `share`.
bool is_slower_by(const ReportComparison& comparison, double share);

}  // namespace sinew::app
