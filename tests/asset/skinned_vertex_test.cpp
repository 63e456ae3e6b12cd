#include "sinew/skinned_vertex.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sinew {
namespace {

double angle_degrees(Vec3 a, Vec3 b) {
  // By the chord: an arc cosine near 1 would lose what is measured.
  const Vec3 d = a - b;
  return 2 * std::asin(std::sqrt(double(dot(d, d))) / 2) * 180 / 3.14159265358979;
}

TEST(SkinnedVertex, NormalsKeepTheirDirectionWithin5Thousandths) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  double largest = 0;
  for (int i = 0; i < 100000; ++i) {
    const Vec3 n = normalize(Vec3{normal(random), normal(random), normal(random)});
    largest = std::fmax(largest, angle_degrees(n, decode_normal(encode_normal(n))));
  }
  EXPECT_LT(largest, 0.005);
  EXPECT_GT(largest, 0.0005) << "16 bits cannot be this exact: is the test looking?";
}

TEST(SkinnedVertex, NormalsOnAxesAreExact) {
  for (const Vec3 n : {Vec3{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}) {
    EXPECT_LT(angle_degrees(n, decode_normal(encode_normal(n))), 1e-4) << n.x << ' ' << n.y << ' ' << n.z;
  }
}

TEST(SkinnedVertex, XIsInTheLowBits) {
  EXPECT_EQ(encode_normal({1, 0, 0}), 0x00007fffu);
  EXPECT_EQ(encode_normal({0, -1, 0}), 0x80010000u);
}

}  // namespace
}  // namespace sinew
