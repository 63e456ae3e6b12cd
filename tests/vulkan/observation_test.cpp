// What debuggers, profilers and drivers see: names, labels, timestamps, barriers, limits, memory.
#include <algorithm>
#include <chrono>

#include "vulkan/skinner_fixture.h"
#include "vulkan/vertex_reader.h"
#include "vulkan/watched_loader.h"

namespace sinew::test {
namespace {

using ::testing::Test;

class Observed : public SkinnerTest {
 protected:
  void expect_named(const std::string& name) const {
    EXPECT_NE(std::find(watch_->names.begin(), watch_->names.end(), name), watch_->names.end()) << name;
  }
};

TEST_F(Observed, EveryObjectHasAName) {
  auto info = watched_info();
  info.keep_previous = true;
  info.tuning.max_page_bytes = 10000;
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.add({}, RigScaling::kNone, "knight");
  crowd.add({.vertices = 50}, RigScaling::kNone, "");
  crowd.run_frame({1, 0, 0}, Counts{{0, 8}});
  crowd.run_frame({2, 1, 1}, Counts{{0, 8}});
  for (const char* name :
       {"sinew.skin[4]",         "sinew.skin.shader",    "sinew.skin.layout",       "sinew.skin.set_layout",
        "sinew.skin.sets[1]",    "sinew.skin.set[0][0]", "sinew.skin.set[1][3]",    "sinew.mesh[0]",
        "sinew.staging[knight]", "sinew.staging[2]",     "sinew.palette[0]",        "sinew.palette[1]",
        "sinew.vertices[0]",     "sinew.vertices[1]",    "sinew.vertices[2]",       "sinew.vertices[3]",
        "sinew.jobs[0]",         "sinew.jobs[1]",        "sinew.palette[0].texels", "sinew.memory[0]"}) {
    expect_named(name);
  }
  // Each object has one name: the live ones, 8 descriptor sets for each frame slot, and those that are destroyed by
  // now, which are the shader module and two staging buffers. Their memory stays for the next mesh.
  EXPECT_EQ(int(watch_->names.size()), watch_->live_objects + 2 * 8 + 3);
}

/// Kernels are built when a mesh needs them, each once.
TEST_F(Observed, PipelinesAreThoseThatMeshesNeed) {
  auto skinner = make_skinner(watched_info());
  const auto pipelines_of = [&](const auto& add) {
    watch_->names.clear();
    add();
    std::vector<std::string> pipelines;
    for (const std::string& name : watch_->names) {
      const bool is_kernel = name.starts_with("sinew.skin") && name.ends_with("]");
      const bool is_helper = name == "sinew.convert_palette" || name == "sinew.expand_palette";
      if (is_kernel || is_helper) pipelines.push_back(name);
    }
    return pipelines;
  };
  const auto adds = [&](Mesh mesh, vulkan::PaletteFormat format = vulkan::PaletteFormat::kMatrices) {
    return pipelines_of([&] { EXPECT_TRUE(skinner.add_mesh(mesh, 8, "rig", {}, {format})); });
  };
  using Names = std::vector<std::string>;
  const Mesh one = make_mesh({.vertices = 64, .max_influences = 1});
  Mesh arcs = one;
  arcs.blend = Blend::kDualQuaternion;
  EXPECT_EQ(pipelines_of([&] { (void)make_skinner(watched_info()); }), Names{});
  EXPECT_EQ(adds(one), Names{"sinew.skin[1]"});
  EXPECT_EQ(adds(one), Names{});
  EXPECT_EQ(adds(one, vulkan::PaletteFormat::kRigid), Names{"sinew.skin.rigid[1]"});
  EXPECT_EQ(adds(one, vulkan::PaletteFormat::kCompact), Names{"sinew.expand_palette"});
  EXPECT_EQ(adds(arcs), (Names{"sinew.skin.dual_quaternion[1]", "sinew.convert_palette"}));
  EXPECT_EQ(adds(arcs, vulkan::PaletteFormat::kCompact), Names{"sinew.skin.dual_quaternion.rigid[1]"});
  const auto morphed = adds(make_mesh({.vertices = 64, .max_influences = 1, .targets = 3}));
  EXPECT_NE(std::find(morphed.begin(), morphed.end(), "sinew.skin.morph[1]"), morphed.end());
  const Names all = pipelines_of(
      [&] { ASSERT_TRUE(vulkan::experimental::reload_kernel(skinner, vulkan::experimental::builtin_kernel())); });
  EXPECT_EQ(all, (Names{"sinew.skin[1]", "sinew.skin.morph[1]", "sinew.skin.dual_quaternion[1]", "sinew.skin.rigid[1]",
                        "sinew.skin.dual_quaternion.rigid[1]"}));
}

TEST_F(Observed, LabelsNestAndHaveCounts) {
  auto skinner = make_skinner(watched_info());
  TestCrowd crowd(*device_, skinner);
  crowd.add({.vertices = 3273}), crowd.add({});
  crowd.run_frame({1, 0, 0}, Counts{{0, 12}, {1, 3}});
  EXPECT_EQ(watch_->labels, with_copies(skinner, {"sinew", "sinew upload 2 meshes", "",
                                                  "sinew skin 15 instances, 39576 vertices, 1 dispatch", "", ""}));
  watch_->labels.clear();
  crowd.run_frame({2, 1, 1}, Counts{});
  EXPECT_EQ(watch_->labels, (std::vector<std::string>{"sinew", ""}));
}

TEST_F(Observed, EachGroupHasItsOwnNamesAndLabels) {
  auto info = watched_info();
  info.update_groups = 2;
  auto skinner = make_skinner(info);
  TestCrowd near(*device_, skinner, 0), far(*device_, skinner, 1);
  near.add({}), far.add({});
  near.prepare({1, 0, 0}, Counts{{0, 2}}), far.prepare({1, 0, 0}, Counts{{0, 3}});
  record(skinner);
  EXPECT_EQ(watch_->labels,
            with_copies(skinner, {"sinew", "sinew upload 2 meshes", "",
                                  "sinew skin 2 instances, 200 vertices, 1 dispatch, group 0", "",
                                  "sinew skin 3 instances, 300 vertices, 1 dispatch, group 1", "", ""}));
  for (const char* name : {"sinew.palette[0]", "sinew.palette[2]", "sinew.vertices[0]", "sinew.vertices[1]",
                           "sinew.jobs[2]", "sinew.skin.sets[2]"}) {
    expect_named(name);
  }
}

TEST_F(Observed, NoNamesAndLabelsWithoutDebugUtils) {
  auto info = watched_info();
  info.debug_utils = false;
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.add({});
  crowd.run_frame({1, 0, 0}, Counts{{0, 1}});
  EXPECT_TRUE(watch_->names.empty());
  EXPECT_TRUE(watch_->labels.empty());
}

TEST_F(Observed, LibraryBarrierHasOnlyTheConsumersStages) {
  auto info = watched_info();
  info.barriers = vulkan::Barriers::kLibrary;
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.add({}), crowd.add({});
  crowd.run_frame({1, 0, 0}, Counts{{0, 2}, {1, 2}});
  ASSERT_EQ(watch_->barriers.size(), 3u);  // before pages are overwritten, after uploads, after skinning
  const WatchedLoader::Barrier& before = watch_->barriers[0];
  EXPECT_EQ(before.from, vulkan::kVertexInput.stages | vulkan::kWriteStage);
  EXPECT_EQ(before.memory.srcAccessMask, vulkan::kWriteAccess) << "of a frame that nothing has read";
  EXPECT_EQ(before.to, vulkan::kWriteStage) << "copies of palettes do not wait";
  EXPECT_EQ(before.memory.dstAccessMask, vulkan::kWriteAccess);
  const WatchedLoader::Barrier& barrier = watch_->barriers[2];
  EXPECT_EQ(barrier.from, vulkan::kWriteStage);
  EXPECT_EQ(barrier.memory.srcAccessMask, vulkan::kWriteAccess);
  EXPECT_EQ(barrier.to, vulkan::kVertexInput.stages);
  EXPECT_EQ(barrier.memory.dstAccessMask, vulkan::kVertexInput.accesses);
}

TEST_F(Observed, HostBarriersNameOnlyStagesOfAComputeQueue) {
  auto skinner = make_skinner(watched_info());
  TestCrowd crowd(*device_, skinner);
  for (uint32_t i = 0; i < 3; ++i) {  // later meshes share a page with meshes in use
    crowd.add({});
    crowd.run_frame({i + 1, i % 2, i}, Counts{{i, 2}});
  }
  constexpr VkPipelineStageFlags kComputeQueueStages =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  EXPECT_GE(watch_->barriers.size(), 5u);
  for (const WatchedLoader::Barrier& barrier : watch_->barriers)
    EXPECT_EQ((barrier.from | barrier.to) & ~kComputeQueueStages, 0u);
}

TEST_F(Observed, DispatchesAreSplitAtTheDevicesLimits) {
  watch_->change_limits = [](VkPhysicalDeviceProperties& properties) {
    properties.limits.maxComputeWorkGroupCount[0] = 2;
    properties.limits.maxComputeWorkGroupCount[1] = 3;
  };
  auto info = watched_info();
  info.tuning.min_workgroups = 1;  // as on a CPU: a GPU gets more and smaller jobs for so few instances
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.add({.vertices = 200});  // four chunks
  crowd.run_frame({1, 0, 0}, Counts{{0, 40}});
  EXPECT_EQ(skinner.counters().dispatches, 4u);  // 16, 16 and 8 instances: 12 jobs
  EXPECT_EQ(skinner.counters().job_bytes, 12 * 16u) << "of each a SkinJob";
  EXPECT_EQ(skinner.counters().mesh_bytes, skinner.memory_usage().mesh_bytes) << "of the one mesh, once";
}

TEST_F(Observed, MemoryIsAllocatedInBlocksAndReported) {
  watch_->change_limits = [](VkPhysicalDeviceProperties& properties) {
    properties.limits.maxStorageBufferRange = 1 << 20;
  };
  {
    auto skinner = make_skinner(watched_info());
    TestCrowd crowd(*device_, skinner);
    for (uint32_t i = 0; i < 20; ++i) crowd.add({.vertices = 50});
    crowd.prepare({1, 0, 0}, Counts{{0, 6000}});
    const vulkan::MemoryUsage usage = skinner.memory_usage();
    EXPECT_EQ(usage.mesh_bytes, 20u * (50 * 2 + 2 + 3) * 16);  // with the box and one chunk
    EXPECT_EQ(usage.staging_bytes, usage.mesh_bytes);
    EXPECT_GE(usage.skinned_bytes, 6000u * 50 * 16);
    EXPECT_GE(usage.palette_bytes, 6000u * 8 * 48);
    EXPECT_GE(usage.block_bytes,
              usage.mesh_bytes + usage.staging_bytes + usage.skinned_bytes + usage.palette_bytes + usage.job_bytes);
    EXPECT_LE(watch_->largest_memory, VkDeviceSize{1} << 20);
    crowd.prepare({2, 0, 1}, Counts{{0, 3}});
    EXPECT_LE(skinner.memory_usage().block_bytes, usage.block_bytes / 2);
  }
  EXPECT_EQ(watch_->live_objects, 0);
}

class Timed : public SkinnerTest {
 protected:
  void SetUp() override {
    SkinnerTest::SetUp();
    if (device_ != nullptr && device_->timestamp_mask == 0) GTEST_SKIP() << "NO TIMESTAMPS: nothing was timed here";
  }
};

/// Timestamps of a later stage would wait until the previous frame is drawn. The wait for the consumers comes before
/// the first timestamp.
TEST_F(Timed, TimestampsAreOfTheComputeStage) {
  auto info = watched_info();
  info.barriers = vulkan::Barriers::kLibrary;
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.add({});
  const VkQueryPool pool = device_->make_timestamps(3);
  crowd.prepare({1, 0, 0}, Counts{{0, 1}});
  device_->submit_and_wait([&](VkCommandBuffer cmd) {
    device_->vk.CmdResetQueryPool(cmd, pool, 0, 3);
    skinner.record(cmd, {pool, 0});
  });
  EXPECT_EQ(watch_->timestamp_stages, std::vector(3, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT));
  EXPECT_EQ(watch_->barriers_before_timestamps[0], 1u);
  EXPECT_EQ(watch_->barriers[0].from, vulkan::kVertexInput.stages | vulkan::kWriteStage);
}

TEST_F(Timed, TimestampsAscendAndMeasureTheWork) {
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  crowd.add({.vertices = 3000});
  const VkQueryPool pool = device_->make_timestamps(5);

  const VertexReader reader(*device_);
  double best_share = 0;
  for (uint64_t frame = 1; frame <= 5; ++frame) {
    crowd.prepare({frame, 0, frame - 1}, Counts{{0, 1000}});
    const auto begin = std::chrono::steady_clock::now();
    device_->submit_and_wait([&](VkCommandBuffer cmd) {
      device_->vk.CmdResetQueryPool(cmd, pool, 0, 5);
      // A driver on the CPU delays timestamps until earlier drawing is done. The barrier makes it wait for that here.
      reader.draw(cmd, skinner.ranges()[0].vertices, 0, 300);
      device_->full_barrier(cmd);
      skinner.record(cmd, {pool, 2});
      device_->full_barrier(cmd);
      reader.draw(cmd, skinner.ranges()[0].vertices, 0, 300);
    });
    const std::chrono::duration<double, std::nano> wall = std::chrono::steady_clock::now() - begin;
    uint64_t ticks[3] = {};
    ASSERT_EQ(device_->vk.GetQueryPoolResults(device_->device, pool, 2, 3, sizeof ticks, ticks, 8,
                                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
              VK_SUCCESS);
    const uint64_t whole = (ticks[2] - ticks[0]) & device_->timestamp_mask;
    EXPECT_LE((ticks[1] - ticks[0]) & device_->timestamp_mask, whole);
    EXPECT_GT((ticks[2] - ticks[1]) & device_->timestamp_mask, 0u);
    const double measured_ns = double(whole) * device_->properties.limits.timestampPeriod;
    EXPECT_LE(measured_ns, wall.count());
    best_share = std::max(best_share, measured_ns / wall.count());
  }
  // Only on a CPU device does the skinning take nearly all the time between submission and completion.
  if (device_->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) {
    EXPECT_GE(best_share, 0.95);
  }
}

}  // namespace
}  // namespace sinew::test
