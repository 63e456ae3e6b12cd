// Update rates: a distant instance is updated in every second or fourth frame. It is drawn in all frames, its error
// stays within the bound, and the work is spread evenly over the frames.
#include "crowd/update_rate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <set>

#include "asset/larger_error.h"
#include "crowd/playback.h"
#include "planning/walk.h"

namespace sinew::app {
namespace {

using crowd::kMaxUpdateErrorPixels;
using crowd::internal::frames_until_update;
using crowd::internal::group_of_rate;
using crowd::internal::kMaxFramesPerUpdate;
using crowd::internal::lone_layer;
using crowd::internal::MotionPaths;
using crowd::internal::rate_of_group;
using test::approach;
using test::built_in;
using test::Planning;
using test::positions_of;
using test::Walk;

constexpr float kSamplingTolerance = 1.02f;  // the bounds come from sampled clips
/// The built-in character as a planner takes it.
const crowd::ModelInfo& built_in_info() {
  static const Scene scene = make_scene(built_in(), 1, 1);
  static const CrowdInput input(built_in(), scene);
  return input.characters[0];
}

double max_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double max = 0;
  for (size_t v = 0; v < a.size(); ++v) max = sinew::internal::larger_error(max, double(length(a[v] - b[v])));
  return max;
}

TEST(UpdateRate, GroupsOfOneRateAreUpdatedInDifferentFrames) {
  std::map<uint32_t, std::set<uint64_t>> updates;  // frames in which each group is updated
  for (uint32_t group = 0; group < crowd::kUpdateGroups; ++group) {
    for (uint64_t frame = 0; frame < 8; ++frame) {
      if (frames_until_update(group, frame) == 0) updates[group].insert(frame);
      EXPECT_EQ(frames_until_update(group, frame + frames_until_update(group, frame)), 0u);
      EXPECT_LT(frames_until_update(group, frame), rate_of_group(group));
    }
    EXPECT_EQ(updates[group].size(), 8 / rate_of_group(group));
  }
  for (const uint32_t rate : {1u, 2u, 4u}) {
    std::set<uint32_t> groups;
    for (uint32_t chance = 0; chance < 16; ++chance) groups.insert(group_of_rate(rate, chance));
    EXPECT_EQ(groups.size(), rate);
    std::set<uint64_t> frames;
    for (const uint32_t group : groups) {
      EXPECT_EQ(rate_of_group(group), rate);
      frames.insert(updates[group].begin(), updates[group].end());
    }
    EXPECT_EQ(frames.size(), 8u) << "a frame updates no group of rate " << rate;
  }
}

TEST(UpdateRate, NoVertexMovesFurtherThanTheMotionPath) {
  const Model& model = built_in()[0];
  ThreadPool pool(2);
  const MotionPaths motions(built_in_info(), pool.parallel_for());
  for (const uint32_t index : model.clips) {
    const Clip& clip = model.character.clips[index];
    double max_share = 0;
    for (int i = 0; i < 60; ++i) {
      const float a = clip.start_seconds + clip.duration_seconds() * float(i * 37 % 60) / 60;
      const float b = std::min(a + (1 + float(i % 3)) / 60, clip.end_seconds);
      Playback at_a, at_b;
      at_a.layers[0] = {index, a, 1}, at_b.layers[0] = {index, b, 1};
      const double distance = max_distance(positions_of(model, 1, at_a), positions_of(model, 1, at_b));
      EXPECT_LE(distance, motions.max_distance_between(at_a, at_b) * kSamplingTolerance + 1e-5)
          << clip.name << " " << a << " to " << b;
      EXPECT_EQ(motions.max_distance_between(at_a, at_b), motions.max_distance_between(at_b, at_a));
      max_share = sinew::internal::larger_error(max_share, distance / motions.max_distance_between(at_a, at_b));
    }
    EXPECT_GT(max_share, 0.8) << clip.name << ": the bound is too loose";
  }
}

TEST(UpdateRate, MotionPathIsShortAcrossTheEndOfALoop) {
  const Model& model = built_in()[0];
  ThreadPool pool(1);
  const MotionPaths motions(built_in_info(), pool.parallel_for());
  for (const uint32_t index : model.clips) {
    const Clip& clip = model.character.clips[index];
    Playback before, after;
    before.layers[0] = {index, clip.end_seconds - 0.01f, 1}, after.layers[0] = {index, clip.start_seconds + 0.01f, 1};
    const double distance = max_distance(positions_of(model, 1, before), positions_of(model, 1, after));
    EXPECT_LE(distance, motions.max_distance_between(before, after) * kSamplingTolerance + 1e-5) << clip.name;
    EXPECT_LT(motions.max_distance_between(before, after), 0.3) << clip.name;
  }
}

TEST(UpdateRate, MotionPathIsInfiniteBetweenClipsAndForBlends) {
  const Model& model = built_in()[0];
  ThreadPool pool(1);
  const MotionPaths motions(built_in_info(), pool.parallel_for());
  Playback one, other, both;
  one.layers[0] = {model.clips[0], 0, 1}, other.layers[0] = {model.clips[1], 0, 1};
  both.layers[0] = {model.clips[0], 0, 0.5f}, both.layers[1] = {model.clips[1], 0, 0.5f};
  EXPECT_EQ(motions.max_distance_between(one, one), 0);
  for (const auto& [a, b] : {std::pair(one, other), std::pair(both, both), std::pair(one, both)})
    EXPECT_EQ(motions.max_distance_between(a, b), std::numeric_limits<float>::infinity());
}

TEST(UpdateRate, NoInstanceIsFurtherOffThanStated) {
  Walk walk(400);
  double max_pixels = 0;
  uint32_t not_updated = 0, exact = 0;
  for (uint32_t frame = 0; frame < 48; ++frame) {
    const crowd::Plan& plan = walk.step(approach(frame));
    EXPECT_EQ(plan.groups.size(), crowd::kUpdateGroups);
    Walk::for_each_instance(plan, [&](const crowd::PosedBatch& batch, uint32_t mesh, uint32_t instance) {
      const Playback own = playback_at(built_in()[0], walk.scene().pace(instance), walk.seconds());
      if (batch.group == 0) {
        exact += std::memcmp(&plan.playbacks[mesh], &own, sizeof own) == 0;
        return;
      }
      const Layer *drawn = lone_layer(plan.playbacks[mesh]), *wanted = lone_layer(own);
      EXPECT_TRUE(drawn && wanted && drawn->clip == wanted->clip) << instance;
      not_updated += !plan.groups[batch.group].updated;
      if ((instance + frame) % 9 == 0)
        max_pixels = sinew::internal::larger_error(max_pixels, walk.pixels_off(plan, batch.level, mesh, instance));
    });
    EXPECT_EQ(plan.counters.rates[0], exact) << "instances that are updated in each frame are exact";
    exact = 0;
  }
  EXPECT_GT(not_updated, 2000u);
  EXPECT_LE(max_pixels, kMaxUpdateErrorPixels * kSamplingTolerance);
  EXPECT_GT(max_pixels, kMaxUpdateErrorPixels * 0.5) << "the update rates are too high";
}

TEST(UpdateRate, DependsOnDistance) {
  Walk walk(1, {.levels = false});
  const Vec3 at = walk.scene().positions[0];
  uint32_t unblended = 0;  // frames in which a single clip is played
  const auto rates = [&](float distance) {
    std::array<uint32_t, 3> sum = {};
    unblended = 0;
    for (uint32_t frame = 0; frame < 60; ++frame) {
      const crowd::Plan& plan = walk.step({{at.x, 0.9f, at.z}, 0, 0.1f, distance});
      for (size_t i = 0; i < 3; ++i) sum[i] += plan.counters.rates[i];
      unblended += lone_layer(playback_at(built_in()[0], walk.scene().pace(0), walk.seconds())) != nullptr;
    }
    return sum;
  };
  EXPECT_EQ(rates(3)[0], 60u) << "large on screen";
  EXPECT_GT(rates(45)[1], 30u);
  const auto far = rates(400);
  EXPECT_GE(far[2] + 2 * kMaxFramesPerUpdate, unblended) << "the rate was not reduced when its group was updated";
  EXPECT_GT(unblended, 30u);
  EXPECT_EQ(far[0] + far[1] + far[2], 60u);
}

TEST(UpdateRate, IsReducedWhenTheGroupIsUpdated) {
  Walk walk(300, {.cull = false, .levels = false});
  const auto after = [&](float distance) {
    for (int frame = 0; frame < 8; ++frame) walk.step({{0, 0.9f, 0}, 0, 0.2f, distance});
    return walk.planner().last().counters.rates;
  };
  const auto near = after(50), far = after(400);
  EXPECT_GT(near[1], 80u);
  EXPECT_LT(far[1], 10u);
  EXPECT_GT(far[2], near[1]);
}

TEST(UpdateRate, WorkIsEvenAndDistantInstancesAreUpdatedInEveryFourthFrame) {
  Walk walk(4000, {.cull = false});
  const Orbit far{{0, 0.9f, 0}, 0.6f, 0.3f, 300};
  for (int i = 0; i < 5; ++i) walk.step(far);  // the first frame updates all instances
  std::vector<uint32_t> updated_meshes;
  std::map<uint32_t, uint32_t> updates;
  std::set<uint32_t> always_far;
  for (int frame = 0; frame < 8; ++frame) {
    const crowd::Plan& plan = walk.step(far);
    updated_meshes.push_back(plan.counters.updated_meshes);
    EXPECT_EQ(plan.counters.visible, 4000u);
    EXPECT_EQ(plan.counters.not_updated + plan.counters.updated_meshes, 4000u) << "each instance has one posed mesh";
    std::set<uint32_t> far_now;
    Walk::for_each_instance(plan, [&](const crowd::PosedBatch& batch, uint32_t, uint32_t instance) {
      updates[instance] += plan.groups[batch.group].updated;
      if (batch.group >= 3) far_now.insert(instance);
    });
    if (frame == 0) always_far = far_now;
    std::erase_if(always_far, [&](uint32_t instance) { return !far_now.contains(instance); });
  }
  const auto [min, max] = std::minmax_element(updated_meshes.begin(), updated_meshes.end());
  EXPECT_LT(*max, 4000u / 2);
  EXPECT_LT(*max, *min * 1.15);
  EXPECT_GT(always_far.size(), 2000u);
  for (const uint32_t instance : always_far) EXPECT_EQ(updates[instance], 2u) << instance;
}

/// A posed mesh is replaced early if its instance begins to blend, or if its error exceeds the bound.
TEST(UpdateRate, PosedMeshesLastUntilTheirGroupIsUpdated) {
  Walk walk(1000, {.cull = false});
  const Orbit medium_distance{{0, 0.9f, 0}, 0.6f, 0.3f, 90};
  std::map<uint32_t, uint32_t> group_of;
  uint32_t kept = 0, replaced = 0;
  for (int frame = 0; frame < 12; ++frame) {
    const crowd::Plan& plan = walk.step(medium_distance);
    std::map<uint32_t, uint32_t> now;
    Walk::for_each_instance(
        plan, [&](const crowd::PosedBatch& batch, uint32_t, uint32_t instance) { now[instance] = batch.group; });
    for (const auto& [instance, group] : now) {
      const uint32_t before = frame > 4 ? group_of[instance] : 0;
      if (before == 0 || plan.groups[before].updated) continue;
      (group == before ? kept : replaced) += 1;
    }
    group_of = std::move(now);
  }
  EXPECT_GT(kept, 2000u);
  EXPECT_LT(replaced, kept / 50) << "more than the instances that begin to blend";
}

TEST(UpdateRate, InstancesThatBecomeVisibleAreDrawnAtOnce) {
  Walk walk(3000);
  ThreadPool pool(1);
  Planning off(built_in(), walk.scene(), {.update_rate = false}, pool);
  std::set<uint32_t> before;
  uint32_t newcomers = 0;
  for (uint32_t frame = 0; frame < 24; ++frame) {
    const Orbit orbit{{0, 0.9f, 0}, 0.05f * float(frame), 0.2f, 20};
    const crowd::Plan& plan = walk.step(orbit);
    const crowd::Plan& plain = off.plan(walk.view(), walk.seconds());
    EXPECT_EQ(plain.groups.size(), 1u);
    EXPECT_EQ(plain.counters.not_updated, 0u);
    const std::set<uint32_t> visible(plan.instances.begin(), plan.instances.end());
    EXPECT_EQ(visible, std::set<uint32_t>(plain.instances.begin(), plain.instances.end())) << frame;
    EXPECT_EQ(visible.size(), plan.instances.size()) << "an instance is drawn twice";
    EXPECT_EQ(plan.counters.levels, plain.counters.levels);
    newcomers +=
        uint32_t(std::count_if(visible.begin(), visible.end(), [&](uint32_t i) { return !before.contains(i); }));
    Walk::for_each_instance(plan, [&](const crowd::PosedBatch& batch, uint32_t mesh, uint32_t instance) {
      EXPECT_EQ(plan.posed_meshes[mesh].instance, instance);
      EXPECT_EQ(plan.posed_meshes[mesh].shared, false);
      EXPECT_TRUE(plan.groups[batch.group].updated || before.contains(instance));
    });
    before = visible;
  }
  EXPECT_GT(newcomers, 500u);
}

TEST(UpdateRate, AGroupThatIsNotUpdatedIsThatOfThePreviousFrame) {
  Walk walk(1500);
  crowd::Plan before;
  for (uint32_t frame = 0; frame < 16; ++frame) {
    const crowd::Plan& plan = walk.step({{0, 0.9f, 0}, 0.02f * float(frame), 0.2f, 60});
    for (uint32_t g = 0; g < plan.groups.size(); ++g) {
      const crowd::UpdateGroup& group = plan.groups[g];
      EXPECT_TRUE(frame > 0 || group.updated);
      EXPECT_TRUE(group.updated || frames_until_update(g, frame + 1) != 0);
      if (group.updated) continue;
      const crowd::UpdateGroup& old = before.groups[g];
      EXPECT_EQ(group.seconds, old.seconds);
      ASSERT_EQ(group.batch_count, old.batch_count);
      for (uint32_t b = 0; b < group.batch_count; ++b) {
        const crowd::PosedBatch &now = plan.batches[group.first_batch + b], &then = before.batches[old.first_batch + b];
        EXPECT_EQ(now.level, then.level);
        ASSERT_EQ(now.mesh_count, then.mesh_count);
        for (uint32_t m = 0; m < now.mesh_count; ++m) {
          EXPECT_EQ(plan.posed_meshes[now.first_mesh + m].instance, before.posed_meshes[then.first_mesh + m].instance);
        }
        EXPECT_EQ(std::memcmp(&plan.playbacks[now.first_mesh], &before.playbacks[then.first_mesh],
                              now.mesh_count * sizeof(Playback)),
                  0);
      }
    }
    before = plan;
  }
}

void expect_same(const crowd::Plan& a, const crowd::Plan& b) {
  EXPECT_EQ(a.instances, b.instances);
  ASSERT_EQ(a.playbacks.size(), b.playbacks.size());
  EXPECT_EQ(std::memcmp(a.playbacks.data(), b.playbacks.data(), a.playbacks.size() * sizeof(Playback)), 0);
  ASSERT_EQ(a.batches.size(), b.batches.size());
  for (size_t i = 0; i < a.batches.size(); ++i) {
    EXPECT_EQ(a.batches[i].group, b.batches[i].group);
    EXPECT_EQ(a.batches[i].level, b.batches[i].level);
  }
}

TEST(UpdateRate, IsTheSameForAnyNumberOfThreads) {
  Walk one_thread(9000, {}, 1), four_threads(9000, {}, 4);
  for (uint32_t frame = 0; frame < 6; ++frame)
    expect_same(one_thread.step(approach(frame)), four_threads.step(approach(frame)));
}

TEST(UpdateRate, AllGroupsAreUpdatedAfterAJumpOfTheCameraOrOfTime) {
  Walk walk(2000);
  const Orbit here{{0, 0.9f, 0}, 0, 0.2f, 20}, there{{0, 0.9f, 0}, 3, 0.2f, 60};
  for (int i = 0; i < 6; ++i) walk.step(here);
  const auto all_updated = [](const crowd::Plan& plan) {
    return std::all_of(plan.groups.begin(), plan.groups.end(),
                       [](const crowd::UpdateGroup& group) { return group.updated; });
  };
  EXPECT_FALSE(all_updated(walk.step(here)));
  EXPECT_TRUE(all_updated(walk.step(there)));
  EXPECT_EQ(walk.planner().last().posed_meshes.size(), walk.planner().last().counters.visible)
      << "a posed mesh without an instance";
  EXPECT_FALSE(all_updated(walk.step(there)));
  EXPECT_TRUE(all_updated(walk.step(there, 2.5)));
}

TEST(UpdateRate, InstancesWithASharedPoseAreUpdatedInEachFrame) {
  Walk walk(2000, {.unique_poses = 200});
  for (uint32_t frame = 0; frame < 5; ++frame) {
    const crowd::Plan& plan = walk.step({{0, 0.9f, 0}, 0, 0.2f, 60});
    EXPECT_GT(plan.counters.shared, 500u);
    for (const crowd::PosedBatch& batch : plan.batches) {
      for (uint32_t m = batch.first_mesh; m < batch.first_mesh + batch.mesh_count; ++m)
        EXPECT_TRUE(batch.group == 0 || !plan.posed_meshes[m].shared);
    }
  }
}

TEST(UpdateRate, SlowFramesSkipFewerUpdates) {
  Walk at_60_hz(1000), at_10_hz(1000);
  const Orbit far{{0, 0.9f, 0}, 0, 0.2f, 120};
  uint32_t skipped_at_60_hz = 0, skipped_at_10_hz = 0;  // instances that were not updated, over all frames
  for (int i = 0; i < 24; ++i) {
    skipped_at_60_hz += at_60_hz.step(far).counters.not_updated;
    const crowd::Plan& plan = at_10_hz.step(far, 0.1);
    skipped_at_10_hz += plan.counters.not_updated;
    for (uint32_t g = 3; g < crowd::kUpdateGroups && i > 16; ++g) {
      if (frames_until_update(g, uint64_t(i) + 1) != 0) continue;
      EXPECT_NEAR(plan.groups[g].seconds - at_10_hz.seconds(), 0.15, 0.005) << "not the middle of four frames";
    }
    Walk::for_each_instance(plan, [&](const crowd::PosedBatch& batch, uint32_t mesh, uint32_t instance) {
      if (batch.group == 0 || instance % 50 != 0) return;
      EXPECT_LE(at_10_hz.pixels_off(plan, batch.level, mesh, instance), kMaxUpdateErrorPixels * kSamplingTolerance);
    });
  }
  EXPECT_LT(skipped_at_10_hz, skipped_at_60_hz / 2);
}

}  // namespace
}  // namespace sinew::app
