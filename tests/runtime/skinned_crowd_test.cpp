#include "sinew/runtime/skinned_crowd.h"

#include <gmock/gmock.h>

#include <cstring>
#include <set>
#include <vector>

#include "crowd_fixture.h"
#include "sinew/runtime/thread_pool.h"
#include "sinew/vulkan/acceleration.h"
#include "sinew/vulkan/draw.h"

namespace sinew::test {
namespace {

using vulkan::CrowdOptions;
using vulkan::Draw;
using vulkan::SkinnedCrowd;

constexpr CrowdOptions kEverything{.planner = {.cull = false, .levels = false, .update_rate = false}};

TEST_F(CrowdTest, DrawsShowWhatInstancesPlay) {
  SkinnedCrowd crowd = make_crowd(kEverything);
  const Host host = make_host(*built_in_model(), 12);
  ASSERT_TRUE(run_frame(crowd, host, view_from(20)));
  EXPECT_EQ(expect_all_drawn(crowd), 12u);
  for (uint32_t i = 0; i < 12; ++i) {
    ASSERT_TRUE(crowd.playback_of(i));
    EXPECT_EQ(crowd.playback_of(i)->layers[0].time_seconds, host.playbacks[i].layers[0].time_seconds);
  }
}

TEST_F(CrowdTest, DrawsReferToTheStreams) {
  SkinnedCrowd crowd = make_crowd(kEverything);
  ASSERT_TRUE(run_frame(crowd, make_host(*built_in_model(), 1), view_from(20)));
  const auto streams = crowd.make_streams();
  ASSERT_TRUE(streams);
  const Model& model = *built_in_model();
  size_t triangles = 0;
  for (const Draw& draw : crowd.draws()) {
    triangles += draw.index_count / 3;
    for (uint32_t i = 0; i < draw.index_count; ++i) {
      const uint32_t vertex = streams->indices[draw.first_index + i];
      ASSERT_LT(vertex, draw.vertex_count);
      const Vec2 uv = streams->uvs[draw.first_stream_vertex + vertex], own = model.mesh(draw.level).uvs[vertex];
      ASSERT_TRUE(uv.x == own.x && uv.y == own.y);
    }
  }
  EXPECT_EQ(triangles, model.character.mesh.indices.size() / 3);
}

/// The built-in character with materials that blend, mask and cover.
SharedModel with_alpha_modes() {
  auto model = std::make_shared<Model>(*built_in_model());
  Mesh& mesh = model->character.mesh;
  const MeshPart part = mesh.parts.front();
  const uint32_t third = part.index_count / 9 * 3;
  model->character.materials.resize(3, model->character.materials.front());
  model->character.materials[0].alpha_mode = AlphaMode::kBlend;
  model->character.materials[1].alpha_mode = AlphaMode::kOpaque;
  model->character.materials[2].alpha_mode = AlphaMode::kMask;
  mesh.parts.assign(3, part);
  for (uint32_t i = 0; i < 3; ++i) {
    mesh.parts[i].material = i;
    mesh.parts[i].first_index = part.first_index + i * third;
    mesh.parts[i].index_count = i == 2 ? part.index_count - 2 * third : third;
  }
  model->levels.clear();
  return model;
}

TEST_F(CrowdTest, OpaquePartsAreDrawnFirstAndThoseThatBlendLast) {
  const SharedModel model = with_alpha_modes();
  SkinnedCrowd crowd = make_crowd(kEverything, {&model, 1});
  ASSERT_TRUE(run_frame(crowd, make_host(*model, 2), view_from(20)));
  std::vector<uint32_t> materials;
  for (const Draw& draw : crowd.draws()) materials.push_back(draw.material);
  EXPECT_THAT(materials, ::testing::ElementsAre(1, 2, 0));
}

TEST_F(CrowdTest, ThreadsChangeNothing) {
  ThreadPool pool(3);
  SkinnedCrowd alone = make_crowd(), together = make_crowd({.parallel_for = pool.parallel_for()});
  const Host host = make_host(*built_in_model(), 40);
  const crowd::View view = view_from(20);
  ASSERT_TRUE(run_frame(alone, host, view));
  frame_ = 0;
  ASSERT_TRUE(run_frame(together, host, view));
  ASSERT_EQ(alone.draws().size(), together.draws().size());
  ASSERT_TRUE(std::equal(alone.instances().begin(), alone.instances().end(), together.instances().begin()));
  EXPECT_EQ(expect_all_drawn(together), expect_all_drawn(alone));
}

/// draw_paths_test.cpp has those of arrays.
TEST_F(CrowdTest, TransformsMayComeFromAFunction) {
  SkinnedCrowd crowd = make_crowd();
  const Host host = make_host(*built_in_model(), 30);
  ASSERT_TRUE(run_frame(crowd, host, view_from(20)));
  std::vector<Matrix3x4> by_array(crowd.instances().size()), out(by_array.size());
  ASSERT_FALSE(out.empty());
  crowd.write_transforms(host.instances(), by_array);
  crowd::Instances by_function = host.instances();
  by_function.world_from_model = {};
  by_function.world_from_model_source = {const_cast<Host*>(&host), [](void* user_data, uint32_t instance) {
                                           return static_cast<const Host*>(user_data)->places[instance];
                                         }};
  crowd.write_transforms(by_function, out);
  EXPECT_EQ(std::memcmp(out.data(), by_array.data(), out.size() * sizeof out[0]), 0);
}

TEST_F(CrowdTest, PullsMeshesUpToTheGivenSizeOnly) {
  const uint32_t vertices = built_in_model()->mesh(0).vertex_count();
  for (const uint32_t max : {vertices, vertices - 1}) {
    CrowdOptions options = kEverything;
    options.max_pulled_vertices = max;
    SkinnedCrowd crowd = make_crowd(options);
    const Host host = make_host(*built_in_model(), 9);
    ASSERT_TRUE(run_frame(crowd, host, view_from(20)));
    ASSERT_FALSE(crowd.draws().empty());
    for (const Draw& draw : crowd.draws()) {
      if (draw.vertex_count != vertices) continue;
      EXPECT_EQ(draw.pulled, max == vertices ? 1u : 0u);
      EXPECT_EQ(draw.command_count, draw.pulled ? 1 : draw.instance_count);
    }
  }
}

// --- errors ---

/// docs/misuse.md has what is refused.
TEST_F(CrowdTest, PullingIsAcceptedWhereABarrierWaitsForIt) {
  const auto accepts = [&](const CrowdOptions& options, vulkan::Barriers barriers, vulkan::Consumers consumers) {
    vulkan::SkinnerInfo info = skinner_info();
    info.barriers = barriers, info.consumers = consumers;
    return bool(SkinnedCrowd::create(info, {&built_in_model(), 1}, options));
  };
  const CrowdOptions all{.vertex_pulling = true}, small{.max_pulled_vertices = 9};
  const CrowdOptions both{.vertex_pulling = true, .max_pulled_vertices = 9};
  EXPECT_TRUE(accepts(all, vulkan::Barriers::kLibrary, vulkan::kVertexPulling));
  EXPECT_TRUE(accepts(both, vulkan::Barriers::kLibrary, vulkan::kVertexPulling)) << "then no draw has vertex input";
  EXPECT_TRUE(accepts(small, vulkan::Barriers::kLibrary, vulkan::kVertexInput | vulkan::kVertexPulling));
  EXPECT_TRUE(
      accepts(small, vulkan::Barriers::kLibrary, {VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_READ_BIT}));
  EXPECT_TRUE(accepts(small, vulkan::Barriers::kHost, {}));
}

TEST_F(CrowdTest, AFrameThatFailsDrawsNothingAndTheNextOneIsWhole) {
  SkinnedCrowd crowd = make_crowd(kEverything);
  const Host host = make_host(*built_in_model(), 5);
  const crowd::View view = view_from(20);
  ASSERT_TRUE(run_frame(crowd, host, view));
  Host broken = host;
  broken.places.pop_back();
  EXPECT_EQ(run_frame(crowd, broken, view).error().code, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(crowd.draws().empty());
  EXPECT_TRUE(crowd.instances().empty());
  EXPECT_TRUE(crowd.commands().empty());
  device_->submit_and_wait([&](VkCommandBuffer cmd) { crowd.record(cmd); });
  EXPECT_EQ(crowd.update({.number = frame_}, host.instances(), {}).error().code, ErrorCode::kInvalidArgument);
  ASSERT_TRUE(run_frame(crowd, host, view));
  EXPECT_EQ(expect_all_drawn(crowd), 5u);
}

/// What a host with acceleration structures does: a structure for each posed mesh, which follows its vertices. Buffers
/// have made-up addresses.
struct Structures {
  std::vector<vulkan::StructureState> states;
  uint32_t kept = 0, shared = 0;

  static vulkan::PosedVertices vertices_of(const SkinnedCrowd& crowd, uint32_t posed_mesh) {
    const auto placed = crowd.posed_mesh(posed_mesh);
    EXPECT_TRUE(placed);
    return vulkan::posed_vertices(*placed->range, placed->index, VkDeviceAddress(placed->range->vertices));
  }
  void follow(const SkinnedCrowd& crowd, uint64_t frame) {
    const uint32_t count = uint32_t(crowd.plan().posed_meshes.size());
    states.resize(std::max<size_t>(states.size(), count));
    for (uint32_t mesh = 0; mesh < count; ++mesh) {
      const vulkan::PosedVertices vertices = vertices_of(crowd, mesh);
      const vulkan::StructureStep step = vulkan::next_step(states[mesh], vertices, 31);
      const bool is_right = bool(vulkan::check_structure(states[mesh], vertices));
      EXPECT_EQ(is_right, step == vulkan::StructureStep::kKeep);
      kept += is_right ? 1 : 0;
      vulkan::note_step(states[mesh], vertices, step, frame);
    }
    EXPECT_FALSE(crowd.posed_mesh(count));
  }
};

TEST_F(CrowdTest, StructuresOfPosedMeshesHoldWhatInstancesShow) {
  for (const uint32_t unique_poses : {0u, 12u}) {
    SkinnedCrowd crowd = make_crowd({.planner = {.cull = false, .unique_poses = unique_poses}});
    Structures structures;
    frame_ = 0;
    for (uint32_t frame = 1; frame <= 5; ++frame) {
      ASSERT_TRUE(run_frame(crowd, make_host(*built_in_model(), 60, frame / 30.0), view_from(90)));
      structures.follow(crowd, frame_);
      std::set<uint32_t> shown;
      for (uint32_t i = 0; i < 60; ++i) {
        const auto mesh = crowd.posed_mesh_of(i);
        ASSERT_TRUE(mesh) << i;
        if (!shown.insert(*mesh).second) ++structures.shared;
        EXPECT_TRUE(check_structure(structures.states[*mesh], Structures::vertices_of(crowd, *mesh)));
        const auto placed = crowd.posed_mesh(*mesh);
        const vulkan::InstanceRange& range = *placed->range;
        EXPECT_EQ(range.skinned_frame == frame_, crowd.plan().groups[placed->group].updated);
        EXPECT_GE(placed->instance_count, 1u);
        const auto positions =
            read_positions({range.vertices, vulkan::instance_offset(range, placed->index)}, range.vertex_count);
        const Model& model = *crowd.models()[placed->model];
        EXPECT_LT(largest_distance(positions, expected(model, placed->level, *crowd.playback_of(i))), 2e-5f) << i;
      }
      EXPECT_FALSE(crowd.posed_mesh_of(60));
    }
    EXPECT_TRUE(structures.kept > 0 || unique_poses != 0);
    EXPECT_EQ(structures.shared > 0, unique_poses != 0);
  }
}

}  // namespace
}  // namespace sinew::test
