// Curves of FBX files at, between and outside their keys, against a slow evaluator, over random curves.
#include "fbx/fbx_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "failure.h"
#include "fbx_own.h"

namespace sinew::test {
namespace {

using internal::FbxCurve;

constexpr double kTicks = 46186158000;

/// The curve that a text file has. `header`: records of the file's header.
FbxCurve read(const std::string& records, const std::string& header = {}) {
  const std::string text = "FBXHeaderExtension: {\nFBXVersion: 7400\n" + header + "}\nCurve: {\n" + records + "}\n";
  const internal::FbxDocument document = internal::parse_text_fbx(text);
  uint32_t dropped = 0;
  return internal::read_fbx_curve(document, *document.find("Curve"), kTicks, dropped);
}

FbxCurve curve_of(const FbxKeys& keys) { return read(fbx_keys(keys)); }

double at(const FbxCurve& curve, double seconds, Side side = Side::kAt) { return curve.value(seconds, side, -99); }

/// At the keys and their repetitions, and at random times before, between and after them.
void expect_values(const FbxCurve& curve, const OwnCurve& own, OwnRandom& random) {
  std::vector<double> times = own.breaks(-9, 13);
  for (int i = 0; i < 40; ++i) times.push_back(random.between(-9, 13));
  for (const double time : times) {
    const double before = own.value(time, Side::kBefore), after = own.value(time, Side::kAfter);
    const double tolerance = 1e-6 * (1 + std::abs(before) + std::abs(after));
    EXPECT_NEAR(at(curve, time, Side::kBefore), before, tolerance) << "before " << time;
    EXPECT_NEAR(at(curve, time, Side::kAfter), after, tolerance) << "after " << time;
    if (own.is_seam(time)) continue;
    EXPECT_NEAR(at(curve, time), own.value(time), tolerance) << "at " << time;
  }
}

class FbxRandomCurve : public ::testing::Test {
 protected:
  /// Calls `check(curve, own curve, random numbers)` for many random curves.
  template <class Check>
  void for_each(const Check& check) {
    for (uint32_t seed = 0; seed < 600 && !HasFailure(); ++seed) {
      OwnRandom random(seed);
      CurveRange range;
      range.is_tame = false;
      OwnCurve own = random_curve(random, range);
      const bool is_of_sdk = random.chance(50);
      if (is_of_sdk) own.weight_unit = 1 / 9999.0;
      const std::string records = fbx_keys(own.written());
      SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + records);
      check(read(records, is_of_sdk ? "Creator: \"FBX SDK/FBX Plugins\"\n" : ""), own, random);
    }
  }
};

TEST_F(FbxRandomCurve, HasTheValuesOfTheSlowEvaluator) { for_each(expect_values); }

TEST_F(FbxRandomCurve, BreaksAreTheKeysAndTheirRepetitions) {
  for_each([](const FbxCurve& curve, const OwnCurve& own, OwnRandom& random) {
    const double begin = random.between(-9, 4), end = random.between(begin, 13);
    std::vector<double> times;
    curve.append_breaks(begin, end, times);
    internal::sort_breaks(times);
    times.erase(std::unique(times.begin(), times.end(), [](double a, double b) { return b - a < 1e-9; }), times.end());
    EXPECT_THAT(times, ::testing::Pointwise(::testing::DoubleNear(1e-9), own.breaks(begin, end)));
  });
}

/// Between breaks: at least the way that the value goes, at most that of the control points of some interval.
TEST_F(FbxRandomCurve, VariationBoundsTheWayOfTheValue) {
  for_each([](const FbxCurve& curve, const OwnCurve& own, OwnRandom&) {
    std::vector<double> times = own.breaks(-9, 13);
    times.insert(times.begin(), -9.03), times.push_back(13.03);
    for (size_t i = 0; i + 1 < times.size(); ++i) {
      const double begin = times[i], end = times[i + 1], step = (end - begin) / 60;
      double way = 0, last = own.value(begin, Side::kAfter);
      for (int k = 1; k <= 60; ++k) {
        const double next = own.value(k == 60 ? end : begin + k * step, Side::kBefore);
        way += std::abs(next - last), last = next;
      }
      const double line = std::abs(own.value(end, Side::kBefore) - own.value(begin, Side::kAfter));
      const double variation = curve.variation(begin, end);
      EXPECT_GE(variation, way - 1e-6 * (1 + way)) << begin << " to " << end;
      EXPECT_LE(variation, std::max(own.longest_way(), line) * (1 + 1e-9) + 1e-9) << begin << " to " << end;
    }
  });
}

/// Lists of keys before version 7.0, in all their versions.
TEST(FbxRandomTake, HasTheValuesOfTheSlowEvaluator) {
  for (uint32_t seed = 0; seed < 300 && !::testing::Test::HasFailure(); ++seed) {
    OwnRandom random(seed);
    const int version = random.one_of({4003, 4004, 4005});
    const OwnCurve own = random_take_curve(random, version);
    std::string text = "Channel: \"Y\" {\n" + own.written().records + "KeyVer: " + std::to_string(version) + "\n";
    text += "KeyCount: " + std::to_string(own.keys.seconds.size()) + "\n";
    text += "Key: " + own.written_as_take(version, random) + "\n}\n";
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    uint32_t dropped = 0;
    const internal::FbxDocument document = internal::parse_text_fbx(text);
    expect_values(internal::read_fbx_take_curve(document.records[0], kTicks, dropped), own, random);
  }
}

TEST(FbxTakeCurve, KeysThatEndEarlyOrAreUnknownAreRefused) {
  const std::pair<const char*, const char*> rows[] = {{"KeyCount: 3\nKey: 0,1,L,9,2,L\n", "ends too early"},
                                                      {"KeyCount: 2000000000\nKey: 0,1,L,9,2,L\n", "ends too early"},
                                                      {"KeyCount: -1\nKey: 0,1,L\n", "ends too early"},
                                                      {"KeyCount: 1\nKey: 0,1,Q\n", "unknown interpolation"},
                                                      {"KeyCount: 1\nKey: 0,1,U,z,1,1,n\n", "unknown kind"}};
  for (const auto& [records, reason] : rows) {
    const std::string text = std::string("Channel: {\n") + records + "}\n";
    const internal::FbxDocument document = internal::parse_text_fbx(text);
    uint32_t dropped = 0;
    try {
      internal::read_fbx_take_curve(document.records[0], kTicks, dropped);
      ADD_FAILURE() << records << "is read";
    } catch (const internal::ImportFailure& failure) {
      EXPECT_THAT(failure.reason, ::testing::HasSubstr(reason)) << records;
    }
  }
}

TEST(FbxCurveTest, WithoutKeysIsTheFallback) { EXPECT_EQ(at(FbxCurve(), 3), -99); }

/// A curve of two keys that lie 1 ms apart, repeated for a day.
TEST(FbxCurveTest, BreaksOfAHostileCurveAreBounded) {
  std::vector<double> times;
  curve_of({{0, 0.001}, {0, 1}, {}, fbx_extrapolation("Post", 'R', -1)}).append_breaks(0, 86400, times);
  EXPECT_LT(times.size(), 100000u);
}

// --- damaged curves ---

TEST(FbxCurveTest, UnorderedKeysAreSorted) {
  const FbxCurve curve = curve_of({{2, 0, 1}, {20, 0, 5}});
  EXPECT_NEAR(at(curve, 0.5), 2.5, 1e-12);
  EXPECT_NEAR(at(curve, 1.5), 12.5, 1e-12);
}

TEST(FbxCurveTest, TimesWithoutValuesAreRefused) {
  EXPECT_THROW(curve_of({{0, 1, 2}, {1, 2}}), internal::ImportFailure);
}

/// One attribute for the first key alone, and one for more keys than there are.
TEST(FbxCurveTest, RunsOfAttributesMayEndEarlyOrLate) {
  const auto curve = [](double run) {
    return read(fbx_keys({{0, 1, 2}, {0, 8, 0}}) + fbx_array("KeyAttrFlags", {kFbxConstant}) +
                fbx_array("KeyAttrDataFloat", {0}) + fbx_array("KeyAttrRefCount", {run}));
  };
  EXPECT_EQ(at(curve(1), 0.5), 0);
  EXPECT_NEAR(at(curve(1), 1.5), 4, 1e-12);
  EXPECT_EQ(at(curve(9e18), 1.5), 8);
}

}  // namespace
}  // namespace sinew::test
