#include "crowd/report/comparison.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "crowd/report/report.h"
#include "system/text.h"

namespace sinew::app {
namespace {

// --- reports that are read back ---

/// The value at a JSON pointer; null where there is none.
Json value_at(const Json& json, const char* path) {
  const Json::json_pointer pointer(path);
  return json.contains(pointer) ? json.at(pointer) : Json();
}

/// The medians of the repeats; before there were repeats, reports had one median.
std::vector<double> medians_of(const Json& times) {
  if (!times.is_object()) return {};
  if (times.contains("repeats")) return times["repeats"].get<std::vector<double>>();
  return times.contains("p50") ? std::vector{times["p50"].get<double>()} : std::vector<double>();
}

StoredRun stored_run(const Json& json) {
  const Report any_report;
  const RunReport any_run;
  StoredRun run;
  run.title = text("%s: %s characters of %s, %s skinning", json.value("scene", "").c_str(),
                   grouped(json.value("characters", uint64_t(0))).c_str(), json.value("model", "").c_str(),
                   json.value("skinning", "").c_str());
  for (const Field& field : fields_of(any_report, any_run)) {
    if (!json.contains(field.name)) continue;
    if (field.kind == FieldKind::kSetting) run.settings[field.name] = json[field.name].dump();
    if (field.kind == FieldKind::kCounter) run.counters[field.name] = json[field.name].dump();
  }
  const uint64_t repeats = json.value("repeats", uint64_t(1)), frames = json.value("frames", uint64_t(0));
  run.settings["frames_per_repeat"] = std::to_string(repeats > 0 ? frames / repeats : 0);
  for (const StageRow& stage : all_stages()) {
    std::vector<double> medians = medians_of(value_at(json, stage.json));
    if (!medians.empty()) run.stages_ms[stage.name] = std::move(medians);
  }
  return run;
}

Facts machine_of(const Json& json) {
  constexpr std::pair<const char*, const char*> kPaths[] = {
      {"device", "/device/name"},          {"driver", "/device/driver"},  {"cpu", "/cpu/name"},
      {"threads", "/cpu/threads"},         {"build type", "/build_type"}, {"instruction set", "/cpu/instruction_set"},
      {"validation", "/machine/validated"}};
  Facts facts;
  for (const auto& [name, path] : kPaths) facts[name] = value_at(json, path).dump();
  return facts;
}

double fixed_task_of(const Json& json) {
  const Json before = value_at(json, "/machine/fixed_task_before/ms");
  const Json after = value_at(json, "/machine/fixed_task_after/ms");
  return before.is_number() && after.is_number() ? (before.get<double>() + after.get<double>()) / 2 : 0;
}

// --- comparisons ---

/// What both have with other values.
std::vector<CounterChange> differences(const Facts& older, const Facts& newer) {
  std::vector<CounterChange> changes;
  for (const auto& [name, value] : newer) {
    const auto old = older.find(name);
    if (old != older.end() && old->second != value) changes.push_back({name, old->second, value});
  }
  return changes;
}

Error incomparable(const std::string& whose, const CounterChange& change) {
  return {ErrorCode::kUnsupported, "the reports cannot be compared: " + whose + change.name + " was " +
                                       change.old_value + " and is " + change.new_value};
}

/// The run with the fewest other settings is the one that was meant. It may have none.
Result<const StoredRun*> find_run(const StoredReport& older, const StoredRun& run) {
  const auto nearest = std::min_element(older.runs.begin(), older.runs.end(), [&](const auto& a, const auto& b) {
    return differences(a.settings, run.settings).size() < differences(b.settings, run.settings).size();
  });
  if (nearest == older.runs.end()) return Error{ErrorCode::kUnsupported, "the older report has no runs"};
  const auto changes = differences(nearest->settings, run.settings);
  if (!changes.empty()) return incomparable(run.title + ": ", changes.front());
  return &*nearest;
}

template <class RatioOf>
RunComparison compare_runs(const StoredRun& older, const StoredRun& newer, RatioOf ratio_of) {
  RunComparison result{newer.title, {}, differences(older.counters, newer.counters)};
  for (const StageRow& stage : all_stages()) {
    const auto old_ms = older.stages_ms.find(stage.name), new_ms = newer.stages_ms.find(stage.name);
    if (old_ms == older.stages_ms.end() || new_ms == newer.stages_ms.end()) continue;
    StageComparison compared{stage.name, *percentile(old_ms->second, 0.5), *percentile(new_ms->second, 0.5),
                             ratio_of(old_ms->second, new_ms->second)};
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
    run.stages_ms.clear();
    for (const StoredReport& report : reports) {
      auto same = find_run(report, run);
      if (!same) return same.error();
      for (const auto& [stage, repeats_ms] : (*same)->stages_ms)
        run.stages_ms[stage].push_back(*percentile(repeats_ms, 0.5));
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
  const auto other_machine = differences(older.machine, newer.machine);
  if (!other_machine.empty()) return incomparable("", other_machine.front());
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

Result<StoredReport> parse_report(const std::string& json_text, const std::string& name) {
  const std::string problem = name + ": not a report of sinew crowd, JSON schema 1";
  const Json json = Json::parse(json_text, nullptr, false);
  if (!json.is_object() || json.value("schema", Json()) != Json(1) || !value_at(json, "/runs").is_array())
    return Error{ErrorCode::kInvalidData, problem};
  StoredReport report;
  try {
    const Json commit = value_at(json, "/commit");
    report.commit = commit.is_string() ? commit.get<std::string>() : "unknown";
    report.machine = machine_of(json);
    report.fixed_task_ms = fixed_task_of(json);
    for (const Json& run : json["runs"]) report.runs.push_back(stored_run(run));
  } catch (const Json::exception&) {
    return Error{ErrorCode::kInvalidData, problem + ": a field has another type"};
  }
  return report;
}

Result<StoredReport> read_report(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{ErrorCode::kNotFound, path + ": cannot be read"};
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return parse_report(bytes, path);
}

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
