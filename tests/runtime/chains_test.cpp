// Chains of instances, through a crowd.
#include <algorithm>
#include <memory>
#include <variant>
#include <vector>

#include "app/scene/exact_poses.h"
#include "crowd/crowd_world.h"
#include "crowd_fixture.h"
#include "sinew/animation/inverse_kinematics.h"

namespace sinew::test {
namespace {

using vulkan::CrowdOptions;
using vulkan::Draw;
using vulkan::SkinnedCrowd;

constexpr uint32_t kInstance = 7;

std::vector<Chain> chains_of(const Model& model) {
  auto chains = find_chains(model.character);
  EXPECT_TRUE(chains);
  EXPECT_EQ(chains->size(), 5u);
  return std::move(*chains);
}

/// Forty instances, one of them with targets for its left foot and its head.
Host targeting_host(const Model& model) {
  Host host = make_host(model, 40);
  host.targets = {{kInstance, 0, {0.25f, 0.3f, 0.2f}, 1, {0.2f, 1, 0}}, {kInstance, 4, {1, 2, 1}}};
  return host;
}

/// By the exact evaluator and the CPU skinner.
std::vector<Vec3> exact_pose(const Model& model, const Host& host, std::span<const ChainTarget> targets,
                             uint32_t instance = kInstance) {
  std::vector<ChainTarget> own(targets.begin(), targets.end());
  for (ChainTarget& target : own) target.instance = 0;
  const std::vector<Chain> chains = chains_of(model);
  const Character& character = model.character;
  return app::exact_positions(character, character.skin, character.mesh, host.playbacks[instance], {}, {chains, own});
}

TEST_F(CrowdTest, TargetsMoveTheVerticesOfTheirInstance) {
  SkinnedCrowd crowd = make_crowd({.planner = {.cull = false, .levels = false, .update_rate = false}});
  const Model& model = *built_in_model();
  ASSERT_TRUE(crowd.set_chains(0, chains_of(model)));
  const Host host = targeting_host(model);
  ASSERT_TRUE(run_frame(crowd, host, view_from(20)));
  const auto drawn = read_positions(slice_of(crowd, kInstance), model.character.mesh.vertex_count());
  EXPECT_LT(largest_distance(drawn, exact_pose(model, host, host.targets)), 1e-3f) << "ten times the bake's error";
  EXPECT_GT(largest_distance(drawn, exact_pose(model, host, {})), 0.1f);
  const auto other = read_positions(slice_of(crowd, kInstance + 1), model.character.mesh.vertex_count());
  EXPECT_LT(largest_distance(other, expected(model, 0, host.playbacks[kInstance + 1])), 2e-5f);
}

TEST_F(CrowdTest, ManyPosesAreEvaluatedInPieces) {
  SkinnedCrowd crowd = make_crowd({.planner = {.cull = false, .levels = false, .update_rate = false}});
  const Model& model = *built_in_model();
  ASSERT_TRUE(crowd.set_chains(0, chains_of(model)));
  Host host = make_host(model, 700);  // 256 are a piece
  const std::vector<uint32_t> targeted{255, 256, 501};
  for (const uint32_t i : targeted) host.targets.push_back({i, 0, {0.25f, 0.3f, 0.2f}});
  ASSERT_TRUE(run_frame(crowd, host, view_from(20)));
  const auto& hand = model.sockets[*find_socket(model, "hand")];
  const PaletteEntry& entry = model.character.skin.entries[hand.socket.entry];
  for (const uint32_t i : {0u, 255u, 256u, 501u, 511u, 512u, 699u}) {
    const auto drawn = read_positions(slice_of(crowd, i), model.character.mesh.vertex_count());
    if (std::ranges::find(targeted, i) != targeted.end())
      EXPECT_LT(largest_distance(drawn, exact_pose(model, host, {{{i, 0, {0.25f, 0.3f, 0.2f}}}}, i)), 1e-3f) << i;
    else
      EXPECT_LT(largest_distance(drawn, expected(model, 0, host.playbacks[i])), 2e-5f) << i;
    const crowd::SocketRequest request{i, *find_socket(model, "hand")};
    Matrix3x4 placed;
    crowd.place_sockets(host.instances(), {&request, 1}, {&placed, 1});
    const auto joint = crowd.joint_transform(host.instances(), i, uint32_t(entry.joint));
    ASSERT_TRUE(joint);
    const Matrix3x4 exact = *joint * matrix_cast<float>(entry.joint_from_mesh) * hand.socket.mesh_from_socket;
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 4; ++column) EXPECT_NEAR(placed.m[row][column], exact.m[row][column], 4e-3f) << i;
    }
  }
}

