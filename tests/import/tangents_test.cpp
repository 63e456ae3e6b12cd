// Normals and tangents that import computes, with values worked out by hand; those of the file are in the cases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gltf_file.h"
#include "must.h"
#include "sinew/asset/character_file.h"
#include "sinew/import/import.h"
#include "surface.h"

namespace sinew::test {

using namespace internal;

namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

MATCHER_P4(IsTangent, x, y, z, w, "") {
  *result_listener << "which is (" << arg.x << ", " << arg.y << ", " << arg.z << ", " << arg.w << ")";
  return length(Vec3{arg.x - float(x), arg.y - float(y), arg.z - float(z)}) < 1e-5f && arg.w == float(w);
}

ImportOptions with_tangents() {
  ImportOptions options;
  options.tangents = true;
  return options;
}

TEST(NormalsTest, DoNotDependOnHowFacesAreCutIntoTriangles) {
  // The corner of a box: its other corners are 1 to 3, the far corners of its three faces 4 to 6.
  const std::vector<Vec3> positions = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {1, 2, 0}, {0, 2, 3}, {1, 0, 3}};
  const std::vector<uint32_t> through_corner = {0, 4, 1, 0, 2, 4, 0, 5, 2, 0, 3, 5, 0, 6, 3, 0, 1, 6};
  const std::vector<uint32_t> mixed = {0, 2, 1, 1, 2, 4, 0, 5, 2, 0, 3, 5, 0, 1, 3, 1, 6, 3};
  const float third = 1 / std::sqrt(3.0f);
  for (const std::vector<uint32_t>& indices : {through_corner, mixed}) {
    const Vec3 normal = compute_normals(positions, indices)[0];
    EXPECT_LT(length(normal + Vec3{third, third, third}), 1e-6f) << normal.x << " " << normal.y << " " << normal.z;
  }
}

TEST(NormalsTest, IgnoreTrianglesWithoutArea) {
  const std::vector<Vec3> positions = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {2, 0, 0}};
  const std::vector<uint32_t> indices = {0, 1, 2, 0, 1, 3, 0, 0, 1};
  EXPECT_LT(length(compute_normals(positions, indices)[0] - Vec3{0, -1, 0}), 1e-6f);
}

