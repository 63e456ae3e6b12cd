// Compact matrices give the matrix back, within their bound.
#include "sinew/asset/compact_matrix.h"
#include "asset/larger_error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "sinew/asset/skin.h"

namespace sinew {
namespace {

/// The distance of the moved point, over its bound.
double share_of_bound(const Matrix3x4& matrix, const Matrix3x4& again, Vec3 point) {
  const Vec3 moved = transform_point(matrix, point);
  const double bound = 9e-6 * double(length(point)) + 4e-6 * double(length(moved));
  return double(length(transform_point(again, point) - moved)) / bound;
}

TEST(CompactMatrix, GivesTheMatrixBackWithinItsBound) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  double largest = 0;
  for (int i = 0; i < 100000; ++i) {
    Transform transform;
    transform.rotation = normalize(Quat{normal(random), normal(random), normal(random), normal(random)});
    const float size = std::exp2(float(i % 24) - 12);
    transform.translation = {size * normal(random), size * normal(random), size * normal(random)};
    const Matrix3x4 matrix = matrix_cast<float>(to_matrix(transform));
    const Vec3 point{normal(random), normal(random), normal(random)};
    largest = sinew::internal::larger_error(largest, share_of_bound(matrix, expand(compact(matrix)), point));
  }
  EXPECT_LE(largest, 1);
  EXPECT_GT(largest, 0.1) << "the bound is far too wide";
  RecordProperty("share_of_bound", std::to_string(largest));
}

/// Each component as the largest, of both signs, and ties.
TEST(CompactMatrix, LeavesOutAnyComponent) {
  const float half = std::sqrt(0.5f);
  for (const Quat q : {Quat{1, 0, 0, 0},
                       {0, -1, 0, 0},
                       {0, 0, 1, 0},
                       {0, 0, 0, -1},
                       {half, half, 0, 0},
                       {0, -half, half, 0},
                       {half, 0, 0, -half},
                       {0.5f, -0.5f, 0.5f, 0.5f}}) {
    const Matrix3x4 matrix = matrix_cast<float>(to_matrix(Transform{.translation = {1, -2, 3}, .rotation = q}));
    for (const Vec3 point : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
      EXPECT_LE(share_of_bound(matrix, expand(compact(matrix)), point), 1) << q.x << ' ' << q.y << ' ' << q.z;
  }
}

TEST(CompactMatrix, KeepsTheScaleApart) {
  const Matrix3x4 matrix = {{{0, -0.01f, 0, 5}, {0.01f, 0, 0, 6}, {0, 0, 0.01f, -70000}}};
  const Matrix3x4 again = expand(compact(matrix, 0.01f), 0.01f);
  EXPECT_NEAR(again.m[0][1], -0.01f, 1e-7f);
  EXPECT_NEAR(again.m[2][3], -70000, 70000 * 2e-6);
  EXPECT_NEAR(again.m[0][3], 5, 70000 * 2e-6);
}

TEST(CompactMatrix, KeepsExactlyWhatIsRound) {
  const Matrix3x4 identity;
  const Matrix3x4 again = expand(compact(identity));
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) EXPECT_EQ(again.m[row][column], identity.m[row][column]);
  }
  const Matrix3x4 moved = {{{1, 0, 0, -1}, {0, 1, 0, 0.5f}, {0, 0, 1, 0}}};
  EXPECT_EQ(expand(compact(moved)).m[0][3], -1);
  EXPECT_EQ(expand(compact(moved)).m[1][3], 0.5f);
}

TEST(CompactMatrix, SurvivesWhatIsNoRotation) {
  for (const float value : {0.0f, 1e30f, -1e30f, INFINITY, NAN, 1e-40f}) {
    const Matrix3x4 matrix = {{{value, value, 0, value}, {0, value, 0, 1}, {0, 0, value, value}}};
    const Matrix3x4 again = expand(compact(matrix));
    for (const auto& row : again.m) EXPECT_TRUE(std::isfinite(row[0]) && std::isfinite(row[3])) << value;
  }
}

TEST(WeightsBehindPalettes, AreWhereThereIsRoom) {
  std::vector<Matrix3x4> matrices(12);
  std::vector<CompactMatrix> compact_matrices(12);
  EXPECT_EQ(weights_behind(matrices, 5).data(), &matrices[8].m[0][0]);
  EXPECT_EQ(weights_behind(matrices, 5).size(), 4u * 12);
  EXPECT_EQ(weights_behind(compact_matrices, 5).size(), 4u * 4);
  EXPECT_TRUE(weights_behind(matrices, 12).empty());
  for (const uint64_t palette_size : {uint64_t(13), uint64_t(1) << 31, UINT64_MAX - 1, UINT64_MAX}) {
    EXPECT_TRUE(weights_behind(matrices, palette_size).empty()) << palette_size;
    EXPECT_TRUE(weights_behind(compact_matrices, palette_size).empty()) << palette_size;
  }
  EXPECT_TRUE(weights_behind(std::span(matrices).first(7), 5).empty()) << "the palette's stride is 8";
}

}  // namespace
}  // namespace sinew
