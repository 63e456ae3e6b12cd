#include "crowd/report/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "crowd/report/report.h"
#include "system/paths.h"
#include "system/text.h"

namespace sinew::app {
namespace {

// --- reports that are read back ---

/// The value at a JSON pointer; null where there is none.
Json value_at(const Json& json, const char* path) {
  const Json::json_pointer pointer(path);
  return json.contains(pointer) ? json.at(pointer) : Json();
}

/// The medians of the parts. Reports of older versions have those of the repeats only; of whole frames, each frame.
std::vector<double> medians_of(const Json& times, uint32_t repeats) {
  if (!times.is_object()) return {};
  if (times.contains("parts")) return times["parts"].get<std::vector<double>>();
  if (times.contains("frames")) return part_medians(times["frames"].get<Samples>(), repeats);
  return times.value("repeats", times.contains("p50") ? std::vector{times["p50"].get<double>()} : Samples());
}

uint32_t repeats_of(const Json& run) { return std::max(run.value("repeats", 1u), 1u); }

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
  const uint32_t repeats = repeats_of(json), frames = json.value("frames", 0u);
  run.settings["frames_per_repeat"] = std::to_string(frames / repeats);
  for (const StageRow& stage : all_stages()) {
    std::vector<double> medians = medians_of(value_at(json, stage.json), repeats);
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

/// Other programs that used half of the processors may have slowed some repeats by a factor of two. Counts from where
/// doubts_about() begins.
double disturbance_of(const Json& json) {
  const auto above = [&](const char* path, double least) {
    const Json value = value_at(json, path);
    return value.is_number() && value.get<double>() > least ? value.get<double>() : 0;
  };
  const double taken = above("/machine/others", kMaxOthers) + above("/machine/stolen", kMaxStolen);
  const double noise = std::max(above("/machine/fixed_task_before/spread", kMaxNoise),
                                above("/machine/fixed_task_after/spread", kMaxNoise));
  return (1 + noise) / (1 - std::min(taken, 0.99));
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
                                       change.old_value + " and is " + change.new_value +
                                       (change.name == "device" ? "; --device chooses one" : "")};
}

Status check_machine(const StoredReport& older, const StoredReport& newer) {
  const auto other_machine = differences(older.machine, newer.machine);
  return other_machine.empty() ? Status() : incomparable("", other_machine.front());
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

bool is_frame(const std::string& stage) { return stage == "frame"; }

/// The runs of the same settings.
struct RunPair {
  const StoredRun *older, *newer;
};

/// How rarely an interval may miss, so that all intervals of a table together miss as rarely as kMaxMissShare says.
struct RowShares {
  double frame = kMaxMissShare, other = kMaxMissShare;
};

RowShares row_shares(std::span<const RunPair> runs) {
  size_t frames = 0, others = 0;
  for (const auto& [older, newer] : runs) {
    for (const auto& [stage, times] : newer->stages_ms) {
      if (older->stages_ms.contains(stage)) ++(is_frame(stage) ? frames : others);
    }
  }
  const double half = kMaxMissShare / 2;
  return {half / double(std::max<size_t>(frames, 1)), half / double(std::max<size_t>(others, 1))};
}

template <class RatioOf>
RunComparison compare_runs(const RunPair& runs, const RowShares& shares, RatioOf ratio_of) {
  const auto& [older, newer] = runs;
  RunComparison result{newer->title, {}, differences(older->counters, newer->counters)};
  for (const StageRow& stage : all_stages()) {
    const auto old_ms = older->stages_ms.find(stage.name), new_ms = newer->stages_ms.find(stage.name);
    if (old_ms == older->stages_ms.end() || new_ms == newer->stages_ms.end()) continue;
    const double miss_share = is_frame(stage.name) ? shares.frame : shares.other;
    StageComparison compared{stage.name, *percentile(old_ms->second, 0.5), *percentile(new_ms->second, 0.5),
                             ratio_of(old_ms->second, new_ms->second, miss_share)};
    compared.verdict = verdict_of(compared.ratio);
    compared.has_zero = std::ranges::min(old_ms->second) <= 0 || std::ranges::min(new_ms->second) <= 0;
    result.stages.push_back(std::move(compared));
  }
  return result;
}

/// Without the stages that have too few times for a verdict.
StoredReport with_enough_times(StoredReport report) {
  for (StoredRun& run : report.runs)
    std::erase_if(run.stages_ms, [](const auto& stage) { return stage.second.size() < kMinRepeats; });
  return report;
}

size_t stage_count(const StoredReport& report) {
  size_t count = 0;
  for (const StoredRun& run : report.runs) count += run.stages_ms.size();
  return count;
}

/// The medians of each stage over the parts of a report, for all reports. All must have the same runs.
Result<StoredReport> medians_of(const std::vector<StoredReport>& reports) {
  if (reports.empty()) return Error{ErrorCode::kUnsupported, "there are no reports to compare"};
  StoredReport all = reports.front();
  for (StoredRun& run : all.runs) {
    run.stages_ms.clear();
    for (const StoredReport& report : reports) {
      auto same = find_run(report, run);
      if (!same) return same.error();
      for (const auto& [stage, parts_ms] : (*same)->stages_ms)
        run.stages_ms[stage].push_back(*percentile(parts_ms, 0.5));
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
  if (Status same = check_machine(older, newer); !same) return same.error();
  std::vector<RunPair> pairs;
  for (const StoredRun& run : newer.runs) {
    auto old_run = find_run(older, run);
    if (!old_run) return old_run.error();
    pairs.push_back({*old_run, &run});
  }
  ReportComparison result;
  result.old_commit = older.commit, result.new_commit = newer.commit;
  for (const RunPair& pair : pairs) result.runs.push_back(compare_runs(pair, row_shares(pairs), ratio_of));
  return result;
}

// --- text ---

/// A change without its sign: tenths of a percent below ten, two digits above.
std::string change_of(double ratio) { return percent(std::abs(ratio - 1)) + " %"; }

std::string signed_change(double ratio) { return (ratio < 1 ? "-" : "+") + change_of(ratio); }

std::string range_of(const StageComparison& stage) {
  const TimeRatio& ratio = stage.ratio;
  if (!ratio.is_known) return stage.has_zero ? "times of 0" : "too few times";
  return signed_change(ratio.low) + " to " + signed_change(ratio.high);
}

/// The times have two digits where the interval is wide, unless different ones would look equal.
std::string row(const StageComparison& stage) {
  const bool told = stage.verdict != Verdict::kCannotTell;
  const bool noisy = !stage.ratio.is_known || stage.ratio.high - stage.ratio.low > 2 * kNoisySpread;
  const int digits = digits_for(std::array{stage.old_ms, stage.new_ms}, noisy);
  std::string line =
      text("  %-12s %9s %9s %9s", stage.name.c_str(), rounded(stage.old_ms, digits).c_str(),
           rounded(stage.new_ms, digits).c_str(), told ? signed_change(stage.ratio.median).c_str() : "-");
  return line + text("   %-20s %s\n", range_of(stage).c_str(), name_of(stage.verdict));
}

using VerdictCounts = std::array<size_t, 4>;  // by Verdict

/// Of all runs.
VerdictCounts count_verdicts(const ReportComparison& comparison, bool of_frames) {
  VerdictCounts counts = {};
  for (const RunComparison& run : comparison.runs) {
    for (const StageComparison& stage : run.stages) counts[size_t(stage.verdict)] += is_frame(stage.name) == of_frames;
  }
  return counts;
}

std::string sentence_of_one_frame(const StageComparison& frame) {
  switch (frame.verdict) {
    case Verdict::kSame:
      return text("Frames take the same time, within %.0f %%.", kSameShare * 100);
    case Verdict::kCannotTell:
      return "These times cannot tell whether frames are faster or slower.";
    default:
      break;
  }
  const bool slower = frame.verdict == Verdict::kSlower;
  const double least = slower ? frame.ratio.low : frame.ratio.high, most = slower ? frame.ratio.high : frame.ratio.low;
  return text("Frames take %s %s time, at least %s and at most %s.", change_of(frame.ratio.median).c_str(),
              slower ? "more" : "less", change_of(least).c_str(), change_of(most).c_str());
}

std::string sentence_of_frames(const ReportComparison& comparison, const VerdictCounts& counts) {
  for (const RunComparison& run : comparison.runs) {
    const auto frame = std::ranges::find_if(run.stages, is_frame, &StageComparison::name);
    if (comparison.runs.size() == 1 && frame != run.stages.end()) return sentence_of_one_frame(*frame);
  }
  std::string parts;
  for (const Verdict verdict : {Verdict::kSlower, Verdict::kFaster, Verdict::kSame}) {
    if (const size_t count = counts[size_t(verdict)])
      parts += text("%s%s in %zu", parts.empty() ? "" : ", ", verdict == Verdict::kSame ? "the same" : name_of(verdict),
                    count);
  }
  if (parts.empty()) return "These times cannot tell of any run whether frames are faster or slower.";
  const size_t unknown = counts[size_t(Verdict::kCannotTell)];
  return text("Of %zu runs, frames are %s%s.", comparison.runs.size(), parts.c_str(),
              unknown > 0 ? text("; of %zu the times cannot tell", unknown).c_str() : "");
}

std::string doubts_of(const ReportComparison& comparison) {
  std::string lines;
  if (comparison.disturbance > 1)
    lines +=
        "Other programs disturbed a run: compare again on an idle machine, or with --against, which runs both in "
        "turn.\n";
  if (comparison.lacks_stages)
    lines += "The old report has too few times of some stages: measure it again with this version to compare all.\n";
  return lines;
}

}  // namespace

Result<StoredReport> parse_report(const std::string& json_text, const std::string& name) {
  const std::string problem = name + ": not a report of sinew crowd, JSON schema 1";
  const Json json = Json::parse(json_text, nullptr, false);
  if (json.is_discarded()) return Error{ErrorCode::kInvalidData, problem + ": no JSON, or not all of it"};
  const Json schema = json.is_object() ? json.value("schema", Json()) : Json();
  if (schema.is_number() && schema != Json(1))
    return Error{ErrorCode::kInvalidData, problem + ", but " + schema.dump() + ": of another version of this program"};
  if (schema != Json(1) || !value_at(json, "/runs").is_array()) return Error{ErrorCode::kInvalidData, problem};
  StoredReport report;
  try {
    const Json commit = value_at(json, "/commit");
    report.commit = commit.is_string() ? commit.get<std::string>() : "unknown";
    report.machine = machine_of(json);
    report.fixed_task_ms = fixed_task_of(json);
    report.disturbance = disturbance_of(json);
    report.is_interrupted = json.value("interrupted", false);
    for (const Json& run : json["runs"]) report.runs.push_back(stored_run(run)), report.repeats = repeats_of(run);
  } catch (const Json::exception&) {
    return Error{ErrorCode::kInvalidData, problem + ": a field has another type"};
  }
  return report;
}

Result<StoredReport> read_report(const std::string& path) {
  std::ifstream file(path_of(path), std::ios::binary);
  if (!file) return Error{ErrorCode::kNotFound, path + ": cannot be read"};
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return parse_report(bytes, path);
}

/// A device or a budget may change the other settings.
Status check_settings(const StoredReport& older, const CrowdOptions& options) {
  constexpr std::string_view kKnown[] = {"scene", "characters", "seed",       "camera", "cull",  "lod",   "update_rate",
                                         "width", "height",     "rasterized", "warmup", "slots", "clips", "evaluator"};
  RunReport asked;
  asked.options = options;
  StoredRun run{.title = "the first run"};
  for (const Field& field : fields_of(Report(), asked)) {
    if (std::ranges::find(kKnown, field.name) != std::end(kKnown)) run.settings[field.name] = field.value.dump();
  }
  const auto found = find_run(older, run);
  if (found) return {};
  return Error{found.error().code, found.error().message + "; give the options of the older run"};
}

Status check_older(const StoredReport& older, const std::string& path) {
  const auto problem = [&](const std::string& what) { return Error{ErrorCode::kUnsupported, path + ": " + what}; };
  if (older.is_interrupted) return problem("its run was interrupted: measure it again");
  if (older.runs.empty()) return problem("it has no runs: measure it again");
  if (older.repeats > kMaxRepeats)
    return problem(text("it claims %u repeats, more than %u", older.repeats, kMaxRepeats));
  for (const StoredRun& run : older.runs) {
    const auto frame = run.stages_ms.find("frame");
    const size_t times = frame == run.stages_ms.end() ? 0 : frame->second.size();
    if (times < kMinRepeats)
      return problem(
          text("it has %zu of the %zu frame times that a verdict needs: measure it again, with more --frames", times,
               kMinRepeats));
  }
  return {};
}

Status check_machine(const StoredReport& older, const Report& newer) {
  const auto stored = parse_report(to_json(newer), "this run");
  return stored ? check_machine(older, *stored) : stored.error();
}

Result<ReportComparison> compare_reports(const StoredReport& older, const StoredReport& newer) {
  const bool measured = older.fixed_task_ms > 0 && newer.fixed_task_ms > 0;
  const double drift = measured ? newer.fixed_task_ms / older.fixed_task_ms : 1;
  const MachineDrift range{std::min(1.0, drift) / older.disturbance, std::max(1.0, drift) * newer.disturbance};
  const StoredReport told = with_enough_times(older);
  auto compared = compare(told, newer, [&](const auto& old_ms, const auto& new_ms, double miss_share) {
    return unpaired_ratio(old_ms, new_ms, range, miss_share);
  });
  if (!compared) return compared;
  compared->machine_drift = drift, compared->disturbance = older.disturbance * newer.disturbance;
  compared->lacks_stages = stage_count(told) < stage_count(older);
  return compared;
}

Result<ReportComparison> compare_reports(const StoredReport& older, const Report& newer) {
  const auto stored = parse_report(to_json(newer), "this run");
  if (!stored) return stored.error();
  return compare_reports(older, *stored);
}

uint32_t pairs_for(size_t run_count) {
  const double of_each_frame = kMaxMissShare / 2 / double(std::max<size_t>(run_count, 1));
  uint32_t pairs = kMinRepeats;
  while (left_out(pairs, of_each_frame).value_or(0) < 1) ++pairs;
  return pairs;
}

Result<ReportComparison> compare_pairs(const std::vector<StoredReport>& older, const std::vector<StoredReport>& newer) {
  const auto old_report = medians_of(older), new_report = medians_of(newer);
  if (!old_report) return old_report.error();
  if (!new_report) return new_report.error();
  const auto ratio_of = [](const auto& old_ms, const auto& new_ms, double miss_share) {
    return paired_ratio(means_of_two(old_ms), means_of_two(new_ms), miss_share);
  };
  auto compared = compare(*old_report, *new_report, ratio_of);
  if (compared) compared->paired = true;
  return compared;
}

std::string verdict_sentence(const ReportComparison& comparison) {
  std::string sentence = sentence_of_frames(comparison, count_verdicts(comparison, true));
  const VerdictCounts others = count_verdicts(comparison, false);
  const size_t slower = others[size_t(Verdict::kSlower)], faster = others[size_t(Verdict::kFaster)];
  if (slower > 0) sentence += text(" Slower among the other stages: %zu.", slower);
  if (faster > 0) sentence += text(" Faster among the other stages: %zu.", faster);
  return sentence;
}

std::string comparison_table(const ReportComparison& comparison, const std::string& old_name) {
  std::string lines = text("\nagainst %s: commit %s; this is %s", old_name.c_str(), comparison.old_commit.c_str(),
                           comparison.new_commit.c_str());
  lines += comparison.paired ? "; both ran in turn\n"
                             : text("; the machine itself took %s for a fixed task\n",
                                    signed_change(comparison.machine_drift).c_str());
  lines += verdict_sentence(comparison) + "\n" + doubts_of(comparison);
  for (const RunComparison& run : comparison.runs) {
    lines += "\n" + run.title + "\n";
    lines +=
        text("  %-12s %9s %9s %9s   %-20s %s\n", "milliseconds", "old", "new", "change", "98 % sure of all", "verdict");
    for (const StageComparison& stage : run.stages) lines += row(stage);
    for (const CounterChange& change : run.counters)
      lines += "  " + change.name + " was " + change.old_value + ", is " + change.new_value + "\n";
    if (run.counters.empty()) lines += "  all counters are equal\n";
  }
  return lines;
}

Json to_json(const ReportComparison& comparison, const std::string& old_name) {
  Json runs = Json::array();
  for (const RunComparison& run : comparison.runs) {
    Json stages = Json::array(), counters = Json::array();
    for (const StageComparison& stage : run.stages) {
      const TimeRatio& ratio = stage.ratio;
      stages.push_back({{"name", stage.name},
                        {"old_ms", stage.old_ms},
                        {"new_ms", stage.new_ms},
                        {"ratio", ratio.is_known ? Json(ratio.median) : Json()},
                        {"low", ratio.is_known ? Json(ratio.low) : Json()},
                        {"high", ratio.is_known ? Json(ratio.high) : Json()},
                        {"range", range_of(stage)},
                        {"verdict", name_of(stage.verdict)}});
    }
    for (const CounterChange& change : run.counters)
      counters.push_back({{"name", change.name}, {"old", change.old_value}, {"new", change.new_value}});
    runs.push_back({{"title", run.title}, {"stages", std::move(stages)}, {"counters", std::move(counters)}});
  }
  return {{"old", old_name},
          {"old_commit", comparison.old_commit},
          {"new_commit", comparison.new_commit},
          {"sentence", verdict_sentence(comparison)},
          {"doubt", doubts_of(comparison)},
          {"paired", comparison.paired},
          {"runs", std::move(runs)}};
}

bool is_slower_by(const ReportComparison& comparison, double share) {
  return std::any_of(comparison.runs.begin(), comparison.runs.end(), [&](const RunComparison& run) {
    return std::any_of(run.stages.begin(), run.stages.end(), [&](const StageComparison& stage) {
      return stage.name == "frame" && stage.verdict == Verdict::kSlower && stage.ratio.median > 1 + share;
    });
  });
}

}  // namespace sinew::app
