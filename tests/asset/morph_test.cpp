// Morph targets of a mesh: validation, another order of vertices, files, and skinning on the CPU.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "asset/example_character.h"
#include "asset/morph.h"
#include "message.h"
#include "sinew/asset/cpu_skin.h"

namespace sinew::test {
namespace {

std::string fault_of(const std::function<void(MorphTarget&)>& change) {
  Mesh mesh = example_mesh();
  change(mesh.targets[1]);
  return test::message_of(validate(mesh, 3));
}

TEST(MorphTargets, AreValidated) {
  EXPECT_EQ(fault_of([](MorphTarget&) {}), "");
  const std::string blink = "mesh: morph target 'blink' ";
  EXPECT_EQ(fault_of([](auto& t) { t.vertices[1] = 40; }), blink + "moves vertex 40, which is not there");
  EXPECT_EQ(fault_of([](auto& t) { t.vertices[1] = 4; }), blink + "has vertices that do not ascend");
  EXPECT_EQ(fault_of([](auto& t) { t.positions.pop_back(); }), blink + "has 1 differences of positions for 2 vertices");
  EXPECT_EQ(fault_of([](auto& t) { t.normals.pop_back(); }), blink + "has 1 differences of normals for 2 vertices");
  EXPECT_EQ(fault_of([](auto& t) { t.tangents[0].y = NAN; }),
            blink + "has a difference that is not finite or above 1e9 units");
  EXPECT_EQ(fault_of([](auto& t) { t.positions[0].y = 2e9f; }),
            blink + "has a difference that is not finite or above 1e9 units");
  EXPECT_EQ(fault_of([](auto& t) { t.rest_weight = INFINITY; }), blink + "has a rest weight that is not finite");
}

TEST(MorphTargets, MayNotMoveTheRestPoseOutOfRange) {
  Character character = example_character();
  EXPECT_TRUE(validate(character));
  character.mesh.targets[0].rest_weight = 1e9f;
  EXPECT_EQ(validate(character).error().message, "mesh: at rest, vertex 4 is not within 1e9 units of the origin");
}

TEST(MorphTargets, OfAClipAreValidated) {
  Clip clip = example_clip();
  clip.weights = {{0, {{0, 1}, {0, 1}, Interpolation::kLinear}}, {1, {{0.5f}, {1, 2, 3}, Interpolation::kCubic}}};
  EXPECT_TRUE(validate(clip, 2, 2));
  EXPECT_EQ(validate(clip, 2).error().message, "clip 'walk': the track of morph target 0 is outside the mesh");
  clip.weights[1].target = 0;
  EXPECT_EQ(validate(clip, 2, 2).error().message, "clip 'walk': the track of morph target 0 does not ascend");
  clip.weights[1].target = 1;
  clip.weights[1].weight.values[0] = NAN;
  EXPECT_EQ(validate(clip, 2, 2).error().message,
            "clip 'walk': the track of morph target 1 has keys that do not ascend, are not finite or lack values");
}

/// Positions, normals and tangents of the mesh under the identity.
struct SkinnedMorph {
  explicit SkinnedMorph(const Mesh& mesh, std::span<const float> weights = {})
      : positions(mesh.vertex_count()), normals(mesh.vertex_count()), tangents(mesh.vertex_count()) {
    skin_on_cpu(mesh, std::vector<Matrix3x4>(3), positions, normals, tangents, weights);
  }
  std::vector<Vec3> positions, normals;
  std::vector<Vec4> tangents;
};

TEST(MorphTargets, AreAddedByTheirWeights) {
  const Mesh mesh = example_mesh();
  const SkinnedMorph plain(mesh), moved(mesh, std::vector<float>{0.5f, -1});
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    const Vec3 by = moved.positions[v] - plain.positions[v];
    const Vec3 expected = v == 3 ? Vec3{0.5f, 0, 0} : v == 39 ? Vec3{-5, -5, -5} : Vec3{};  // those of 4 cancel
    EXPECT_NEAR(length(by - expected), 0, 1e-5f) << v;
  }
  const Vec3 normal = normalize(mesh.normals[4] - Vec3{1, 0, 0});
  EXPECT_NEAR(length(moved.normals[4] - normal), 0, 1e-6f);
  const Vec4 t = mesh.tangents[39];
  const Vec3 tangent = normalize(Vec3{t.x - 1, t.y, t.z});
  EXPECT_NEAR(length(Vec3{moved.tangents[39].x, moved.tangents[39].y, moved.tangents[39].z} - tangent), 0, 1e-6f);
  EXPECT_EQ(moved.tangents[39].w, t.w);
}

TEST(MorphTargets, ThatCancelANormalLeaveIt) {
  Mesh mesh = example_mesh();
  mesh.targets[1].normals[0] = mesh.normals[4];
  const SkinnedMorph moved(mesh, std::vector<float>{0, -1});
  EXPECT_EQ(moved.normals[4].y, mesh.normals[4].y);
}

TEST(MorphTargets, AscendInAnyOtherOrder) {
  MorphTarget target;
  target.vertices = {0, 2, 3};
  target.positions = {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  const std::vector<uint32_t> new_index_of = {7, 0, 1, 4};
  const MorphTarget moved = internal::reindexed(target, new_index_of);
  EXPECT_EQ(moved.vertices, (std::vector<uint32_t>{1, 4, 7}));
  EXPECT_EQ(moved.positions[0].x, 2);
  EXPECT_EQ(moved.positions[1].x, 3);
  EXPECT_EQ(moved.positions[2].x, 1);
}

TEST(MorphTargets, FollowTheirVerticesIntoAnotherOrder) {
  Mesh mesh = example_mesh();
  const std::vector<float> weights = {0.5f, 0.75f};
  const SkinnedMorph before(mesh, weights);
  const std::vector<Vec2> uvs = mesh.uvs;  // of the example, each vertex has its own
  ASSERT_TRUE(order_by_influences(mesh));
  ASSERT_TRUE(validate(mesh, 3));
  const SkinnedMorph after(mesh, weights);
  bool reordered = false;
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    const auto old = size_t(std::lround(mesh.uvs[v].x * 40));
    reordered |= old != v;
    EXPECT_EQ(length(after.positions[v] - before.positions[old]), 0) << v;
    EXPECT_EQ(length(after.normals[v] - before.normals[old]), 0) << v;
  }
  EXPECT_TRUE(reordered);
}

}  // namespace
}  // namespace sinew::test
