// Comparisons of reports: which runs belong together, what is refused by name, and counters.
#include "crowd/report/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "crowd/report/report.h"
#include "must.h"
#include "system/text.h"

namespace sinew::app {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

RunReport run_of(uint32_t characters, double frame_ms, uint32_t repeats = 7) {
  RunReport run;
  run.options.scene = "crowd", run.model = "cube", run.skinning = SkinningMode::kCompute,
  run.options.characters = characters;
  run.repeats = repeats, run.frames = repeats;
  run.work.skinned_vertices = characters * 10;
  run[Stage::kFrame].assign(repeats, frame_ms);
  run[Stage::kSample].assign(repeats, 1);
  return run;
}

Report measured_report(std::vector<RunReport> runs) {
  Report report;
  report.device = {"Abacus", "cpu", "beads 1.0", "1.3.230", 0.256};
  report.cpu = {"Brain", 2, "neurons", {}};
  report.machine.emplace();
  report.machine->before.median_ms = report.machine->after.median_ms = 4;
  report.runs = std::move(runs);
  return report;
}

StoredReport stored(const Report& report) { return must(parse_report(to_json(report), "test")); }

const StageComparison* stage(const ReportComparison& comparison, size_t run, const std::string& name) {
  for (const StageComparison& each : comparison.runs.at(run).stages) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

TEST(Comparison, ComparesRunsOfTheSameSettings) {
  const StoredReport older = stored(measured_report({run_of(1000, 10), run_of(50, 2)}));
  const StoredReport newer = stored(measured_report({run_of(50, 2.5), run_of(1000, 10)}));
  const auto comparison = must(compare_reports(older, newer));
  ASSERT_EQ(comparison.runs.size(), 2u);
  EXPECT_EQ(stage(comparison, 0, "frame")->verdict, Verdict::kSlower);
  EXPECT_EQ(stage(comparison, 0, "cpu sample")->verdict, Verdict::kSame);
  EXPECT_EQ(stage(comparison, 1, "frame")->verdict, Verdict::kSame);
  EXPECT_EQ(stage(comparison, 0, "gpu skin"), nullptr);  // not measured
  EXPECT_TRUE(is_slower_by(comparison, 0.2));
  EXPECT_FALSE(is_slower_by(comparison, 0.3));
  RunReport not_timed = run_of(50, 2);
  not_timed[Stage::kUpload].assign(7, 0);
  const auto of_zero = must(compare_reports(stored(measured_report({not_timed})), measured_report({not_timed})));
  EXPECT_THAT(comparison_table(of_zero, "old.json"), HasSubstr("-   times of 0           cannot tell"));
}

/// --fail-above: the median of the frame decides, not how far it may be off; other stages and other verdicts do not.
TEST(Comparison, IsSlowerByTheMedianOfASlowerFrame) {
  const auto slower_by = [](const char* name, Verdict verdict, double share) {
    const StageComparison stage{name, 1, 1.1, {1.1, 1.05, 1.4, true}, verdict};
    return is_slower_by({"a", "b", 1, 1, false, {{"run", {stage}, {}}}}, share);
  };
  EXPECT_TRUE(slower_by("frame", Verdict::kSlower, 0.09));
  EXPECT_FALSE(slower_by("frame", Verdict::kSlower, 0.11));
  EXPECT_FALSE(slower_by("gpu draw", Verdict::kSlower, 0.09));
  EXPECT_FALSE(slower_by("frame", Verdict::kCannotTell, 0.09));
}

using Change = void (*)(Report&);

TEST(Comparison, RefusesOtherMachinesAndSettingsByName) {
  const std::pair<Change, const char*> rows[] = {
      {[](Report& r) { r.device.name = "Slide rule"; },
       "device was \"Abacus\" and is \"Slide rule\"; --device chooses one"},
      {[](Report& r) { r.cpu.threads = 8; }, "threads was 2 and is 8"},
      {[](Report& r) { r.runs[0].options.draw.passes = 3; },
       "crowd: 50 characters of cube, compute skinning: passes was 1 and is 3"},
      {[](Report& r) { r.runs[0].options.characters = 60; }, "characters was 50 and is 60"},
      {[](Report& r) { r.runs[0].options.scene = "stadium"; }, "scene was \"crowd\" and is \"stadium\""},
      {[](Report& r) { r.runs[0].options.compact_palettes = true; }, "palettes was \"full\" and is \"compact\""},
      {[](Report& r) { r.runs[0].vertex_fetch = "pulling"; }, "vertex_fetch was \"\" and is \"pulling\""},
      {[](Report& r) { r.runs[0].frames = 14; }, "frames_per_repeat was 1 and is 2"}};
  for (const auto& [change, words] : rows) {
    Report other = measured_report({run_of(50, 2)});
    change(other);
    const Error error = must_fail(compare_reports(stored(measured_report({run_of(50, 2)})), other));
    EXPECT_EQ(error.code, ErrorCode::kUnsupported);
    EXPECT_THAT(error.message, HasSubstr(words));
  }
}

TEST(Comparison, CountersAreExact) {
  RunReport more = run_of(50, 2);
  more.work.skinned_vertices += 1;
  const auto comparison =
      must(compare_reports(stored(measured_report({run_of(50, 2)})), stored(measured_report({more}))));
  ASSERT_EQ(comparison.runs[0].counters.size(), 1u);
  EXPECT_EQ(comparison.runs[0].counters[0].name, "skinned_vertices");
  EXPECT_THAT(comparison_table(comparison, "old.json"), HasSubstr("skinned_vertices was 500, is 501"));
  EXPECT_THAT(comparison_table(comparison, "old.json"), Not(HasSubstr("all counters are equal")));
}

/// Frames took 2 ms. A machine that became slower, and other programs, may be the reason why they take longer.
TEST(Comparison, DoubtsWhatTheMachineMayHaveDone) {
  constexpr const char* kDisturbed = "Other programs disturbed a run";
  struct Row {
    double frame_ms;
    Change change;
    Verdict verdict;
    const char* words;
  };
  const auto slower_machine = [](Report& r) { r.machine->before.median_ms = 4.2, r.machine->after.median_ms = 4.6; };
  static constexpr MachineLoad kQuiet{0.03, 0}, kDisturbing{0.5, 0}, kStolen{0, 0.5};
  const Row rows[] = {{2.2, slower_machine, Verdict::kCannotTell, "the machine itself took +10 %"},
                      {3, [](Report& r) { r.machine->load = kQuiet; }, Verdict::kSlower, "machine itself took +0.0 %"},
                      {3, [](Report& r) { r.machine->load = kDisturbing; }, Verdict::kCannotTell, kDisturbed},
                      {3, [](Report& r) { r.machine->load = kStolen; }, Verdict::kCannotTell, kDisturbed},
                      // others do not make it faster
                      {1, [](Report& r) { r.machine->load = kDisturbing; }, Verdict::kFaster, kDisturbed},
                      {3, [](Report& r) { r.machine->before.spread = 0.6; }, Verdict::kCannotTell, kDisturbed},
                      {3, [](Report& r) { r.machine->after.spread = 0.6; }, Verdict::kCannotTell, kDisturbed}};
  for (const Row& row : rows) {
    Report newer = measured_report({run_of(50, row.frame_ms)});
    row.change(newer);
    const auto comparison = must(compare_reports(stored(measured_report({run_of(50, 2)})), newer));
    EXPECT_EQ(stage(comparison, 0, "frame")->verdict, row.verdict) << &row - rows;
    EXPECT_THAT(comparison_table(comparison, "old.json"), HasSubstr(row.words));
  }
}

/// Two starts in turn are a pair, and count once: of the old program first, then of the new program first. The
/// machine's speed differs by more than the programs do.
TEST(Comparison, PairsAreComparedOneByOne) {
  struct Row {
    int starts;
    double new_over_old, first_over_second;
    Verdict verdict;
  };
  for (const Row& row : {Row{16, 1.1, 1, Verdict::kSlower}, Row{16, 1, 1.05, Verdict::kSame},
                         Row{15, 1.1, 1, Verdict::kCannotTell}, Row{6, 1.1, 1, Verdict::kCannotTell}}) {
    std::vector<StoredReport> older, newer;
    for (int start = 0; start < row.starts; ++start) {
      const double old_ms = 2 + 0.6 * (start % 3), new_ms = old_ms * row.new_over_old;
      const bool old_first = start % 2 == 0;
      older.push_back(stored(measured_report({run_of(50, old_ms * (old_first ? row.first_over_second : 1), 3)})));
      newer.push_back(stored(measured_report({run_of(50, new_ms * (old_first ? 1 : row.first_over_second), 3)})));
    }
    const auto comparison = must(compare_pairs(older, newer));
    EXPECT_EQ(stage(comparison, 0, "frame")->verdict, row.verdict) << row.starts << " " << row.new_over_old;
    const double median = stage(comparison, 0, "frame")->ratio.median;
    EXPECT_TRUE(row.starts < 16 || std::abs(median - row.new_over_old) < 1e-9) << median;
  }
  EXPECT_FALSE(compare_pairs({}, {}));
}

TEST(Comparison, MorePairsForMoreRunsLeaveOneOut) {
  EXPECT_EQ(pairs_for(1), 12u);
  EXPECT_EQ(pairs_for(4), 14u);
  EXPECT_EQ(pairs_for(100), 19u);
}

/// What a report needs for a verdict, and what those of older versions lack.
TEST(StoredReport, NeedsSevenTimesOfFramesForAVerdict) {
  const auto report_of = [](const char* interrupted, const char* runs) {
    return must(parse_report(text(R"({"schema": 1, "interrupted": %s, "runs": [%s]})", interrupted, runs), "test"));
  };
  const std::pair<StoredReport, const char*> refused[] = {
      {report_of("true", R"({"frame_ms": {"parts": [1, 1, 1, 1, 1, 1, 1]}})"), "old.json: its run was interrupted: "},
      {report_of("false", ""), "old.json: it has no runs: measure it again"},
      {report_of("false", R"({"repeats": 4000000000, "frame_ms": {"parts": [1, 1, 1, 1, 1, 1, 1]}})"),
       "old.json: it claims 4000000000 repeats, more than 1000"},
      {report_of("false", R"({"frame_ms": null})"), "old.json: it has 0 of the 7 frame times that a verdict needs: "},
      {report_of("false", R"({"frames": 30, "frame_ms": {"p50": 2.5}})"), "it has 1 of the 7 frame times"},
      {report_of("false", R"({"frames": 30, "repeats": 3, "frame_ms": {"p50": 2, "repeats": [1, 2, 3]}})"),
       "it has 3 of the 7 frame times that a verdict needs: measure it again, with more --frames"}};
  for (const auto& [report, words] : refused) {
    const Error error = must_fail(check_older(report, "old.json"));
    EXPECT_EQ(error.code, ErrorCode::kUnsupported);
    EXPECT_THAT(error.message, HasSubstr(words));
  }
  EXPECT_TRUE(check_older(report_of("false", R"({"frame_ms": {"parts": [1, 1, 1, 1, 1, 1, 1]}})"), "old.json"));
}

/// Before there were parts, a report had each frame, and of the other stages the medians of the repeats.
TEST(Comparison, WithAnOlderVersionIsOfFramesOnly) {
  const Report newer = measured_report({run_of(50, 2, 3)});
  Json json = Json::parse(to_json(newer));
  Json& run = json["runs"][0];
  run["frames"] = 9, run["frame_ms"]["frames"] = Samples(9, 2);
  run["frame_ms"].erase("parts"), run["cpu_ms"]["sample"].erase("parts");
  const auto older = parse_report(json.dump(), "old.json");
  ASSERT_TRUE(older && check_older(*older, "old.json"));
  EXPECT_EQ(older->repeats, 3u);
  RunReport nine = run_of(50, 2, 9);
  nine.repeats = 3;
  const auto comparison = must(compare_reports(*older, measured_report({nine})));
  ASSERT_EQ(comparison.runs[0].stages.size(), 1u);
  EXPECT_EQ(stage(comparison, 0, "frame")->verdict, Verdict::kSame);
  EXPECT_THAT(comparison_table(comparison, "old.json"), HasSubstr("The old report has too few times of some stages: "));
  const auto whole = must(compare_reports(stored(measured_report({nine})), measured_report({nine})));
  EXPECT_EQ(whole.runs[0].stages.size(), 2u);
  EXPECT_THAT(comparison_table(whole, "old.json"), Not(HasSubstr("too few")));
}

ReportComparison comparison_of(std::vector<TimeRatio> frames) {
  ReportComparison comparison;
  for (const TimeRatio& ratio : frames)
    comparison.runs.push_back({"run", {{"frame", 1, 2, ratio, verdict_of(ratio)}}, {}});
  return comparison;
}

constexpr TimeRatio kSlower = {1.2, 1.098, 1.34, true}, kFaster = {0.8, 0.7, 0.9, true};
constexpr TimeRatio kSame = {1, 0.99, 1.01, true}, kUnknown = {3.19, 0.6, 5.4, true};

TEST(VerdictSentence, SaysWhatBecameOfTheFrames) {
  for (const auto& [frames, words] : std::vector<std::pair<std::vector<TimeRatio>, const char*>>{
           {{kSlower}, "Frames take 20 % more time, at least 9.8 % and at most 34 %."},
           {{kFaster}, "Frames take 20 % less time, at least 10 % and at most 30 %."},
           {{kSame}, "Frames take the same time, within 3 %."},
           {{kUnknown}, "These times cannot tell whether frames are faster or slower."},
           {{kSlower, kFaster, kSame, kUnknown},
            "Of 4 runs, frames are slower in 1, faster in 1, the same in 1; of 1 the times cannot tell."},
           {{kSlower, kSlower}, "Of 2 runs, frames are slower in 2."},
           {{kUnknown, kUnknown}, "These times cannot tell of any run whether frames are faster or slower."}}) {
    EXPECT_EQ(verdict_sentence(comparison_of(frames)), words);
  }
  ReportComparison with_stage = comparison_of({kSame});
  with_stage.runs[0].stages.push_back({"gpu skin", 1, 2, kSlower, Verdict::kSlower});
  EXPECT_EQ(verdict_sentence(with_stage), "Frames take the same time, within 3 %. Slower among the other stages: 1.");
}

/// The text and the JSON for pages. No change where the times cannot tell.
TEST(Comparison, IsATableAndJson) {
  ReportComparison comparison = comparison_of({kSlower, {}, kUnknown, {3.19, 0.004, 134, true}});
  comparison.old_commit = "a", comparison.new_commit = "b", comparison.runs[0].counters = {{"draws", "5", "6"}};
  EXPECT_EQ(comparison_table(comparison, "old.json"), R"(
against old.json: commit a; this is b; the machine itself took +0.0 % for a fixed task
Of 4 runs, frames are slower in 1; of 3 the times cannot tell.

run
  milliseconds       old       new    change   98 % sure of all     verdict
  frame              1.0       2.0     +20 %   +9.8 % to +34 %      slower
  draws was 5, is 6

run
  milliseconds       old       new    change   98 % sure of all     verdict
  frame              1.0       2.0         -   too few times        cannot tell
  all counters are equal

run
  milliseconds       old       new    change   98 % sure of all     verdict
  frame              1.0       2.0         -   -40 % to +440 %      cannot tell
  all counters are equal

run
  milliseconds       old       new    change   98 % sure of all     verdict
  frame              1.0       2.0         -   -100 % to +13,000 %  cannot tell
  all counters are equal
)");
  comparison.runs.resize(2);
  EXPECT_EQ(to_json(comparison, "old.json"), Json::parse(R"({"old": "old.json", "old_commit": "a", "new_commit": "b",
    "sentence": "Of 2 runs, frames are slower in 1; of 1 the times cannot tell.", "doubt": "", "paired": false, "runs": [
    {"title": "run", "stages": [{"name": "frame", "old_ms": 1.0, "new_ms": 2.0, "ratio": 1.2, "low": 1.098, "high": 1.34,
      "range": "+9.8 % to +34 %", "verdict": "slower"}], "counters": [{"name": "draws", "old": "5", "new": "6"}]},
    {"title": "run", "stages": [{"name": "frame", "old_ms": 1.0, "new_ms": 2.0, "ratio": null, "low": null,
      "high": null, "range": "too few times", "verdict": "cannot tell"}], "counters": []}]})"));
}

TEST(StoredReport, OtherFilesAreRefused) {
  for (const char* text :
       {"", "[]", "{}", R"({"schema": 2, "runs": []})", R"({"schema": 1})", R"({"schema": 1, "runs": [5]})",
        R"({"schema": 1, "runs": [{"frame_ms": {"repeats": ["a"]}}]})",
        R"({"schema": 1, "runs": [{"repeats": "many"}]})"}) {
    EXPECT_THAT(must_fail(parse_report(text, "old.json")).message,
                HasSubstr("old.json: not a report of sinew crowd, JSON schema 1"))
        << text;
  }
  EXPECT_THAT(parse_report(R"({"schema": 2, "runs": []})", "").error().message,
              HasSubstr(", but 2: of another version"));
  EXPECT_THAT(parse_report(R"({"schema": 1, "ru)", "").error().message, HasSubstr(": no JSON, or not all of it"));
}

}  // namespace
}  // namespace sinew::app
