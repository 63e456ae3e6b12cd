// Curves of FBX files between, at and outside their keys, against arithmetic of the test's own.
#include "fbx/fbx_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "failure.h"
#include "fbx_builder.h"

namespace sinew::test {
namespace {

using internal::FbxCurve;
using internal::FbxExtrapolation;
using internal::Side;

constexpr double kTicks = 46186158000;

struct Read {
  FbxCurve curve;
  uint32_t dropped = 0;
};

/// The curve that a text file has. `header`: records of the file's header.
Read read(const std::string& records, const std::string& header = {}) {
  const std::string text = "FBXHeaderExtension: {\nFBXVersion: 7400\n" + header + "}\nCurve: {\n" + records + "}\n";
  const internal::FbxDocument document = internal::parse_text_fbx(text);
  Read result;
  result.curve = internal::read_fbx_curve(document, *document.find("Curve"), kTicks, result.dropped);
  return result;
}

FbxCurve curve_of(const FbxKeys& keys) { return read(fbx_keys(keys)).curve; }

double at(const FbxCurve& curve, double seconds, Side side = Side::kAt) { return curve.value(seconds, side, -99); }

struct Bezier {
  double x1, x2, y0, y1, y2, y3;  // x from 0 to 1

  /// By bisection of x.
  double value(double x) const {
    double low = 0, high = 1;
    for (int i = 0; i < 200; ++i) {
      const double t = (low + high) / 2, u = 1 - t;
      (3 * u * u * t * x1 + 3 * u * t * t * x2 + t * t * t < x ? low : high) = t;
    }
    const double t = low, u = 1 - t;
    return u * u * u * y0 + 3 * u * u * t * y1 + 3 * u * t * t * y2 + t * t * t * y3;
  }
};

/// Of an interval from (begin, a) to (end, b) with slopes at both ends.
double hermite(double begin, double a, double slope_a, double end, double b, double slope_b, double seconds) {
  const double d = end - begin;
  const Bezier bezier{1 / 3.0, 2 / 3.0, a, a + slope_a * d / 3, b - slope_b * d / 3, b};
  return bezier.value((seconds - begin) / d);
}

TEST(FbxCurveTest, WithoutKeysIsTheFallbackAndWithOneKeyItsValue) {
  EXPECT_EQ(at(FbxCurve(), 3), -99);
  const FbxCurve one = curve_of({{2}, {7}, {}, fbx_extrapolation("Post", 'R', -1) + fbx_extrapolation("Pre", 'K', -1)});
  for (const double time : {-5.0, 2.0, 9.0}) EXPECT_EQ(at(one, time), 7);
}

TEST(FbxCurveTest, LinearKeysAreJoinedByLines) {
  const FbxCurve curve = curve_of({{1, 2, 4}, {10, 20, -20}, {{kFbxLinear}}});
  EXPECT_NEAR(at(curve, 1.25), 12.5, 1e-12);
  EXPECT_NEAR(at(curve, 2), 20, 1e-12);
  EXPECT_NEAR(at(curve, 3.5), -10, 1e-12);
}

TEST(FbxCurveTest, KeysWithoutAttributesAreLinear) { EXPECT_NEAR(at(curve_of({{0, 1}, {0, 8}}), 0.25), 2, 1e-12); }

TEST(FbxCurveTest, ConstantKeysHoldUntilTheNextKeyAndChangeAtIt) {
  const FbxCurve curve = curve_of({{0, 1, 2}, {5, 7, 9}, {{kFbxConstant}}});
  EXPECT_EQ(at(curve, 0.999), 5);
  EXPECT_EQ(at(curve, 1, Side::kBefore), 5);
  EXPECT_EQ(at(curve, 1), 7);
  EXPECT_EQ(at(curve, 1, Side::kAfter), 7);
  EXPECT_EQ(at(curve, 2, Side::kBefore), 7);
  EXPECT_EQ(at(curve, 2), 9);
}

TEST(FbxCurveTest, ConstantNextKeysTakeTheNextValueAfterTheirTime) {
  const FbxCurve curve = curve_of({{0, 1, 2}, {5, 7, 9}, {{kFbxConstant | kFbxConstantNext}}});
  EXPECT_EQ(at(curve, 0), 5);
  EXPECT_EQ(at(curve, 0, Side::kAfter), 7);
  EXPECT_EQ(at(curve, 0.001), 7);
  EXPECT_EQ(at(curve, 1), 7);
  EXPECT_EQ(at(curve, 1, Side::kAfter), 9);
}

TEST(FbxCurveTest, BothSidesOfTwoKeysAtOneTime) {
  const FbxCurve curve = curve_of({{0, 1, 1, 2}, {0, 4, 10, 20}});
  EXPECT_NEAR(at(curve, 1, Side::kBefore), 4, 1e-12);
  EXPECT_NEAR(at(curve, 1, Side::kAfter), 10, 1e-12);
  EXPECT_NEAR(at(curve, 0.5), 2, 1e-12);
  EXPECT_NEAR(at(curve, 1.5), 15, 1e-12);
}

TEST(FbxCurveTest, UserSlopesMakeACubic) {
  const FbxCurve curve = curve_of({{1, 3}, {10, 20}, {{kFbxCubic | kFbxUser, 30, -12}}});
  for (const double time : {1.0, 1.2, 2.0, 2.9, 3.0}) {
    EXPECT_NEAR(at(curve, time), hermite(1, 10, 30, 3, 20, -12, time), 1e-9) << time;
  }
}

TEST(FbxCurveTest, WeightedTangentsMatchABisectionOfTheBezier) {
  const auto file = [](uint16_t after, uint16_t before) {
    const uint32_t flags = kFbxCubic | kFbxUser | kFbxWeightAfter | kFbxWeightBefore;
    return fbx_keys({{0, 2}, {1, 4}, {{flags, 9, -3, after, before}}});
  };
  for (const auto& [after, before] : {std::pair{9000, 500}, {500, 9000}, {9000, 9000}, {3333, 3333}, {0, 0}}) {
    const auto curve = read(file(uint16_t(after), uint16_t(before)), "Creator: \"FBX SDK/FBX Plugins\"\n").curve;
    const double w = after / 9999.0, v = before / 9999.0;
    const Bezier bezier{w, 1 - v, 1, 1 + 9 * w * 2, 4 + 3 * v * 2, 4};
    for (const double share : {0.05, 0.3, 0.5, 0.81, 0.99}) {
      EXPECT_NEAR(at(curve, 2 * share), bezier.value(share), 1e-7) << after << " " << before << " " << share;
    }
  }
}

TEST(FbxCurveTest, WeightsWithoutTheirFlagsAreAThird) {
  const FbxCurve curve = curve_of({{0, 2}, {1, 4}, {{kFbxCubic | kFbxUser, 9, -3, 9000, 100}}});
  EXPECT_NEAR(at(curve, 0.5), hermite(0, 1, 9, 2, 4, -3, 0.5), 1e-9);
}

// --- slopes that the file leaves to the reader ---

constexpr uint32_t kAuto = kFbxCubic;  // without kFbxUser

/// The slope at the second of three keys.
double middle_slope(const FbxCurve& curve) {
  EXPECT_EQ(curve.keys.size(), 3u);
  EXPECT_NEAR(curve.keys[1].slope_before, curve.keys[1].slope_after, 1e-12);
  return curve.keys[1].slope_after;
}

TEST(FbxCurveTest, TimeIndependentSlopeIsThatOfTheNeighbors) {
  const FbxCurve curve = curve_of({{0, 1, 4}, {0, 5, 2}, {{kAuto | kFbxTimeIndependent}}});
  EXPECT_NEAR(middle_slope(curve), 2 / 4.0, 1e-12);
  EXPECT_NEAR(curve.keys[0].slope_after, 5, 1e-12);
  EXPECT_NEAR(curve.keys[2].slope_before, (2 - 5) / 3.0, 1e-12);
  EXPECT_NEAR(at(curve, 0.5), hermite(0, 0, 5, 1, 5, 0.5, 0.5), 1e-9);
}

/// On keys at equal distances, every rule gives the slope of the neighbors.
TEST(FbxCurveTest, AutoSlopeOfEqualDistancesIsThatOfTheNeighbors) {
  EXPECT_NEAR(middle_slope(curve_of({{0, 1, 2}, {0, 5, 2}, {{kAuto}}})), 1, 1e-12);
}

TEST(FbxCurveTest, AutoSlopeOfAStraightLineIsTheLine) {
  EXPECT_NEAR(middle_slope(curve_of({{0, 1, 4}, {0, 3, 12}, {{kAuto}}})), 3, 1e-12);
}

TEST(FbxCurveTest, ClampedSlopeIsFlatBesideAnEqualValue) {
  EXPECT_EQ(middle_slope(curve_of({{0, 1, 2}, {5, 5, 9}, {{kAuto | kFbxClamp}}})), 0);
  EXPECT_EQ(middle_slope(curve_of({{0, 1, 2}, {9, 5, 5}, {{kAuto | kFbxClamp}}})), 0);
  EXPECT_NEAR(middle_slope(curve_of({{0, 1, 2}, {5, 5, 9}, {{kAuto}}})), 2, 1e-12);
}

TEST(FbxCurveTest, ProgressiveSlopesDoNotOvershoot) {
  const uint32_t flags = kAuto | kFbxProgressive;
  const FbxCurve curve = curve_of({{0, 1, 2, 3}, {0, 0.1, 10, 9}, {{flags}}});
  EXPECT_NEAR(curve.keys[1].slope_after, 0.1 / (1 / 3.0), 1e-9);  // the steepest that stays below the key
  EXPECT_EQ(curve.keys[2].slope_after, 0) << "at the highest key";
  double last = at(curve, 0);
  for (double time = 0.01; time < 2; time += 0.01) {
    EXPECT_GE(at(curve, time), last - 1e-12) << time;
    last = at(curve, time);
  }
  EXPECT_LE(at(curve, 2.01), 10);
}

TEST(FbxCurveTest, TcbSlopesFollowKochanekAndBartels) {
  struct Row {
    float tension, continuity, bias;
  };
  for (const Row& row : {Row{0, 0, 0}, Row{0.5f, 0, 0}, Row{0, 0.25f, 0}, Row{0, 0, -0.75f}, Row{-0.5f, 0.5f, 0.25f}}) {
    const FbxCurve curve =
        curve_of({{0, 1, 2}, {0, 5, 2}, {{kFbxCubic | kFbxTcb, row.tension, row.continuity, 0, 0, row.bias}}});
    const double t = double(row.tension), c = double(row.continuity), b = double(row.bias), in = 5, out = -3;
    const double before = (1 - t) * ((1 - c) * (1 + b) * in + (1 + c) * (1 - b) * out) / 2;
    const double after = (1 - t) * ((1 + c) * (1 + b) * in + (1 - c) * (1 - b) * out) / 2;
    EXPECT_NEAR(curve.keys[1].slope_before, before, 1e-6);
    EXPECT_NEAR(curve.keys[1].slope_after, after, 1e-6);
    EXPECT_NEAR(at(curve, 0.5), hermite(0, 0, curve.keys[0].slope_after, 1, 5, before, 0.5), 1e-6);
  }
}

// --- outside the keys ---

/// From 1 to 3 s the curve goes from 10 to 14 in a line, but through 16 at 2 s.
double base(double seconds) { return seconds < 2 ? 10 + 6 * (seconds - 1) : 16 - 2 * (seconds - 2); }

FbxCurve extended(char before, int before_count, char after, int after_count) {
  return curve_of({{1, 2, 3},
                   {10, 16, 14},
                   {},
                   fbx_extrapolation("Pre", before, before_count) + fbx_extrapolation("Post", after, after_count)});
}

TEST(FbxCurveTest, ConstantExtrapolationHoldsTheEnds) {
  const FbxCurve curve = extended('C', -1, 'C', -1);
  EXPECT_EQ(at(curve, -7), 10);
  EXPECT_EQ(at(curve, 7), 14);
}

TEST(FbxCurveTest, SlopesGoOnInLines) {
  const FbxCurve curve = extended('K', -1, 'K', -1);
  EXPECT_NEAR(at(curve, 0), 10 - 6, 1e-12);
  EXPECT_NEAR(at(curve, 5), 14 - 2 * 2, 1e-12);
}

TEST(FbxCurveTest, RepetitionStartsAgain) {
  const FbxCurve curve = extended('R', -1, 'R', -1);
  for (const double time : {1.1, 1.5, 2.3, 2.9}) {
    for (const int round : {-3, -1, 0, 1, 4}) EXPECT_NEAR(at(curve, time + 2 * round), base(time), 1e-9) << round;
  }
}

TEST(FbxCurveTest, MirroredRepetitionGoesBackAndForth) {
  const FbxCurve curve = extended('M', -1, 'M', -1);
  for (const double time : {1.1, 1.5, 2.3, 2.9}) {
    for (const int round : {-2, -1, 1, 3}) {
      EXPECT_NEAR(at(curve, time + 4 * round), base(time), 1e-9) << round;
      EXPECT_NEAR(at(curve, 4 * round + 2 - time), base(time), 1e-9) << round;
    }
  }
}

TEST(FbxCurveTest, RepetitionWithOffsetGoesOnFromTheLastValue) {
  const FbxCurve curve = extended('A', -1, 'A', -1);
  for (const double time : {1.1, 1.5, 2.3, 2.9}) {
    for (const int round : {-3, -1, 1, 4}) {
      EXPECT_NEAR(at(curve, time + 2 * round), base(time) + 4 * round, 1e-9) << round;
    }
  }
}

TEST(FbxCurveTest, RepetitionsEndAfterTheirCount) {
  EXPECT_NEAR(at(extended('C', 0, 'R', 2), 6.5), base(2.5), 1e-9);
  EXPECT_NEAR(at(extended('C', 0, 'R', 2), 7.5), 14, 1e-9);
  EXPECT_NEAR(at(extended('R', 2, 'C', 0), -2.5), base(1.5), 1e-9);
  EXPECT_NEAR(at(extended('R', 2, 'C', 0), -3.5), 10, 1e-9);
  EXPECT_NEAR(at(extended('C', 0, 'M', 1), 9), 10, 1e-9) << "at the end of one way back";
  EXPECT_NEAR(at(extended('C', 0, 'M', 2), 9), 14, 1e-9) << "there and back";
  EXPECT_NEAR(at(extended('C', 0, 'A', 3), 99), 14 + 3 * 4, 1e-9);
  EXPECT_NEAR(at(extended('A', 3, 'C', 0), -99), 10 - 3 * 4, 1e-9);
}

TEST(FbxCurveTest, RepetitionJumpsWhereItStartsAgain) {
  const FbxCurve curve = extended('R', -1, 'R', -1);
  EXPECT_NEAR(at(curve, 3, Side::kBefore), 14, 1e-12);
  EXPECT_NEAR(at(curve, 3, Side::kAfter), 10, 1e-12);
  EXPECT_NEAR(at(curve, 5, Side::kBefore), 14, 1e-9);
  EXPECT_NEAR(at(curve, 5, Side::kAfter), 10, 1e-9);
  EXPECT_NEAR(at(curve, -1, Side::kBefore), 14, 1e-9);
  EXPECT_NEAR(at(curve, -1, Side::kAfter), 10, 1e-9);
}

TEST(FbxCurveTest, BreaksAreTheKeysAndTheirRepetitions) {
  std::vector<double> times;
  extended('R', 1, 'M', 1).append_breaks(-10, 10, times);
  internal::sort_breaks(times);
  EXPECT_THAT(times, ::testing::ElementsAre(-1, 0, 1, 2, 3, 4, 5));
  times.clear();
  extended('C', 0, 'R', -1).append_breaks(2.5, 4.5, times);
  internal::sort_breaks(times);
  EXPECT_THAT(times, ::testing::ElementsAre(3, 4));
}

/// A curve of two keys that lie 1 ms apart, repeated for a day.
TEST(FbxCurveTest, BreaksOfAHostileCurveAreBounded) {
  std::vector<double> times;
  curve_of({{0, 0.001}, {0, 1}, {}, fbx_extrapolation("Post", 'R', -1)}).append_breaks(0, 86400, times);
  EXPECT_LT(times.size(), 100000u);
}

TEST(FbxCurveTest, VariationIsAtLeastTheWayThatTheValueGoes) {
  for (const float slope : {0.0f, 30.0f, -400.0f}) {
    const FbxCurve curve = curve_of({{0, 1}, {0, 5}, {{kFbxCubic | kFbxUser, slope, -slope}}});
    double way = 0;
    for (int i = 0; i < 1000; ++i) way += std::abs(at(curve, (i + 1) / 1000.0) - at(curve, i / 1000.0));
    EXPECT_GE(curve.variation(0, 1), way - 1e-6) << slope;
  }
}

// --- damaged curves ---

TEST(FbxCurveTest, KeysThatAreNotFiniteAreDroppedAndCounted) {
  const Read curve =
      read("KeyTime: *3 {\n a: 0,46186158000,92372316000\n}\nKeyValueFloat: *3 {\n a: 1,-nan(ind),3\n}\n");
  EXPECT_EQ(curve.dropped, 1u);
  ASSERT_EQ(curve.curve.keys.size(), 2u);
  EXPECT_NEAR(at(curve.curve, 1), 2, 1e-12);
}

TEST(FbxCurveTest, UnorderedKeysAreSorted) {
  const FbxCurve curve = curve_of({{2, 0, 1}, {20, 0, 5}});
  EXPECT_NEAR(at(curve, 0.5), 2.5, 1e-12);
  EXPECT_NEAR(at(curve, 1.5), 12.5, 1e-12);
}

TEST(FbxCurveTest, TimesWithoutValuesAreRefused) {
  EXPECT_THROW(curve_of({{0, 1, 2}, {1, 2}}), internal::ImportFailure);
}

TEST(FbxCurveTest, FewerAttributesThanKeysLeaveTheRestLinear) {
  const std::string records = fbx_keys({{0, 1, 2}, {0, 8, 0}}) + fbx_array("KeyAttrFlags", {kFbxConstant}) +
                              fbx_array("KeyAttrDataFloat", {0}) + fbx_array("KeyAttrRefCount", {1});
  const FbxCurve curve = read(records).curve;
  EXPECT_EQ(at(curve, 0.5), 0);
  EXPECT_NEAR(at(curve, 1.5), 4, 1e-12);
}

TEST(FbxCurveTest, RunsOfAttributesReachNoFurtherThanTheKeys) {
  const std::string records = fbx_keys({{0, 1}, {0, 8}}) + fbx_array("KeyAttrFlags", {kFbxConstant}) +
                              fbx_array("KeyAttrDataFloat", {0, 0, 0, 0}) + fbx_array("KeyAttrRefCount", {9e18});
  EXPECT_EQ(at(read(records).curve, 0.5), 0);
}

}  // namespace
}  // namespace sinew::test
