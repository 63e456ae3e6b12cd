// The comparison of two reports: for each stage one of four verdicts, and the counters, which must be equal.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "crowd/report/verdict.h"
#include "options/option_table.h"
#include "sinew/asset/result.h"

namespace sinew::app {

struct CrowdOptions;
struct Report;

// --- a report that was read back from its JSON, as far as comparisons need it ---

/// Values by name. They are JSON: "8", "\"compute\"", "[1,2]".
using Facts = std::map<std::string, std::string>;

struct StoredRun {
  std::string title;  // "1,000 characters of character, compute skinning"
  Facts settings;     // what was requested: runs with other settings are different work
  Facts counters;     // of the last frame of the first repeat: the same work has the same
  std::map<std::string, std::vector<double>> stages_ms;  // "gpu skin": the median of each part; those that have times
};

struct StoredReport {
  std::string commit;
  uint32_t repeats = 1;  // of the same frames
  bool is_interrupted = false;
  Facts machine;             // device, CPU and build type: times of other machines say nothing
  double fixed_task_ms = 0;  // the mean before and after the run; 0: not measured
  double disturbance = 1;    // other programs may have slowed a part of the run by this factor
  std::vector<StoredRun> runs;
};

/// Reads a report of schema 1. `name` is for messages. Errors: kInvalidData, for text that is no such report.
Result<StoredReport> parse_report(const std::string& json, const std::string& name);

/// Reads it from a file.
Result<StoredReport> read_report(const std::string& path);

/// Whether runs can be compared with a report that was read from `path`. Errors: kUnsupported, with what to do.
Status check_older(const StoredReport& older, const std::string& path);
/// Whether it has a run of these options, as far as they are known before anything is drawn. Errors: as above.
Status check_settings(const StoredReport& older, const CrowdOptions& options);
/// Whether it is of the machine of `newer`, which needs no runs yet. Errors: kUnsupported; the message names what
/// differs.
Status check_machine(const StoredReport& older, const Report& newer);

// --- comparisons ---

struct StageComparison {
  std::string name;
  double old_ms = 0, new_ms = 0;  // medians over the parts
  TimeRatio ratio;
  Verdict verdict = Verdict::kCannotTell;
  bool has_zero = false;  // no ratio is known of times of 0
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
  double disturbance = 1;    // of both reports together; 1 in pairs
  bool paired = false;
  std::vector<RunComparison> runs;
  bool lacks_stages = false;  // the old report has too few times of some, which are left out
};

/// How many pairs leave out one that something else disturbed, for the frames of so many runs: 12 for one run.
uint32_t pairs_for(size_t run_count);

/// Compares each run of the new report with that of the same settings in the old one. In 98 of 100 comparisons all
/// intervals of all runs contain the true ratio: half of the other two are left to the frames, half to all other
/// stages. Errors: kUnsupported, where they cannot be compared; the message names what differs.
Result<ReportComparison> compare_reports(const StoredReport& older, const StoredReport& newer);
/// The same with the report of this run.
Result<ReportComparison> compare_reports(const StoredReport& older, const Report& newer);

/// Compares reports of two programs that ran in turn: `older[i]` with `newer[i]`. Reports 2k and 2k + 1 are pair k, so
/// that each program can be the first in one of them. Errors: as above, and kUnsupported where a list
/// is empty.
Result<ReportComparison> compare_pairs(const std::vector<StoredReport>& older, const std::vector<StoredReport>& newer);

/// One or two sentences: what became of the frames, and in how many rows other stages are faster or slower. No ratio of
/// which the times cannot tell.
std::string verdict_sentence(const ReportComparison& comparison);

/// The sentence, and a table for each run; `old_name` is the file or program that is compared with.
std::string comparison_table(const ReportComparison& comparison, const std::string& old_name);

/// All of it for the page of a report. `old_name` as above.
Json to_json(const ReportComparison& comparison, const std::string& old_name);

/// Whether the frame of any run is slower by more than `share`.
bool is_slower_by(const ReportComparison& comparison, double share);

}  // namespace sinew::app
