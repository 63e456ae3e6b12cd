// A program that is compared with itself, on a machine that other programs use: how often a table has a row that says
// faster or slower. The times are made up, but as they were seen: the speed of the machine drifts, others slow it for
// seconds, each start of a program has its own small differences, and some parts of short stages take many times as
// long.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "crowd/report/comparison.h"
#include "must.h"

namespace sinew::app {
namespace {

constexpr int kTables = 100, kMaxFalse = 2;
/// Milliseconds on an idle machine.
const std::map<std::string, double> kStages = {{"frame", 80},     {"cpu cull", 0.5},    {"cpu sample", 0.7},
                                               {"cpu record", 2}, {"gpu upload", 0.04}, {"gpu skin", 3},
                                               {"gpu draw", 70},  {"submission", 78}};

class Machine {
 public:
  /// `load`: how often others begin to disturb. 0: never.
  Machine(uint32_t seed, double load) : random_(seed), load_(load) {}

  /// The drift keeps its extent, whatever the steps.
  void pass(double seconds) {
    const double kept = std::pow(0.9, seconds);
    drift_ = kept * drift_ + 0.046 * std::sqrt(1 - kept * kept) * normal();
    seconds_left_ = std::max(0.0, seconds_left_ - seconds);
    if (seconds_left_ > 0) return;
    const bool begins = uniform() < 1 - std::pow(1 - load_, seconds);
    others_ = begins ? 0.2 + 0.6 * uniform() : 0, seconds_left_ = begins ? 1 + 7 * uniform() : 0;
  }

  /// The share of the processors that other programs use now.
  double others() const { return others_; }
  double slowness() const { return std::exp(drift_) / (1 - others_); }

  /// The median of the frames of one part of a run.
  double part_ms(double idle_ms, double start_offset) {
    const double hit_chance = load_ == 0 ? 0.01 : 0.1, hit_ms = std::exp(1.5 * normal());  // a slice of the scheduler
    const double tail = uniform() < hit_chance ? hit_ms : 0;
    return idle_ms * slowness() * start_offset * std::exp(0.02 * normal()) + tail;
  }

  double normal() { return std::normal_distribution<double>()(random_); }
  double uniform() { return std::uniform_real_distribution<double>()(random_); }

