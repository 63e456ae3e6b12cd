// Previous poses of the built-in character: their motion, and what they cost. That each is the pose of the frame before
// is for tests/crowd.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <vector>

#include "asset/larger_error.h"
#include "planning/walk.h"

namespace sinew::app {
namespace {

using test::approach;
using test::Walk;

constexpr crowd::PlanOptions kAllOn{.unique_poses = 60, .previous_poses = true};

/// What an instance was drawn with.
struct Shown {
  uint32_t posed_mesh = 0, level = 0;
  bool updated = false;
  Playback playback;
};

std::map<uint32_t, Shown> shown_by(const crowd::Plan& plan) {
  std::map<uint32_t, Shown> shown;
  Walk::for_each_instance(plan, [&](const crowd::PosedBatch& batch, uint32_t mesh, uint32_t instance) {
    shown[instance] = {mesh, batch.level, plan.groups[batch.group].updated, plan.playbacks[mesh]};
  });
  return shown;
}

/// How far the vertices of an instance move on the picture from one pose to another.
std::vector<glm::vec2> motion_of(const Walk& walk, const Shown& shown, uint32_t instance, const Playback& from,
                                 const Playback& to) {
  const Model& model = test::planned_models()[0];
  const std::vector<Vec3> begin = exact_positions(model, shown.level, from),
                          end = exact_positions(model, shown.level, to);
  std::vector<glm::vec2> motion;
  for (size_t v = 0; v < begin.size(); ++v)
    motion.push_back(walk.pixel(instance, end[v]) - walk.pixel(instance, begin[v]));
  return motion;
}

/// With update rates motion is that of what is drawn: none while a pose is kept, then that of all frames at once.
TEST(PreviousPoses, OfKeptPosesAreWithinTwiceTheirErrorOfSmoothMotion) {
  Walk walk(300, {.previous_poses = true});
  const Model& model = test::planned_models()[0];
  crowd::Plan before;
  uint32_t kept = 0, caught_up = 0;
  double largest = 0;
  for (uint32_t frame = 0; frame < 20; ++frame) {
    const double then = walk.seconds();
    const crowd::Plan& plan = walk.step({{0, 0.9f, 0}, 0.6f, 0.3f, 60});
    const std::map<uint32_t, Shown> now = shown_by(plan);
    for (size_t i = 0; i < plan.instances.size(); ++i) {
      const uint32_t instance = plan.instances[i];
      const crowd::PreviousPose previous = plan.previous_poses[i];
      if ((instance + frame) % 7 != 0 || previous.posed_mesh == crowd::kNoPosedMesh || previous.in_this_plan) continue;
      const Shown& shown = now.at(instance);
      const Playback& drawn_before = before.playbacks[previous.posed_mesh];
      const auto exact_at = [&](double seconds) { return playback_at(model, walk.scene().pace(instance), seconds); };
      const auto drawn = motion_of(walk, shown, instance, drawn_before, shown.playback),
                 smooth = motion_of(walk, shown, instance, exact_at(then), exact_at(walk.seconds()));
      double longest_drawn = 0, longest_smooth = 0;
      for (size_t v = 0; v < drawn.size(); ++v) {
        largest = sinew::internal::larger_error(largest, double(glm::distance(drawn[v], smooth[v])));
        longest_drawn = sinew::internal::larger_error(longest_drawn, double(glm::length(drawn[v])));
        longest_smooth = sinew::internal::larger_error(longest_smooth, double(glm::length(smooth[v])));
      }
      EXPECT_TRUE(shown.updated || longest_drawn == 0) << "a kept pose moves";
      kept += !shown.updated, caught_up += longest_drawn > 1.5 * longest_smooth;
    }
    before = plan;
  }
  EXPECT_LE(largest, double(2 * crowd::kMaxUpdateErrorPixels * 1.02f));
  EXPECT_GT(largest, double(crowd::kMaxUpdateErrorPixels) / 2);
  EXPECT_GT(kept, 100u);
  EXPECT_GT(caught_up, 30u);
}

/// Where levels, update groups and shared poses change.
TEST(PreviousPoses, ChangeNothingThatIsDrawnAndAreSkinnedOnceAndDrawnByNobody) {
  Walk with(900, kAllOn), without(900, {.unique_poses = 60});
  uint32_t count = 0, users = 0;
  for (uint32_t frame = 0; frame < 24; ++frame) {
    const crowd::Plan &a = with.step(approach(frame * 2)), &b = without.step(approach(frame * 2));
    EXPECT_TRUE(b.previous_poses.empty());
    EXPECT_EQ(a.instances, b.instances);
    const std::map<uint32_t, Shown> shown_a = shown_by(a), shown_b = shown_by(b);
    for (const auto& [instance, shown] : shown_a) {
      EXPECT_EQ(std::memcmp(&shown.playback, &shown_b.at(instance).playback, sizeof shown.playback), 0);
      EXPECT_EQ(shown.level, shown_b.at(instance).level);
    }
    std::set<uint32_t> used;
    for (const crowd::PreviousPose& previous : a.previous_poses) {
      if (previous.in_this_plan) used.insert(previous.posed_mesh), ++users;
    }
    for (const crowd::PosedBatch& batch : a.batches) {
      if (!batch.previous_poses) continue;
      EXPECT_EQ(batch.group, 0u) << "the next frame does not need them";
      count += batch.mesh_count;
      for (uint32_t m = batch.first_mesh; m < batch.first_mesh + batch.mesh_count; ++m)
        EXPECT_TRUE(a.posed_meshes[m].instance_count == 0 && used.contains(m));
    }
  }
  EXPECT_GT(count, 50u);
  EXPECT_GT(users, count) << "no two instances had one previous pose";
}

/// The largest need of a walk without a budget, and the same walk with a budget that it just exceeds.
TEST(PreviousPoses, OfAnotherLevelAreLeftOutWhereTheBudgetHasNoRoom) {
  const crowd::MemoryBudget plenty{.bytes = uint64_t{1} << 40};
  crowd::PlanOptions options{.update_rate = false, .budget = plenty};
  Walk without(900, options);
  uint64_t needed = 0;
  for (uint32_t frame = 0; frame < 24; ++frame) {
    without.step(approach(frame * 2));
    needed = std::max(needed, without.planner().planner().needed_bytes());
  }
  options.previous_poses = true;
  options.budget.bytes = needed;
  Walk with(900, options);
  uint32_t left_out = 0, skinned = 0;
  std::map<uint32_t, Shown> before;
  for (uint32_t frame = 0; frame < 24; ++frame) {
    const crowd::Plan& plan = with.step(approach(frame * 2));
    for (size_t i = 0; i < plan.instances.size(); ++i) {
      const crowd::PreviousPose previous = plan.previous_poses[i];
      left_out += previous.posed_mesh == crowd::kNoPosedMesh && before.contains(plan.instances[i]);
      skinned += previous.in_this_plan;
    }
    before = shown_by(plan);
  }
  EXPECT_EQ(with.planner().planner().limits().error_pixels, 1) << "levels of detail paid for previous poses";
  EXPECT_GT(left_out, 0u);
  EXPECT_GT(skinned, 0u);
}

}  // namespace
}  // namespace sinew::app
