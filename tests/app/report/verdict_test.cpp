// Verdicts on recorded times: frames of 200 characters on a software driver with two cores, in milliseconds.
#include "crowd/report/verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sinew::app {
namespace {

std::vector<double> times(std::vector<double> values, double factor = 1) {
  for (double& value : values) value *= factor;
  return values;
}

// Seven repeats of one program in one process, and again five minutes later.
const std::vector<double> kFirst = {85.0, 83.9, 86.6, 85.3, 84.1, 88.8, 84.8};
const std::vector<double> kLater = {83.2, 83.6, 82.9, 84.8, 83.0, 83.9, 82.7};

TEST(Spread, IsHalfOfTheRangeAsAShareOfTheMedian) {
  EXPECT_DOUBLE_EQ(spread_of(std::vector<double>{9, 10, 12}), 0.15);
  EXPECT_EQ(spread_of(std::vector<double>{4}), 0);
  EXPECT_EQ(spread_of({}), 0);
}

TEST(Verdict, OfOneProgramIsNeverFasterOrSlower) {
  const Verdict verdict = verdict_of(unpaired_ratio(kFirst, kLater, {}));
  EXPECT_NE(verdict, Verdict::kFaster);
  EXPECT_NE(verdict, Verdict::kSlower);
  EXPECT_EQ(verdict_of(paired_ratio(kFirst, kFirst)), Verdict::kSame);
}

TEST(Verdict, OfTenPercentIsSlowerOrFaster) {
  EXPECT_EQ(verdict_of(paired_ratio(kFirst, times(kFirst, 1.1))), Verdict::kSlower);
  EXPECT_EQ(verdict_of(paired_ratio(times(kFirst, 1.1), kFirst)), Verdict::kFaster);
  EXPECT_EQ(verdict_of(unpaired_ratio(kLater, times(kLater, 1.1), {})), Verdict::kSlower);
}

TEST(Verdict, OfAChangeBelowTheSmallestIsNeitherSlowerNorFaster) {
  EXPECT_EQ(verdict_of({1.05, 1.008, 1.1, true}), Verdict::kCannotTell);
  EXPECT_EQ(verdict_of({1.05, 1.012, 1.1, true}), Verdict::kSlower);
  EXPECT_EQ(verdict_of({0.95, 0.9, 0.992, true}), Verdict::kCannotTell);
  EXPECT_EQ(verdict_of({0.95, 0.9, 0.988, true}), Verdict::kFaster);
  EXPECT_EQ(verdict_of({1, 0.971, 1.029, true}), Verdict::kSame);
  EXPECT_EQ(verdict_of({1, 0.971, 1.031, true}), Verdict::kCannotTell);
  EXPECT_EQ(verdict_of({1, 0.969, 1.029, true}), Verdict::kCannotTell);
}

TEST(Verdict, OfAMachineThatBecameSlowerIsThatTheTimesCannotTell) {
  const std::vector<double> slower = times(kLater, 1.1);
  EXPECT_EQ(verdict_of(unpaired_ratio(kLater, slower, {1, 1.1})), Verdict::kCannotTell);
  EXPECT_EQ(verdict_of(unpaired_ratio(slower, kLater, {1 / 1.1, 1})), Verdict::kCannotTell);
  EXPECT_EQ(verdict_of(unpaired_ratio(kLater, slower, {0.9, 1})), Verdict::kSlower);  // the machine was no reason
}

TEST(Verdict, OfRunsAtDifferentTimesNeedsALargerChange) {
  const std::vector<double> older(kMinRepeats, 10), newer(kMinRepeats, 10.4);
  EXPECT_EQ(verdict_of(paired_ratio(older, newer)), Verdict::kSlower);
  EXPECT_EQ(verdict_of(unpaired_ratio(older, newer, {})), Verdict::kCannotTell);
}

/// By the binomial distribution: of 7 values all are below or above the median once in 64 times.
TEST(Verdict, OfManyRowsNeedsMorePairs) {
  EXPECT_EQ(left_out(7, 0.02), 0u);
  EXPECT_EQ(left_out(7, 0.01), std::nullopt);
  EXPECT_EQ(left_out(11, 0.02), 1u);
  EXPECT_EQ(left_out(11, 0.01), 0u);
  EXPECT_EQ(left_out(12, 0.01), 1u);
  const std::vector<double> older(8, 10), newer(8, 11);
  EXPECT_EQ(verdict_of(paired_ratio(older, newer, 0.01)), Verdict::kSlower);
  EXPECT_EQ(verdict_of(paired_ratio(older, newer, 0.001)), Verdict::kCannotTell);
}

TEST(Verdict, OfFewRepeatsIsThatTheyCannotTell) {
  const std::vector<double> few(kMinRepeats - 1, 10), enough(kMinRepeats, 10);
  EXPECT_EQ(verdict_of(paired_ratio(few, few)), Verdict::kCannotTell);
  EXPECT_EQ(verdict_of(paired_ratio(enough, enough)), Verdict::kSame);
  EXPECT_EQ(verdict_of(paired_ratio(enough, few)), Verdict::kCannotTell);
  EXPECT_EQ(verdict_of(unpaired_ratio(few, enough, {})), Verdict::kCannotTell);
  EXPECT_EQ(verdict_of(paired_ratio(std::vector<double>(kMinRepeats, 0), enough)), Verdict::kCannotTell);
}

TEST(Verdict, OfOneOutlierIsThatOfTheOtherPairs) {
  std::vector<double> older(11, 50), newer(11, 55);
  newer[3] = 20, older[7] = 200;
  EXPECT_EQ(verdict_of(paired_ratio(older, newer)), Verdict::kCannotTell);  // two of eleven
  older[7] = 50;
  EXPECT_EQ(verdict_of(paired_ratio(older, newer)), Verdict::kSlower);
}

/// How often the interval of `pairs` noisy pairs misses the true ratio.
double miss_share(size_t pairs) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, 0.05);
  int missed = 0;
  constexpr int kTrials = 4000;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> older(pairs), newer(pairs);
    for (size_t i = 0; i < pairs; ++i) older[i] = std::exp(noise(random)), newer[i] = std::exp(noise(random));
    const TimeRatio ratio = paired_ratio(older, newer);
    missed += ratio.low > 1 || ratio.high < 1;
  }
  return double(missed) / kTrials;
}

TEST(Verdict, IntervalsMissTheTruthAsRarelyAsTheySay) {
  for (const size_t pairs : {7u, 11u, 20u, 41u}) EXPECT_LE(miss_share(pairs), 0.025) << pairs;
}

}  // namespace
}  // namespace sinew::app
