// What a memory budget and shared poses cost, and the limits that they keep.
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "crowd/motion_paths.h"
#include "crowd/pose_sharing.h"
#include "heap_faults.h"
#include "planned_host.h"
#include "threads.h"

namespace sinew::crowd {
namespace {

TEST(Planner, NeedsBytesForEachKeptFrame) {
  Host host(300);
  const auto needed = [&](uint32_t palettes, uint32_t vertices, uint32_t vertex_bytes) {
    Planner planner = make_planner(
        {.budget = {
             .bytes = UINT64_MAX, .kept_palettes = palettes, .kept_vertices = vertices, .vertex_bytes = vertex_bytes}});
    EXPECT_TRUE(host.plan(planner, 0));
    uint64_t all = 0;
    for (const PosedBatch& batch : planner.last().batches)
      all += uint64_t{batch.mesh_count} * actor().levels[batch.level].vertex_count;
    return std::pair(planner.needed_bytes(), all);
  };
  const auto [meshes, vertices] = needed(0, 0, 16);
  EXPECT_EQ(needed(0, 1, 16).first - meshes, vertices * 24) << "half as much again for pages that grow";
  EXPECT_EQ(needed(0, 2, 16).first - meshes, vertices * 48);
  EXPECT_EQ(needed(0, 2, 12).first - meshes, vertices * 36);
  EXPECT_EQ(needed(3, 0, 16).first - meshes, 3 * (needed(1, 0, 16).first - meshes));
  EXPECT_GT(needed(1, 0, 16).first, meshes);
}

TEST(Planner, UpdatesEveryGroupAfterAFrameThatDidNotFitTheBudget) {
  Host host(2500);
  Planner unlimited = make_planner({.budget = {.bytes = UINT64_MAX}, .previous_poses = true});
  ASSERT_TRUE(host.plan(unlimited, 0));
  Planner planner = make_planner({.budget = {.bytes = unlimited.needed_bytes() * 2}, .previous_poses = true});
  int number = 0;
  for (; number < 5; ++number) ASSERT_TRUE(host.plan(planner, number));
  EXPECT_GT(planner.last().counters.not_updated, 0u);
  Host many(90000);
  many.view = host.view;
  EXPECT_FALSE(planner.plan(many.instances(), host.frame(number)));
  EXPECT_TRUE(planner.last().posed_meshes.empty() && planner.last().batches.empty());
  ASSERT_TRUE(host.plan(planner, number + 1));
  EXPECT_EQ(planner.last().counters.not_updated, 0u);
  for (const PreviousPose& pose : planner.last().previous_poses) EXPECT_EQ(pose.posed_mesh, kNoPosedMesh);
}

TEST(Planner, RefusesACrowdThatNeedsMoreBytesThan64BitsCount) {
  Host host(3);
  ModelInfo character = actor_info();
  const auto is_refused = [&](const std::vector<Level>& levels, const MemoryBudget& budget) {
    character.levels = levels;
    auto planner = Planner::create({&character, 1}, {.budget = budget});
    EXPECT_TRUE(planner);
    const Status planned = host.plan(*planner, 0);
    EXPECT_EQ(planner->needed_bytes(), UINT64_MAX);
    return !planned && planned.error().code == ErrorCode::kOutOfMemory;
  };
  EXPECT_TRUE(is_refused({{.static_bytes = 1}, {.error = 1, .static_bytes = UINT64_MAX}}, {.bytes = 1 << 30}));
  EXPECT_TRUE(
      is_refused({{.vertex_count = 1u << 31}}, {.bytes = 1 << 30, .kept_vertices = 2, .vertex_bytes = 1u << 31}));
}

/// What an instance is drawn with, for each instance: level of detail and bucket of its pose. Instances have a posed
/// mesh together if these are the same.
void expect_a_pose_for_each_bucket(const Plan& plan, const Host& host, const ModelInfo& info, uint32_t unique_poses) {
  const auto paths = internal::measure_motion({&info, 1}, {.turned = true}, {})[0].turned;
  const internal::PoseBuckets buckets(info, paths, unique_poses / uint32_t(info.levels.size()));
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> mesh_of;
  uint32_t posed = 0;
  for (const PosedBatch& batch : plan.batches) {
    for (uint32_t m = batch.first_mesh; m < batch.first_mesh + batch.mesh_count; ++m) {
      const PosedMesh& mesh = plan.posed_meshes[m];
      if (!mesh.shared) continue;
      ++posed;
      for (uint32_t i = mesh.first_instance; i < mesh.first_instance + mesh.instance_count; ++i) {
        const uint32_t bucket = buckets.bucket_of(host.crowd.playbacks[plan.instances[i]]);
        const auto found = mesh_of.emplace(std::pair(batch.level, bucket), m).first;
        ASSERT_EQ(found->second, m) << "two poses for one bucket";
        const Playback shown = buckets.playback_of(bucket);
        EXPECT_EQ(std::memcmp(&plan.playbacks[m], &shown, sizeof shown), 0);
      }
    }
  }
  EXPECT_EQ(posed, mesh_of.size()) << "one pose for two buckets";
  EXPECT_GT(posed, 20u);
}

TEST(Planner, SharesAPoseForEachBucketForAnyNumberOfPoses) {
  for (const uint32_t unique_poses : {60u, 4096u, 100000u, 1000000000u, UINT32_MAX}) {
    SCOPED_TRACE(unique_poses);
    Host host(6000);
    uint32_t threads = 3;
    for (const size_t levels : {actor_info().levels.size(), size_t{1}}) {
      ModelInfo info = actor_info();
      info.levels = info.levels.first(levels);
      auto planner = Planner::create({&info, 1}, {.update_rate = false, .unique_poses = unique_poses});
      ASSERT_TRUE(planner && host.plan(*planner, 0, test::on_threads(threads)));
      expect_a_pose_for_each_bucket(planner->last(), host, info, unique_poses);
    }
  }
}

TEST(Planner, MeasuresBothPathsOfClipsInOneWalkAsInTwo) {
  uint32_t threads = 2;
  const ModelInfo infos[] = {actor_info(), actor_info()};
  const auto both = internal::measure_motion(infos, {.moved = true, .turned = true}, test::on_threads(threads));
  const auto moved = internal::measure_motion(infos, {.moved = true}, {});
  const auto turned = internal::measure_motion(infos, {.turned = true}, {});
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(both[i].moved.size(), infos[i].clips.size());
    EXPECT_TRUE(both[i].moved == moved[i].moved && both[i].turned == turned[i].turned);
    EXPECT_EQ(both[i].bounding_radius, moved[i].bounding_radius);
    EXPECT_GT(both[i].bounding_radius, 0.9f);
    EXPECT_TRUE(moved[i].turned.empty() && turned[i].moved.empty());
  }
}

/// A measured clip allocates for each of its samples.
TEST(Planner, MeasuresNoClipInTheFrameThatFirstSharesPoses) {
  Host host(2000);
  Planner unlimited = make_planner({.levels = false, .budget = {.bytes = UINT64_MAX}});
  ASSERT_TRUE(host.plan(unlimited, 0));
  Planner planner = make_planner({.levels = false, .budget = {.bytes = unlimited.needed_bytes() / 2}});
  const int64_t before = test::heap_allocations();
  ASSERT_TRUE(host.plan(planner, 0));
  EXPECT_GT(planner.last().counters.shared, 0u);
  EXPECT_LT(test::heap_allocations() - before, 200);
  const int64_t of_plan = test::heap_allocations();
  ASSERT_TRUE(planner.set_limits({.unique_poses = 9}));
  EXPECT_LT(test::heap_allocations() - of_plan, 50);
}

TEST(Planner, NeedsMemoryForTheCrowdAndNotForTheNumberOfPosesToShare) {
  Host host(50);
  test::take_largest_allocation();
  for (const uint32_t unique_poses : {1u, 100000u, 1000000000u, UINT32_MAX}) {
    Planner planner = make_planner({.unique_poses = unique_poses});
    ASSERT_TRUE(host.plan(planner, 0));
    ASSERT_TRUE(planner.set_limits({.unique_poses = UINT32_MAX - unique_poses}));
    ASSERT_TRUE(host.plan(planner, 1));
    EXPECT_LT(test::take_largest_allocation(), 1 << 20) << unique_poses;
  }
}

}  // namespace
}  // namespace sinew::crowd
