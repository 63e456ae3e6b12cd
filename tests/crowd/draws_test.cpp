// Draw commands of posed meshes: one for each, or one instanced draw.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "sinew/crowd/plan.h"

namespace sinew::crowd {
namespace {

TEST(Draws, AreOnePerPosedMeshThatIsVisible) {
  const std::vector<PosedMesh> meshes = {{5, 0, 2, true}, {6, 2, 0, false}, {7, 2, 1, false}};
  ASSERT_EQ(count_draws(meshes), 2u);
  std::vector<DrawCommand> commands(2);
  write_draws(meshes, {.first_index = 30, .index_count = 12, .first_vertex = 100, .vertex_count = 40}, commands);
  EXPECT_EQ(commands[0].instance_count, 2u);
  EXPECT_EQ(commands[0].vertex_offset, 100);
  EXPECT_EQ(commands[1].first_instance, 2u);
  EXPECT_EQ(commands[1].vertex_offset, 180);
  for (const DrawCommand& command : commands) {
    EXPECT_EQ(command.index_count, 12u);
    EXPECT_EQ(command.first_index, 30u);
  }
}

TEST(Draws, OfAllInstancesAreOneWhereShadersReadVertices) {
  const std::vector<PosedMesh> meshes = {{5, 4, 2, true}, {6, 6, 0, false}, {7, 6, 1, false}};
  const DrawInfo info{.first_index = 30, .index_count = 12, .first_vertex = 100, .vertex_count = 40};
  const DrawCommand command = instanced_draw(meshes, info);
  EXPECT_EQ(command.first_instance, 4u);
  EXPECT_EQ(command.instance_count, 3u);
  EXPECT_EQ(command.vertex_offset, 0);
  EXPECT_EQ(command.index_count, 12u);
  EXPECT_EQ(command.first_index, 30u);
  std::vector<uint32_t> first_vertices(8, 9);
  write_first_vertices(meshes, info, first_vertices);
  EXPECT_THAT(first_vertices, ::testing::ElementsAre(9, 9, 9, 9, 100, 100, 180, 9));
  std::vector<uint32_t> few(5, 9);
  write_first_vertices(meshes, info, few);
  EXPECT_THAT(few, ::testing::ElementsAre(9, 9, 9, 9, 100)) << "no more than there is room for";
  EXPECT_EQ(instanced_draw({}, info).instance_count, 0u);
}

TEST(Draws, AreOfPosedMeshesThatThePlanHas) {
  Plan plan;
  plan.groups = {{0, 1, 0, true}, {1, 1, 0, true}};
  plan.batches.resize(2);
  plan.batches[0].mesh_count = 3;
  plan.batches[1].first_mesh = 3, plan.batches[1].mesh_count = 4;
  plan.posed_meshes.resize(7);
  EXPECT_EQ(posed_meshes_of(plan, 1, 0, 1, 3).data(), &plan.posed_meshes[4]);
  EXPECT_EQ(posed_meshes_of(plan, 0, 0, 0, 3).size(), 3u);
  EXPECT_TRUE(posed_meshes_of(plan, 0, 0, 1, 3).empty()) << "one of another batch";
  EXPECT_TRUE(posed_meshes_of(plan, 0, 0, 4, 0).empty());
  EXPECT_TRUE(posed_meshes_of(plan, 0, 1, 0, 1).empty()) << "a batch of another group";
  EXPECT_TRUE(posed_meshes_of(plan, 2, 0, 0, 1).empty());
}

}  // namespace
}  // namespace sinew::crowd