TEST_F(CrowdTest, PalettesThatDoNotFitTheCachesAreStreamed) {
  SkinnedCrowd crowd = make_crowd({.planner = {.cull = false, .levels = false, .update_rate = false}});
  const Model& model = *built_in_model();
  const size_t palette_bytes = palette_stride(model.baked.palette_size) * sizeof(Matrix3x4);
  const uint32_t count = uint32_t((size_t{8} << 20) / palette_bytes) + 100;
  const Host host = make_host(model, count);
  ASSERT_TRUE(run_frame(crowd, host, view_from(20)));
  for (const uint32_t i : {0u, 1u, count / 2, count - 2, count - 1}) {
    const auto drawn = read_positions(slice_of(crowd, i), model.character.mesh.vertex_count());
    EXPECT_LT(largest_distance(drawn, expected(model, 0, host.playbacks[i])), 2e-5f) << i;
  }
}

/// The built-in character with the bounds of its hips alone, so that a foot leaves even the sphere around them.
SharedModel with_small_bounds() {
  auto model = std::make_shared<Model>(*built_in_model());
  model->bounds = bounds_like(model->bounds, {{-0.2f, 0.8f, -0.2f}, {0.2f, 1.2f, 0.2f}});
  return model;
}

TEST_F(CrowdTest, ALegThatATargetLiftsIsDrawnAndPicked) {
  const SharedModel model = with_small_bounds();
  SkinnedCrowd crowd = make_crowd({}, {&model, 1});
  const std::vector<Chain> chains = chains_of(*model);
  ASSERT_TRUE(crowd.set_chains(0, chains));
  Host host = make_host(*model, 2);
  host.places.assign(2, {});
  host.places[1].m[0][3] = 30;
  const uint32_t foot = std::get<TwoBoneChain>(chains[0].kind).end;
  host.targets = {{0, 0, {0.1f, 1, 5}}};
  const Vec3 half{0.25f, 0.25f, 0.25f};
  ASSERT_TRUE(run_frame(crowd, host, view_of({0, 1, 0}, half)));
  const auto placed = crowd.joint_transform(host.instances(), 0, foot);
  ASSERT_TRUE(placed);
  const Vec3 lifted{placed->m[0][3], placed->m[1][3], placed->m[2][3]};
  EXPECT_GT(lifted.z, 0.7f) << "further from the hips than the sphere around their box";

  ASSERT_TRUE(run_frame(crowd, host, view_of(lifted, half)));
  EXPECT_EQ(crowd.plan().counters.visible, 1u);
  const auto hit = crowd.pick(host.instances(), {{lifted.x, lifted.y + 3, lifted.z}, {0, -1, 0}});
  ASSERT_TRUE(hit && *hit);
  EXPECT_EQ((*hit)->instance, 0u);
  std::vector<uint32_t> near;
  ASSERT_TRUE(crowd.instances_near(host.instances(), {lifted, lifted}, 0.01f, near));
  EXPECT_EQ(near, std::vector<uint32_t>{0});

  host.targets.clear();
  ASSERT_TRUE(run_frame(crowd, host, view_of(lifted, half)));
  EXPECT_EQ(crowd.plan().counters.visible, 0u);
  ASSERT_TRUE(crowd.instances_near(host.instances(), {lifted, lifted}, 0.01f, near));
  EXPECT_TRUE(near.empty());
}

/// docs/misuse.md has more of them.
TEST_F(CrowdTest, FaultsOfChainsAndTargetsAreErrors) {
  SkinnedCrowd crowd = make_crowd();
  const Model& model = *built_in_model();
  Host host = targeting_host(model);
  const crowd::View view = view_from(20);
  const std::vector<Chain> faulty{{"leg", TwoBoneChain{}}};
  EXPECT_EQ(crowd.set_chains(0, faulty).error().code, ErrorCode::kInvalidArgument);
  ASSERT_TRUE(crowd.set_chains(0, chains_of(model)));
  EXPECT_TRUE(run_frame(crowd, host, view));
  host.targets[1].chain = 5;
  EXPECT_EQ(run_frame(crowd, host, view).error().message, "target 1: model 0 has no chain 5, of 5");
  host.targets[1].chain = 4;
  std::swap(host.targets[0].instance, host.targets[1].instance);
  host.targets[1].instance = 3;
  EXPECT_EQ(run_frame(crowd, host, view).error().message, "the targets of the instances do not ascend by instance");
}

}  // namespace
}  // namespace sinew::test