/// They are computed where they are asked for, unless the file has them.
TEST(StoredTangents, AreKeptOrComputed) {
  const TemporaryFolder folder;
  const std::string path = folder.path("stored.sinew");
  GltfFile file = two_joints();
  Json& attributes = primitive(file)["attributes"];
  attributes["NORMAL"] = file.add_floats({0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
  attributes["TEXCOORD_0"] = file.add_floats({0, 0, 0, 1, 1, 0}, "VEC2");  // u increases along y
  Character character = must(load_character(file.write(folder)));
  ImportReport report;
  const auto stored = [&](const ImportOptions& options) {
    EXPECT_TRUE(write_character_file(path, {character, {}, {}}));
    return must(load_character(path, options, &report)).mesh.tangents;
  };
  EXPECT_THAT(stored({}), IsEmpty());
  EXPECT_THAT(stored(with_tangents()), Each(IsTangent(0, 1, 0, 1)));
  EXPECT_EQ(report.computed_tangents, 3u);
  character.mesh.tangents.assign(3, {1, 0, 0, -1});
  for (const ImportOptions& options : {ImportOptions(), with_tangents()}) {
    EXPECT_THAT(stored(options), ElementsAre(IsTangent(1, 0, 0, -1), IsTangent(1, 0, 0, -1), IsTangent(1, 0, 0, -1)));
    EXPECT_EQ(report.computed_tangents, 0u);
  }
}

// --- computed tangents ---

/// A unit square in the xy plane with an upright texture. Corners: bottom left, bottom right, top left, top right.
struct Square {
  std::vector<Vec3> positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  std::vector<Vec3> normals = std::vector<Vec3>(4, Vec3{0, 0, 1});
  std::vector<Vec2> uvs = {{0, 1}, {1, 1}, {0, 0}, {1, 0}};
  std::vector<uint32_t> indices = {0, 1, 2, 1, 3, 2};

  std::vector<Vec4> tangents() const { return compute_tangents({positions, normals, uvs, indices}); }
};

TEST(ComputedTangents, PointAlongUAndBitangentsPointToTheImagesTop) {
  EXPECT_THAT(Square().tangents(), Each(IsTangent(1, 0, 0, 1)));
  Square mirrored;
  for (Vec2& uv : mirrored.uvs) uv.x = 1 - uv.x;
  EXPECT_THAT(mirrored.tangents(), Each(IsTangent(-1, 0, 0, -1)));
  Square turned;  // the image's right side is at +y, its top at -x
  turned.uvs = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  EXPECT_THAT(turned.tangents(), Each(IsTangent(0, 1, 0, 1)));
  Square small;
  for (Vec3& p : small.positions) p = p * 1e-3f;
  EXPECT_THAT(small.tangents(), Each(IsTangent(1, 0, 0, 1)));
  Square sheared;
  for (Vec2& uv : sheared.uvs) uv = {uv.x * 1e-7f + uv.y * 1e-8f, uv.y * 1e-7f};  // sheared and small
  for (const Vec4 tangent : sheared.tangents()) EXPECT_THAT(tangent, IsTangent(1, 0, 0, 1));
}

TEST(ComputedTangents, DoNotDependOnTheWinding) {
  Square square;
  for (size_t i = 0; i < square.indices.size(); i += 3) std::swap(square.indices[i], square.indices[i + 1]);
  EXPECT_THAT(square.tangents(), Each(IsTangent(1, 0, 0, 1)));
}

TEST(ComputedTangents, AreMeansWeightedByArea) {
  // Two triangles share vertex 0: one of area 2 with u along x, and one of area 1/2 with u along y.
  const std::vector<Vec3> positions = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {-1, 0, 0}, {0, -1, 0}};
  const std::vector<Vec2> uvs = {{0, 0}, {9, 0}, {0, -9}, {0, -1}, {-1, 0}};
  const std::vector<Vec4> tangents =
      compute_tangents({positions, std::vector<Vec3>(5, Vec3{0, 0, 1}), uvs, std::vector<uint32_t>{0, 1, 2, 0, 3, 4}});
  EXPECT_THAT(tangents[1], IsTangent(1, 0, 0, 1));
  EXPECT_THAT(tangents[3], IsTangent(0, 1, 0, 1));
  const double size = std::sqrt(2 * 2 + 0.5 * 0.5);
  EXPECT_THAT(tangents[0], IsTangent(2 / size, 0.5 / size, 0, 1));
}

TEST(ComputedTangents, ArePerpendicularToTheNormal) {
  Square square;
  const float h = std::sqrt(0.5f);
  square.normals[0] = {h, 0, h};
  square.normals[1] = {1, 0, 0};  // along u: any perpendicular direction is correct
  const std::vector<Vec4> tangents = square.tangents();
  EXPECT_THAT(tangents[0], IsTangent(h, 0, -h, 1));
  EXPECT_NEAR(tangents[1].x, 0, 1e-6f);
  EXPECT_NEAR(length(Vec3{tangents[1].x, tangents[1].y, tangents[1].z}), 1, 1e-6f);
}

TEST(ComputedTangents, WithoutTextureCoordinatesAreAnyUnitVectorsOfTheSurface) {
  Square flat, none;
  flat.uvs.assign(4, {0.5f, 0.5f});
  none.uvs.clear();
  none.normals = {{1, 0, 0}, {0, 1, 0}, {0.6f, 0, -0.8f}, {0, 0, -1}};
  for (const Square& square : {flat, none}) {
    const std::vector<Vec4> tangents = square.tangents();
    ASSERT_EQ(tangents.size(), 4u);
    for (size_t v = 0; v < 4; ++v) {
      const Vec3 t{tangents[v].x, tangents[v].y, tangents[v].z};
      EXPECT_NEAR(length(t), 1, 1e-6f);
      EXPECT_NEAR(dot(t, square.normals[v]), 0, 1e-6f);
      EXPECT_EQ(tangents[v].w, 1);
    }
  }
}

TEST(ComputedTangents, IgnoreTrianglesWithoutAreaInTheTexture) {
  Square square;
  square.uvs[3] = {0.5f, 0.5f};  // the second triangle's texture coordinates are on one line
  const std::vector<Vec4> tangents = square.tangents();
  for (const size_t v : {0, 1, 2}) EXPECT_THAT(tangents[v], IsTangent(1, 0, 0, 1)) << v;
}

TEST(ComputedTangents, AreUnitVectorsForAnyInput) {
  Square square;
  square.normals[1] = {0, 1e-22f, 0};
  for (const float size : {1e-25f, 1e-12f, 1e-11f, 1e15f, 1e30f}) {
    for (const float texture : {1e-30f, 1e-18f, 1e18f, INFINITY, NAN}) {
      Square odd = square;
      for (Vec3& p : odd.positions) p = p * size;
      for (Vec2& uv : odd.uvs) uv = {uv.x * texture, uv.y * texture};
      for (const Vec4 t : odd.tangents()) {
        EXPECT_NEAR(length(Vec3{t.x, t.y, t.z}), 1, 1e-4f) << size << ' ' << texture;
        EXPECT_EQ(std::abs(t.w), 1);
      }
    }
  }
}

// --- other files ---

/// Tangents that other programs have written into files.
class FileTangents : public ::testing::TestWithParam<const char*> {};

TEST_P(FileTangents, AreCloseToComputedTangents) {
  ImportReport report;
  const std::string path = std::string(SINEW_ASSIMP_MODELS_DIR) + GetParam();
  const Result<Character> character = load_character(path, with_tangents(), &report);
  if (!character && character.error().code == ErrorCode::kNotFound)
    GTEST_SKIP() << "NO MODEL " << path << ": install assimp-testmodels";
  ASSERT_TRUE(character) << character.error().message;
  const Mesh& mesh = character->mesh;
  EXPECT_EQ(report.file_tangents, mesh.vertex_count());
  EXPECT_EQ(report.computed_tangents, 0u);
  const std::vector<Vec4> computed = compute_tangents({mesh.positions, mesh.normals, mesh.uvs, mesh.indices});
  for (size_t v = 0; v < computed.size(); ++v) {
    const Vec4 a = mesh.tangents[v], b = computed[v];
    EXPECT_GT(dot(Vec3{a.x, a.y, a.z}, Vec3{b.x, b.y, b.z}), 0.99f) << v;
    EXPECT_EQ(a.w, b.w) << v;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, FileTangents,
                         ::testing::Values("/FBX/huesitos.fbx", "/FBX/embedded_ascii/box.FBX",
                                           "/FBX/cubes_with_mirroring_and_pivot.fbx"));

}  // namespace
}  // namespace sinew::test
