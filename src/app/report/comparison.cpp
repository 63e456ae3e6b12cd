#include "report/comparison.h"

#include <algorithm>
#include <cmath>

#include "report/report.h"
#include "system/text.h"

namespace sinew::app {
namespace {

const std::string* value_of(const Facts& facts, const std::string& name) {
  const auto found = std::find_if(facts.begin(), facts.end(), [&](const auto& fact) { return fact.first == name; });
  return found == facts.end() ? nullptr : &found->second;
}

/// The first fact that both have, with other values.
const std::pair<std::string, std::string>* first_difference(const Facts& older, const Facts& newer) {
  for (const auto& fact : newer) {
    const std::string* old_value = value_of(older, fact.first);
    if (old_value && *old_value != fact.second) return &fact;
  }
  return nullptr;
}

std::string difference(const Facts& older, const std::pair<std::string, std::string>& fact) {
  return fact.first + " was " + *value_of(older, fact.first) + " and is " + fact.second;
}

Status check_same_machine(const StoredReport& older, const StoredReport& newer) {
  const auto* other = first_difference(older.machine, newer.machine);
  if (!other) return {};
  return Error{ErrorCode::kUnsupported, "the reports cannot be compared: " + difference(older.machine, *other)};
}

/// How many settings differ; the run with the fewest is the one that was meant.
size_t count_differences(const Facts& older, const Facts& newer) {
  return size_t(std::count_if(newer.begin(), newer.end(), [&](const auto& fact) {
    const std::string* old_value = value_of(older, fact.first);
    return old_value && *old_value != fact.second;
  }));
}

Result<const StoredRun*> find_run(const StoredReport& older, const StoredRun& run) {
  const auto nearest = std::min_element(older.runs.begin(), older.runs.end(), [&](const auto& a, const auto& b) {
    return count_differences(a.settings, run.settings) < count_differences(b.settings, run.settings);
  });
  if (nearest == older.runs.end()) return Error{ErrorCode::kUnsupported, "the older report has no runs"};
  const auto* other = first_difference(nearest->settings, run.settings);
  if (!other) return &*nearest;
  return Error{ErrorCode::kUnsupported,
               "the reports cannot be compared: " + run.title + ": " + difference(nearest->settings, *other)};
}

const StoredStage* find_stage(const StoredRun& run, const std::string& name) {
  const auto found =
      std::find_if(run.stages.begin(), run.stages.end(), [&](const StoredStage& stage) { return stage.name == name; });
  return found == run.stages.end() ? nullptr : &*found;
}

std::vector<CounterChange> changed_counters(const StoredRun& older, const StoredRun& newer) {
  std::vector<CounterChange> changes;
  for (const auto& [name, value] : newer.counters) {
    const std::string* old_value = value_of(older.counters, name);
    if (old_value && *old_value != value) changes.push_back({name, *old_value, value});
  }
  return changes;
}

template <class RatioOf>
RunComparison compare_runs(const StoredRun& older, const StoredRun& newer, RatioOf ratio_of) {
  RunComparison result{newer.title, {}, changed_counters(older, newer)};
  for (const StoredStage& stage : newer.stages) {
    const StoredStage* old_stage = find_stage(older, stage.name);
    if (!old_stage || old_stage->repeats_ms.empty() || stage.repeats_ms.empty()) continue;
    StageComparison compared{stage.name, *percentile(old_stage->repeats_ms, 0.5), *percentile(stage.repeats_ms, 0.5),
                             ratio_of(old_stage->repeats_ms, stage.repeats_ms)};
    compared.verdict = verdict_of(compared.ratio);
    result.stages.push_back(std::move(compared));
  }
  return result;
}

/// The medians of each stage over the repeats of a report, for all reports. All must have the same runs.
Result<StoredReport> medians_of(const std::vector<StoredReport>& reports) {
  if (reports.empty()) return Error{ErrorCode::kUnsupported, "there are no reports to compare"};
  StoredReport all = reports.front();
  for (StoredRun& run : all.runs) {
    for (StoredStage& stage : run.stages) stage.repeats_ms.clear();
    for (const StoredReport& report : reports) {
      auto same = find_run(report, run);
      if (!same) return same.error();
      for (StoredStage& stage : run.stages) {
        const StoredStage* more = find_stage(**same, stage.name);
        const auto median = more ? percentile(more->repeats_ms, 0.5) : std::nullopt;
        if (median) stage.repeats_ms.push_back(*median);
      }
    }
  }
  return all;
}

/// The geometric mean of each two times that follow one another: what slows the first of a pair slows both programs
/// once.
std::vector<double> means_of_two(const std::vector<double>& times) {
  std::vector<double> means;
  for (size_t i = 0; i + 1 < times.size(); i += 2) means.push_back(std::sqrt(times[i] * times[i + 1]));
  return means;
}

template <class RatioOf>
Result<ReportComparison> compare(const StoredReport& older, const StoredReport& newer, RatioOf ratio_of) {
  if (Status same = check_same_machine(older, newer); !same) return same.error();
  ReportComparison result;
  result.old_commit = older.commit, result.new_commit = newer.commit;
  for (const StoredRun& run : newer.runs) {
    auto old_run = find_run(older, run);
    if (!old_run) return old_run.error();
    result.runs.push_back(compare_runs(**old_run, run, ratio_of));
  }
  return result;
}

std::string percent(double ratio) { return text("%+.1f %%", (ratio - 1) * 100); }

std::string row(const StageComparison& stage) {
  const double change = stage.ratio.is_known ? stage.ratio.median : stage.new_ms / stage.old_ms;
  std::string line = text("  %-12s %9s %9s %9s", stage.name.c_str(), rounded(stage.old_ms).c_str(),
                          rounded(stage.new_ms).c_str(), percent(change).c_str());
  const std::string range = percent(stage.ratio.low) + " to " + percent(stage.ratio.high);
  return line + text("   %-20s %s\n", stage.ratio.is_known ? range.c_str() : "too few repeats", name_of(stage.verdict));
}

}  // namespace

Result<ReportComparison> compare_reports(const StoredReport& older, const StoredReport& newer) {
  const bool measured = older.fixed_task_ms > 0 && newer.fixed_task_ms > 0;
  const double drift = measured ? newer.fixed_task_ms / older.fixed_task_ms : 1;
  auto compared = compare(older, newer, [&](const std::vector<double>& old_ms, const std::vector<double>& new_ms) {
    return unpaired_ratio(old_ms, new_ms, drift);
  });
  if (compared) compared->machine_drift = drift;
  return compared;
}

Result<ReportComparison> compare_pairs(const std::vector<StoredReport>& older, const std::vector<StoredReport>& newer) {
  const auto old_report = medians_of(older), new_report = medians_of(newer);
  if (!old_report) return old_report.error();
  if (!new_report) return new_report.error();
  const auto ratio_of = [](const std::vector<double>& old_ms, const std::vector<double>& new_ms) {
    return paired_ratio(means_of_two(old_ms), means_of_two(new_ms));
  };
  auto compared = compare(*old_report, *new_report, ratio_of);
  if (compared) compared->paired = true;
  return compared;
}

std::string comparison_table(const ReportComparison& comparison, const std::string& old_name) {
  std::string lines = text("\nagainst %s: commit %s; this is %s", old_name.c_str(), comparison.old_commit.c_str(),
                           comparison.new_commit.c_str());
  lines += comparison.paired
               ? "; both ran in turn\n"
               : text("; the machine itself took %s for a fixed task\n", percent(comparison.machine_drift).c_str());
  for (const RunComparison& run : comparison.runs) {
    lines += "\n" + run.title + "\n";
    lines += text("  %-12s %9s %9s %9s   %-20s %s\n", "milliseconds", "old", "new", "change", "98 % sure", "verdict");
    for (const StageComparison& stage : run.stages) lines += row(stage);
    for (const CounterChange& change : run.counters)
      lines += "  " + change.name + " was " + change.old_value + ", is " + change.new_value + "\n";
    if (run.counters.empty()) lines += "  all counters are equal\n";
  }
  return lines;
}

bool is_slower_by(const ReportComparison& comparison, double share) {
  return std::any_of(comparison.runs.begin(), comparison.runs.end(), [&](const RunComparison& run) {
    return std::any_of(run.stages.begin(), run.stages.end(), [&](const StageComparison& stage) {
      return stage.name == "frame" && stage.verdict == Verdict::kSlower && stage.ratio.median > 1 + share;
    });
  });
}

}  // namespace sinew::app
