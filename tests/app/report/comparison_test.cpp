// Comparisons of reports: which runs belong together, what is refused by name, and counters.
#include "crowd/report/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "crowd/report/report.h"

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

StoredReport stored(const Report& report) {
  auto result = parse_report(to_json(report), "test");
  EXPECT_TRUE(result) << result.error().message;
  return result ? std::move(*result) : StoredReport();
}

const StageComparison* stage(const ReportComparison& comparison, size_t run, const std::string& name) {
  for (const StageComparison& each : comparison.runs.at(run).stages) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

TEST(Comparison, ComparesRunsOfTheSameSettings) {
  const StoredReport older = stored(measured_report({run_of(1000, 10), run_of(50, 2)}));
  const StoredReport newer = stored(measured_report({run_of(50, 2.5), run_of(1000, 10)}));
  const auto comparison = compare_reports(older, newer);
  ASSERT_TRUE(comparison) << comparison.error().message;
  ASSERT_EQ(comparison->runs.size(), 2u);
  EXPECT_EQ(stage(*comparison, 0, "frame")->verdict, Verdict::kSlower);
  EXPECT_EQ(stage(*comparison, 0, "cpu sample")->verdict, Verdict::kSame);
  EXPECT_EQ(stage(*comparison, 1, "frame")->verdict, Verdict::kSame);
  EXPECT_EQ(stage(*comparison, 0, "gpu skin"), nullptr);  // not measured
  EXPECT_TRUE(is_slower_by(*comparison, 0.2));
  EXPECT_FALSE(is_slower_by(*comparison, 0.3));
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

TEST(Comparison, RefusesOtherMachinesAndSettingsByName) {
  const Report base = measured_report({run_of(50, 2)});
  const auto refusal = [&](const Report& other) {
    const auto comparison = compare_reports(stored(base), stored(other));
    EXPECT_FALSE(comparison);
    EXPECT_EQ(comparison ? ErrorCode() : comparison.error().code, ErrorCode::kUnsupported);
    return comparison ? "" : comparison.error().message;
  };
  Report other = base;
  other.device.name = "Slide rule";
  EXPECT_THAT(refusal(other), HasSubstr("device was \"Abacus\" and is \"Slide rule\""));
  other = base, other.cpu.threads = 8;
  EXPECT_THAT(refusal(other), HasSubstr("threads was 2 and is 8"));
  other = base, other.runs[0].options.draw.passes = 3;
  EXPECT_THAT(refusal(other), HasSubstr("crowd: 50 characters of cube, compute skinning: passes was 1 and is 3"));
  other = base, other.runs[0].options.characters = 60;
  EXPECT_THAT(refusal(other), HasSubstr("characters was 50 and is 60"));
  other = base, other.runs[0].options.scene = "stadium";
  EXPECT_THAT(refusal(other), HasSubstr("scene was \"crowd\" and is \"stadium\""));
  other = base, other.runs[0].options.compact_palettes = true;
  EXPECT_THAT(refusal(other), HasSubstr("palettes was \"full\" and is \"compact\""));
  other = base, other.runs[0].vertex_fetch = "pulling";
  EXPECT_THAT(refusal(other), HasSubstr("vertex_fetch was \"\" and is \"pulling\""));
  other = base, other.runs[0].frames = 14;  // two frames a repeat
  EXPECT_THAT(refusal(other), HasSubstr("frames_per_repeat was 1 and is 2"));
}

TEST(Comparison, CountersAreExact) {
  RunReport more = run_of(50, 2);
  more.work.skinned_vertices += 1;
  const auto comparison = compare_reports(stored(measured_report({run_of(50, 2)})), stored(measured_report({more})));
  ASSERT_TRUE(comparison);
  ASSERT_EQ(comparison->runs[0].counters.size(), 1u);
  EXPECT_EQ(comparison->runs[0].counters[0].name, "skinned_vertices");
  EXPECT_THAT(comparison_table(*comparison, "old.json"), HasSubstr("skinned_vertices was 500, is 501"));
  EXPECT_THAT(comparison_table(*comparison, "old.json"), Not(HasSubstr("all counters are equal")));
}

TEST(Comparison, ASlowerMachineIsNoSlowerProgram) {
  Report slower = measured_report({run_of(50, 2.2)});
  slower.machine->before.median_ms = 4.2, slower.machine->after.median_ms = 4.6;
  const auto comparison = compare_reports(stored(measured_report({run_of(50, 2)})), stored(slower));
  ASSERT_TRUE(comparison);
  EXPECT_EQ(stage(*comparison, 0, "frame")->verdict, Verdict::kCannotTell);
  EXPECT_THAT(comparison_table(*comparison, "old.json"), HasSubstr("the machine itself took +10 %"));
}

/// Reports of eight pairs: two starts each, of the old program first and of the new program first. The machine's speed
/// differs by more than the programs do.
struct Pairs {
  std::vector<StoredReport> older, newer;
};

Pairs pairs_of(double new_over_old, double first_over_second) {
  Pairs pairs;
  for (int start = 0; start < 16; ++start) {
    const double machine = 1 + 0.3 * (start % 3);
    const double old_start = start % 2 == 0 ? first_over_second : 1, new_start = start % 2 == 0 ? 1 : first_over_second;
    pairs.older.push_back(stored(measured_report({run_of(50, 2 * machine * old_start, 3)})));
    pairs.newer.push_back(stored(measured_report({run_of(50, 2 * new_over_old * machine * new_start, 3)})));
  }
  return pairs;
}

TEST(Comparison, PairsAreComparedOneByOne) {
  const Pairs pairs = pairs_of(1.1, 1);
  const auto comparison = compare_pairs(pairs.older, pairs.newer);
  ASSERT_TRUE(comparison) << comparison.error().message;
  EXPECT_EQ(stage(*comparison, 0, "frame")->verdict, Verdict::kSlower);
  EXPECT_NEAR(stage(*comparison, 0, "frame")->ratio.median, 1.1, 1e-9);
  EXPECT_FALSE(compare_pairs({}, {}));
}

TEST(Comparison, TheProgramThatStartsFirstIsNotSlower) {
  const Pairs pairs = pairs_of(1, 1.05);
  const auto comparison = compare_pairs(pairs.older, pairs.newer);
  ASSERT_TRUE(comparison) << comparison.error().message;
  EXPECT_EQ(stage(*comparison, 0, "frame")->verdict, Verdict::kSame);
}

TEST(Comparison, ThreePairsSayNothing) {
  Pairs pairs = pairs_of(1.1, 1);
  pairs.older.resize(6), pairs.newer.resize(6);
  const auto comparison = compare_pairs(pairs.older, pairs.newer);
  ASSERT_TRUE(comparison) << comparison.error().message;
  EXPECT_EQ(stage(*comparison, 0, "frame")->verdict, Verdict::kCannotTell);
}

TEST(Comparison, MorePairsForMoreRunsLeaveOneOut) {
  EXPECT_EQ(pairs_for(1), 12u);
  EXPECT_EQ(pairs_for(4), 14u);
  EXPECT_EQ(pairs_for(100), 19u);
}

TEST(Comparison, OtherProgramsMakeTheTimesUnableToTell) {
  const Report older = measured_report({run_of(50, 2)});
  Report slower = measured_report({run_of(50, 3)});
  slower.machine->load.emplace();
  slower.machine->load->others = 0.03;
  EXPECT_EQ(stage(*compare_reports(stored(older), stored(slower)), 0, "frame")->verdict, Verdict::kSlower);
  slower.machine->load->others = 0.5;
  const auto disturbed = compare_reports(stored(older), stored(slower));
  EXPECT_EQ(stage(*disturbed, 0, "frame")->verdict, Verdict::kCannotTell);
  EXPECT_THAT(comparison_table(*disturbed, "old.json"), HasSubstr("Other programs disturbed a run"));
  slower.machine->load->others = 0, slower.machine->after.spread = 0.6;
  EXPECT_EQ(stage(*compare_reports(stored(older), stored(slower)), 0, "frame")->verdict, Verdict::kCannotTell);
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
  const auto sentence = [](std::vector<TimeRatio> frames) {
    return verdict_sentence(comparison_of(std::move(frames)));
  };
  EXPECT_EQ(sentence({kSlower}), "Frames take 20 % more time, at least 9.8 % and at most 34 %.");
  EXPECT_EQ(sentence({kFaster}), "Frames take 20 % less time, at least 10 % and at most 30 %.");
  EXPECT_EQ(sentence({kSame}), "Frames take the same time, within 3 %.");
  EXPECT_EQ(sentence({kUnknown}), "These times cannot tell whether frames are faster or slower.");
  EXPECT_EQ(sentence({kSlower, kFaster, kSame, kUnknown}),
            "Of 4 runs, frames are slower in 1, faster in 1, the same in 1; of 1 the times cannot tell.");
  EXPECT_EQ(sentence({kSlower, kSlower}), "Of 2 runs, frames are slower in 2.");
  EXPECT_EQ(sentence({kUnknown, kUnknown}), "These times cannot tell of any run whether frames are faster or slower.");
  ReportComparison with_stage = comparison_of({kSame});
  with_stage.runs[0].stages.push_back({"gpu skin", 1, 2, kSlower, Verdict::kSlower});
  EXPECT_EQ(verdict_sentence(with_stage), "Frames take the same time, within 3 %. Slower among the other stages: 1.");
}

TEST(Comparison, HasNoChangeWhereTheTimesCannotTell) {
  const std::string unknown = comparison_table(comparison_of({kUnknown}), "old.json");
  EXPECT_THAT(unknown, HasSubstr("        -   -40 % to +440 %      cannot tell\n"));
  EXPECT_THAT(unknown, Not(HasSubstr("219")));
  EXPECT_THAT(comparison_table(comparison_of({{3.19, 0.5, 5.4, true}}), "old.json"), HasSubstr("too much noise "));
  EXPECT_THAT(comparison_table(comparison_of({kSlower}), "old.json"), HasSubstr("+20 %   +9.8 % to +34 %"));
}

TEST(Comparison, IsInJsonForPages) {
  const Json json = to_json(comparison_of({kSlower, {}}), "old.json");
  EXPECT_EQ(json["sentence"], "Of 2 runs, frames are slower in 1; of 1 the times cannot tell.");
  EXPECT_EQ(json["runs"][0]["stages"][0]["low"], 1.098);
  EXPECT_EQ(json["runs"][0]["stages"][0]["verdict"], "slower");
  EXPECT_EQ(json["runs"][0]["stages"][0]["range"], "+9.8 % to +34 %");
  EXPECT_EQ(json["runs"][1]["stages"][0]["range"], "too few repeats");
  EXPECT_EQ(json["runs"][1]["stages"][0]["ratio"], Json());
}

/// Two starts are one time: sixteen are the eight that a verdict of frames needs.
TEST(Comparison, EachStartCountsOnce) {
  for (const size_t starts : {8u, 15u, 16u}) {
    Pairs pairs = pairs_of(1.1, 1);
    pairs.older.resize(starts), pairs.newer.resize(starts);
    const auto comparison = compare_pairs(pairs.older, pairs.newer);
    ASSERT_TRUE(comparison) << comparison.error().message;
    EXPECT_EQ(stage(*comparison, 0, "frame")->verdict, starts < 16 ? Verdict::kCannotTell : Verdict::kSlower) << starts;
  }
}

TEST(StoredReport, OtherFilesAreRefused) {
  for (const char* text :
       {"", "[]", "{}", R"({"schema": 2, "runs": []})", R"({"schema": 1})", R"({"schema": 1, "runs": [5]})",
        R"({"schema": 1, "runs": [{"frame_ms": {"repeats": ["a"]}}]})",
        R"({"schema": 1, "runs": [{"repeats": "many"}]})"}) {
    const auto report = parse_report(text, "old.json");
    ASSERT_FALSE(report) << text;
    EXPECT_THAT(report.error().message, HasSubstr("old.json: not a report of sinew crowd, JSON schema 1")) << text;
  }
}

TEST(StoredReport, OfTheFirstVersionHasOneRepeat) {
  const auto report = parse_report(R"({"schema": 1, "runs": [{"frames": 30, "frame_ms": {"p50": 2.5}}]})", "old.json");
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->runs[0].stages_ms.size(), 1u);
  EXPECT_EQ(report->runs[0].stages_ms.begin()->second, std::vector{2.5});
}

}  // namespace
}  // namespace sinew::app