 private:
  std::mt19937 random_;
  double load_, drift_ = 0, others_ = 0;
  double seconds_left_ = 0;
};

using Offsets = std::map<std::string, double>;

/// Of one start of a program: where its memory is, which core it began on.
Offsets start(Machine& machine) {
  Offsets offsets;
  for (const auto& [stage, ms] : kStages) offsets[stage] = std::exp(0.012 * machine.normal());
  return offsets;
}

/// One part of each run. `factor`: how much slower the program is.
void draw(Machine& machine, double seconds, const Offsets& offsets, double factor, std::vector<StoredRun>& runs) {
  for (StoredRun& run : runs) {
    machine.pass(seconds);
    for (const auto& [stage, ms] : kStages)
      run.stages_ms[stage].push_back(machine.part_ms(ms * factor, offsets.at(stage)));
  }
}

StoredReport stored_report(size_t run_count) {
  StoredReport report;
  for (size_t i = 0; i < run_count; ++i)
    report.runs.push_back({"run " + std::to_string(i), {{"characters", std::to_string(i)}}, {}, {}});
  return report;
}

/// Seven parts of each run; the machine's own report beside them, as sinew crowd measures it.
StoredReport measure(Machine& machine, double part_seconds, size_t run_count, double factor) {
  StoredReport report = stored_report(run_count);
  const Offsets offsets = start(machine);
  const double before = 4 * machine.slowness() * std::exp(0.01 * machine.normal());
  double others = 0;
  for (size_t i = 0; i < kMinRepeats; ++i) {
    draw(machine, part_seconds, offsets, factor, report.runs);
    others += machine.others() / double(kMinRepeats);
  }
  const double after = 4 * machine.slowness() * std::exp(0.01 * machine.normal());
  report.fixed_task_ms = (before + after) / 2;
  report.disturbance = others > 0.05 ? 1 / (1 - others) : 1;
  return report;
}

/// As --compare: a minute between two reports, whose runs take a fifth of a second, or seven.
template <int kRunMs>
Result<ReportComparison> across_files(uint32_t seed, double load, size_t run_count, double factor) {
  constexpr double kPartSeconds = kRunMs / 1e3 / double(kMinRepeats);
  Machine machine(seed, load);
  for (int second = 0; second < 30; ++second) machine.pass(1);
  const StoredReport older = measure(machine, kPartSeconds, run_count, 1);
  for (int second = 0; second < 60; ++second) machine.pass(1);
  return compare_reports(older, measure(machine, kPartSeconds, run_count, factor));
}

/// As --against: two starts of each in a pair, three turns each.
Result<ReportComparison> in_turn(uint32_t seed, double load, size_t run_count, double factor) {
  Machine machine(seed, load);
  std::vector<StoredReport> older, newer;
  for (uint32_t launch = 0; launch < 2 * pairs_for(run_count); ++launch) {
    StoredReport old_report = stored_report(run_count), new_report = old_report;
    const Offsets old_start = start(machine), new_start = start(machine);
    for (int turn = 0; turn < 3; ++turn) {
      const bool old_first = (turn + int(launch)) % 2 == 0;
      if (old_first) draw(machine, 1, old_start, 1, old_report.runs);
      draw(machine, 1, new_start, factor, new_report.runs);
      if (!old_first) draw(machine, 1, old_start, 1, old_report.runs);
    }
    older.push_back(std::move(old_report)), newer.push_back(std::move(new_report));
  }
  return compare_pairs(older, newer);
}

bool tells(Verdict verdict) { return verdict == Verdict::kFaster || verdict == Verdict::kSlower; }

bool has_false_row(const ReportComparison& comparison) {
  for (const RunComparison& run : comparison.runs) {
    if (std::ranges::any_of(run.stages, tells, &StageComparison::verdict)) return true;
  }
  return false;
}

bool frames_are_slower(const ReportComparison& comparison) {
  return std::ranges::all_of(comparison.runs, [](const RunComparison& run) {
    return std::ranges::any_of(run.stages, [](const StageComparison& stage) {
      return stage.name == "frame" && stage.verdict == Verdict::kSlower;
    });
  });
}

/// Of kTables comparisons.
template <class Compare, class Is>
int count_tables(const Compare& compare, double load, size_t run_count, double factor, Is is) {
  int count = 0;
  for (uint32_t seed = 0; seed < uint32_t(kTables); ++seed) count += is(must(compare(seed, load, run_count, factor)));
  return count;
}

constexpr double kIdle = 0, kBusy = 0.1, kVeryBusy = 0.4;

TEST(SelfComparison, AcrossFilesHasHardlyAFalseRow) {
  for (const double load : {kIdle, kBusy, kVeryBusy}) {
    for (const size_t runs : {1u, 4u}) {
      EXPECT_LE(count_tables(across_files<7000>, load, runs, 1, has_false_row), kMaxFalse)
          << load << ", runs: " << runs;
      EXPECT_LE(count_tables(across_files<200>, load, runs, 1, has_false_row), kMaxFalse) << load << ", runs: " << runs;
    }
  }
}

TEST(SelfComparison, InTurnHasHardlyAFalseRow) {
  for (const double load : {kIdle, kBusy, kVeryBusy}) {
    for (const size_t runs : {1u, 4u})
      EXPECT_LE(count_tables(in_turn, load, runs, 1, has_false_row), kMaxFalse) << load << ", runs: " << runs;
  }
}

/// Intervals that contain everything would pass the tests above.
TEST(SelfComparison, ASlowerProgramIsStillFound) {
  EXPECT_GE(count_tables(in_turn, kIdle, 1, 1.1, frames_are_slower), 95);
  EXPECT_GE(count_tables(in_turn, kBusy, 1, 1.2, frames_are_slower), 50);
  EXPECT_GE(count_tables(across_files<7000>, kIdle, 1, 1.3, frames_are_slower), 80);
  EXPECT_GE(count_tables(across_files<200>, kIdle, 1, 1.5, frames_are_slower), 80);
}

}  // namespace
}  // namespace sinew::app
