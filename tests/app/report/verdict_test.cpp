// Verdicts on recorded times: frames of 200 characters on a software driver with two cores, in milliseconds.
#include "crowd/report/verdict.h"

#include <gtest/gtest.h>

#include <vector>

namespace sinew::app {
namespace {

using Times = std::vector<double>;

Times times(Times values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

// Seven repeats of one program in one process, and again five minutes later.
const Times kFirst = {85.0, 83.9, 86.6, 85.3, 84.1, 88.8, 84.8}, kLater = {83.2, 83.6, 82.9, 84.8, 83.0, 83.9, 82.7};
const Times kFew(kMinRepeats - 1, 10), kEnough(kMinRepeats, 10), kZeros(kMinRepeats, 0);

TEST(Spread, IsHalfOfTheRangeAsAShareOfTheMedian) {
  EXPECT_DOUBLE_EQ(spread_of(Times{9, 10, 12}), 0.15);
  EXPECT_EQ(spread_of(Times{4}), 0);
  EXPECT_EQ(spread_of({}), 0);
}

TEST(Verdict, OfAChangeBelowTheSmallestIsNeitherSlowerNorFaster) {
  for (const auto& [ratio, verdict] :
       std::vector<std::pair<TimeRatio, Verdict>>{{{1.05, 1.008, 1.1, true}, Verdict::kCannotTell},
                                                  {{1.05, 1.012, 1.1, true}, Verdict::kSlower},
                                                  {{0.95, 0.9, 0.992, true}, Verdict::kCannotTell},
                                                  {{0.95, 0.9, 0.988, true}, Verdict::kFaster},
                                                  {{1, 0.971, 1.029, true}, Verdict::kSame},
                                                  {{1, 0.971, 1.031, true}, Verdict::kCannotTell},
                                                  {{1, 0.969, 1.029, true}, Verdict::kCannotTell},
                                                  {{1, 1, 1, false}, Verdict::kCannotTell}}) {
    EXPECT_EQ(verdict_of(ratio), verdict) << ratio.low << " to " << ratio.high;
  }
}

/// By the binomial distribution: of 7 values all are below or above the median once in 64 times. Of eleven pairs one is
/// left out: two outliers leave the interval wide.
TEST(Verdict, OfPairs) {
  const Times of_eleven(11, 50), slower(11, 55);
  Times one_fast = slower, one_slow = of_eleven;
  one_fast[3] = 20, one_slow[7] = 200;
  struct Row {
    Times older, newer;
    Verdict verdict;
    double miss_share = kMaxMissShare;
  };
  const Row rows[] = {{kFirst, kFirst, Verdict::kSame},
                      {kFirst, times(kFirst, 1.1), Verdict::kSlower},
                      {times(kFirst, 1.1), kFirst, Verdict::kFaster},
                      {kEnough, times(kEnough, 1.04), Verdict::kSlower},
                      {Times(8, 10), Times(8, 11), Verdict::kSlower, 0.01},
                      {Times(8, 10), Times(8, 11), Verdict::kCannotTell, 0.001},
                      {kFew, kFew, Verdict::kCannotTell},
                      {kEnough, kEnough, Verdict::kSame},
                      {kEnough, kFew, Verdict::kCannotTell},
                      {kZeros, kEnough, Verdict::kCannotTell},
                      {of_eleven, one_fast, Verdict::kSlower},
                      {one_slow, one_fast, Verdict::kCannotTell}};
  for (const Row& row : rows)
    EXPECT_EQ(verdict_of(paired_ratio(row.older, row.newer, row.miss_share)), row.verdict) << &row - rows;
}

TEST(Verdict, OfRunsAtDifferentTimes) {
  struct Row {
    Times older, newer;
    MachineDrift drift;
    Verdict verdict;
  };
  const Times slower = times(kLater, 1.1);
  const Row rows[] = {{kFirst, kLater, {}, Verdict::kCannotTell},
                      {kLater, slower, {}, Verdict::kSlower},
                      {kLater, slower, {1, 1.1}, Verdict::kCannotTell},
                      {slower, kLater, {1 / 1.1, 1}, Verdict::kCannotTell},
                      {kLater, slower, {0.9, 1}, Verdict::kSlower},               // the machine was no reason
                      {kEnough, times(kEnough, 1.04), {}, Verdict::kCannotTell},  // needs a larger change than pairs
                      {kFew, kEnough, {}, Verdict::kCannotTell}};
  for (const Row& row : rows)
    EXPECT_EQ(verdict_of(unpaired_ratio(row.older, row.newer, row.drift)), row.verdict) << &row - rows;
}

TEST(Verdict, OfManyRowsNeedsMorePairs) {
  EXPECT_EQ(left_out(7, 0.02), 0u);
  EXPECT_EQ(left_out(7, 0.01), std::nullopt);
  EXPECT_EQ(left_out(11, 0.02), 1u);
  EXPECT_EQ(left_out(11, 0.01), 0u);
  EXPECT_EQ(left_out(12, 0.01), 1u);
}

}  // namespace
}  // namespace sinew::app
