#include "sinew/asset/math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "asset/larger_error.h"
#include "sinew/glm.h"

namespace sinew {
namespace {

Quat random_rotation(std::mt19937& random) {
  std::normal_distribution<float> normal;
  return normalize(Quat{normal(random), normal(random), normal(random), normal(random)});
}

Transform random_transform(std::mt19937& random) {
  std::uniform_real_distribution<float> position(-10, 10), scale(0.2f, 3);
  return {{position(random), position(random), position(random)},
          random_rotation(random),
          {scale(random), scale(random), scale(random)}};
}

double largest_difference(const Matrix3x4d& a, const Matrix3x4d& b) {
  double largest = 0;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column)
      largest = sinew::internal::larger_error(largest, std::abs(a.m[row][column] - b.m[row][column]));
  }
  return largest;
}

TEST(Math, QuarterTurnAboutZMapsXToY) {
  const float h = std::sqrt(0.5f);
  const Matrix3x4d a = to_matrix({{1, 2, 3}, {0, 0, h, h}, {2, 1, 1}});
  const Vec3 p = transform_point(a, {1, 0, 0});
  EXPECT_NEAR(p.x, 1, 1e-6);
  EXPECT_NEAR(p.y, 4, 1e-6);  // scale first, then rotation, then translation
  EXPECT_NEAR(p.z, 3, 1e-6);
}

TEST(Math, ToMatrixNormalizesTheRotation) {
  const Matrix3x4d a = to_matrix({{}, {0.1f, 0.2f, 0.3f, 0.4f}, {1, 1, 1}});
  const Matrix3x4d b = to_matrix({{}, {1, 2, 3, 4}, {1, 1, 1}});
  EXPECT_LT(largest_difference(a, b), 1e-6);
}

TEST(Math, QuaternionProductFollowsMatrixProduct) {
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) {
    const Quat a = random_rotation(random), b = random_rotation(random);
    const Matrix3x4d product = to_matrix({{}, a, {1, 1, 1}}) * to_matrix({{}, b, {1, 1, 1}});
    EXPECT_LT(largest_difference(product, to_matrix({{}, a * b, {1, 1, 1}})), 1e-6);
  }
}

TEST(Math, TransformsRoundTripThroughMatrices) {
  std::mt19937 random(2);
  for (int i = 0; i < 1000; ++i) {
    Transform transform = random_transform(random);
    if (i % 4 == 0) transform.scale.y *= -1;  // the mirror comes back in x
    const Matrix3x4d matrix = to_matrix(transform);
    const Transform back = to_transform(matrix);
    EXPECT_EQ(back.scale.x < 0, i % 4 == 0);
    EXPECT_LT(largest_difference(matrix, to_matrix(back)), 1e-5);
  }
}

TEST(Math, SingularMatricesGiveAUnitRotationTheIdentityAndTheNormalItself) {
  const Transform transform = to_transform({{{1, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}});
  EXPECT_NEAR(dot(transform.rotation, transform.rotation), 1, 1e-6);
  EXPECT_NEAR(transform.scale.x, 1, 1e-6);
  EXPECT_NEAR(transform.scale.y, 0, 1e-6);
  EXPECT_EQ(largest_difference(inverse({{{1, 0, 0, 5}, {2, 0, 0, 6}, {3, 0, 0, 7}}}), {}), 0);
  EXPECT_EQ(transform_normal({{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}}, {0, 1, 0}).y, 1);
}

TEST(Math, MatrixTimesItsInverseIsTheIdentity) {
  std::mt19937 random(4);
  for (int i = 0; i < 100; ++i) {
    const Matrix3x4d a = to_matrix(random_transform(random));
    EXPECT_LT(largest_difference(a * inverse(a), {}), 1e-12);
  }
}

TEST(Math, NormalStaysPerpendicularUnderNonUniformScaleAndMirroring) {
  std::mt19937 random(5);
  for (int i = 0; i < 200; ++i) {
    Transform transform = random_transform(random);
    if (i % 2) transform.scale.x *= -1;
    const Matrix3x4d matrix = to_matrix(transform);
    const Vec3 along = normalize(transform_point(to_matrix(random_transform(random)), {1, 0, 0}));
    const Vec3 normal = normalize(cross(along, {0.3f, -0.5f, 0.8f}));
    const Vec3 origin = transform_point(matrix, {});
    const Vec3 mapped_along = normalize(transform_point(matrix, along) - origin);
    const Vec3 mapped = transform_normal(matrix, normal);
    EXPECT_NEAR(dot(mapped, mapped_along), 0, 1e-5);
    EXPECT_GT(dot(mapped, transform_point(matrix, normal) - origin), 0) << "the normal points inward";
    EXPECT_NEAR(length(mapped), 1, 1e-6);
  }
}

TEST(Math, NormalizeReturnsTheFallbackWhereThereIsNoDirection) {
  EXPECT_EQ(normalize(Vec3{0, 0, 0}).z, 1);
  EXPECT_EQ(normalize(Vec3{NAN, 0, 0}).z, 1);
  EXPECT_EQ(normalize(Quat{0, 0, 0, 0}).w, 1);
  EXPECT_EQ(normalize(Quat{NAN, 0, 0, 0}).w, 1);
}

TEST(Math, GlmRotatesAndTransformsLikeSinew) {
  std::mt19937 random(6);
  for (int i = 0; i < 20; ++i) {
    const Quat q = random_rotation(random);
    const Vec3 p = transform_point(to_matrix({{}, q, {1, 1, 1}}), {1, 2, 3});
    const glm::vec3 g = to_glm(q) * glm::vec3(1, 2, 3);
    EXPECT_LT(length(p - from_glm(g)), 1e-5);
    EXPECT_EQ(from_glm(to_glm(q)).w, q.w);
  }
  const Matrix3x4 a = matrix_cast<float>(to_matrix(random_transform(random)));
  const glm::vec4 g = to_glm(a) * glm::vec4(1, 2, 3, 1);
  EXPECT_LT(length(transform_point(a, {1, 2, 3}) - Vec3{g.x, g.y, g.z}), 1e-5);
  const std::array<float, 16> columns = to_array(to_glm(a));
  EXPECT_EQ(columns[12], a.m[0][3]);
  EXPECT_EQ(columns[4], a.m[0][1]);
  const Matrix3x4 back = from_glm(to_glm(a));
  EXPECT_EQ(std::memcmp(&back, &a, sizeof a), 0);
}

TEST(Math, MatricesOfColumnsMapPointsAsTheyDid) {
  const float columns[16] = {0, 3, 0, 0, -2, 0, 0, 0, 0, 0, 5, 0, 10, 20, 30, 1};  // x to 3 y, y to -2 x, z to 5 z
  constexpr float kIdentity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  static_assert(from_columns(kIdentity).m[2][2] == 1 && from_columns(kIdentity).m[2][3] == 0);
  const Vec3 p = transform_point(from_columns(columns), {1, 2, 3});
  EXPECT_EQ(p.x, 6);
  EXPECT_EQ(p.y, 23);
  EXPECT_EQ(p.z, 45);
}

}  // namespace
}  // namespace sinew
