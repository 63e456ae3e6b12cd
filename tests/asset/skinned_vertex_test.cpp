#include "sinew/asset/skinned_vertex.h"
#include "asset/larger_error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sinew {
namespace {

double angle_degrees(Vec3 a, Vec3 b) {
  // From the chord: the arc cosine has no precision near 1.
  const Vec3 d = a - b;
  return 2 * std::asin(std::sqrt(double(dot(d, d))) / 2) * 180 / 3.14159265358979;
}

TEST(SkinnedVertex, NormalErrorIsBelowFiveThousandthsOfADegree) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  double largest = 0;
  for (int i = 0; i < 100000; ++i) {
    const Vec3 n = normalize(Vec3{normal(random), normal(random), normal(random)});
    largest = sinew::internal::larger_error(largest, angle_degrees(n, decode_normal(encode_normal(n))));
  }
  EXPECT_LT(largest, 0.005);
  EXPECT_GT(largest, 0.0005) << "more exact than 16 bits allow: the test measures nothing";
}

TEST(SkinnedVertex, NormalsOnAxesAreExact) {
  for (const Vec3 n : {Vec3{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}) {
    EXPECT_LT(angle_degrees(n, decode_normal(encode_normal(n))), 1e-4) << n.x << ' ' << n.y << ' ' << n.z;
  }
}

TEST(SkinnedVertex, NormalXIsInTheLow16Bits) {
  EXPECT_EQ(encode_normal({1, 0, 0}), 0x00007fffu);
  EXPECT_EQ(encode_normal({0, -1, 0}), 0x80010000u);
}

Vec3 direction(Vec4 tangent) { return {tangent.x, tangent.y, tangent.z}; }

TEST(SkinnedVertex, TangentErrorIsBelowSixThousandthsOfADegreeAndHandednessIsExact) {
  std::mt19937 random(2);
  std::normal_distribution<float> normal;
  double largest = 0;
  for (int i = 0; i < 200000; ++i) {
    const Vec3 t = normalize(Vec3{normal(random), normal(random), normal(random)});
    const float handedness = i % 2 ? 1.0f : -1.0f;
    const Vec4 back = decode_tangent(encode_tangent({t.x, t.y, t.z, handedness}));
    ASSERT_EQ(back.w, handedness);
    largest = sinew::internal::larger_error(largest, angle_degrees(t, direction(back)));
  }
  EXPECT_LT(largest, 0.006);
  EXPECT_GT(largest, 0.003) << "more exact than 15 bits allow: the test measures nothing";
}

TEST(SkinnedVertex, TangentsOnAxesAndEdgesKeepDirectionAndHandedness) {
  const float h = std::sqrt(0.5f);
  for (const Vec3 t : {Vec3{1, 0, 0},
                       {-1, 0, 0},
                       {0, 1, 0},
                       {0, -1, 0},
                       {0, 0, 1},
                       {0, 0, -1},
                       {h, -h, 0},
                       {0, h, -h},
                       {-h, 0, -h},
                       {-h, -h, 0}}) {
    for (const float handedness : {1.0f, -1.0f}) {
      const Vec4 back = decode_tangent(encode_tangent({t.x, t.y, t.z, handedness}));
      EXPECT_EQ(back.w, handedness) << t.x << ' ' << t.y << ' ' << t.z;
      EXPECT_LT(angle_degrees(t, direction(back)), 0.006) << t.x << ' ' << t.y << ' ' << t.z;
    }
  }
}

TEST(SkinnedVertex, TangentDecodesAsANormalExceptForTheHandednessBit) {
  EXPECT_EQ(encode_tangent({1, 0, 0, 1}), 0x00007fffu);
  EXPECT_EQ(encode_tangent({0, -1, 0, -1}), 0x80010000u);
  EXPECT_EQ(encode_tangent({0, 1, 0, -1}), 0x7fff0000u);
  EXPECT_EQ(encode_tangent({0, 1, 0, 1}), 0x7ffe0000u) << "the nearest even snorm value; the low bit is the handedness";
  const uint32_t word = encode_tangent({0.36f, -0.48f, 0.8f, -1});
  EXPECT_EQ(decode_normal(word).y, decode_tangent(word).y);
}

}  // namespace
}  // namespace sinew
