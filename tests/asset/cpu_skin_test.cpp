#include "sinew/cpu_skin.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

Mesh point(Vec3 position, Vec3 normal, std::vector<Influence> influences) {
  Mesh mesh;
  mesh.positions = {position};
  mesh.normals = {normal};
  mesh.uvs = {{}};
  mesh.first_influence = {0, uint32_t(influences.size())};
  mesh.influences = std::move(influences);
  return mesh;
}

struct Skinned {
  Vec3 position, normal;
};

Skinned skin(const Mesh& mesh, std::vector<Matrix3x4> palette) {
  Skinned result;
  skin_on_cpu(mesh, palette, {&result.position, 1}, {&result.normal, 1});
  return result;
}

const Matrix3x4 kIdentity;
const Matrix3x4 kLift = {{{1, 0, 0, 0}, {0, 1, 0, 8}, {0, 0, 1, 0}}};
const Matrix3x4 kQuarterTurnAboutZ = {{{0, -1, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 0}}};

TEST(CpuSkin, OneInfluenceFollowsItsEntry) {
  const Skinned v = skin(point({1, 0, 0}, {1, 0, 0}, {{1, 1}}), {kIdentity, kQuarterTurnAboutZ});
  EXPECT_EQ(v.position.x, 0);
  EXPECT_EQ(v.position.y, 1);
  EXPECT_EQ(v.normal.y, 1);
}

TEST(CpuSkin, PositionsAreTheWeightedMean) {
  const Skinned v = skin(point({1, 0, 0}, {1, 0, 0}, {{0, 0.75f}, {1, 0.25f}}), {kIdentity, kLift});
  EXPECT_EQ(v.position.x, 1);
  EXPECT_EQ(v.position.y, 2);
}

TEST(CpuSkin, NormalsOfABlendAreOfUnitLength) {
  const Skinned v = skin(point({1, 0, 0}, {1, 0, 0}, {{0, 0.5f}, {1, 0.5f}}), {kIdentity, kQuarterTurnAboutZ});
  EXPECT_NEAR(length(v.normal), 1, 1e-6);
  EXPECT_NEAR(v.normal.x, std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(v.normal.y, std::sqrt(0.5), 1e-6);
}

TEST(CpuSkin, NormalsLeanAwayFromTheStretchedAxis) {
  const Matrix3x4 stretch = {{{2, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  const float h = std::sqrt(0.5f);
  const Skinned v = skin(point({0, 0, 0}, {h, h, 0}, {{0, 1}}), {stretch});
  EXPECT_NEAR(v.normal.x, 1 / std::sqrt(5.0), 1e-6);
  EXPECT_NEAR(v.normal.y, 2 / std::sqrt(5.0), 1e-6);
}

TEST(CpuSkin, MoreThanFourInfluencesAllCount) {
  const std::vector<Influence> influences(8, {1, 0.125f});
  EXPECT_EQ(skin(point({0, 0, 0}, {0, 1, 0}, influences), {kIdentity, kLift}).position.y, 8);
}

}  // namespace
}  // namespace sinew
