// Who is far is updated in some frames only: nobody sees it, everybody is drawn, and the work is shared out evenly.
#include "crowd/update_rate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "crowd/visible_set.h"
#include "scene/baking.h"
#include "sinew/asset/cpu_skin.h"

namespace sinew::app {
namespace {

constexpr float kSampled = 1.02f;  // clips are sampled to tell how far they move
constexpr double kFrame = 1 / 60.0;

/// The built-in character, with all that a crowd needs; what is drawn from far has few vertices to compare.
const std::vector<Model>& built_in() {
  static const std::vector<Model> models = [] {
    std::vector<Model> made;
    auto model = load_model(SINEW_SOURCE_DIR "/assets/character.glb", {});
    EXPECT_TRUE(model);
    EXPECT_TRUE(add_levels(*model));
    made.push_back(std::move(*model));
    EXPECT_TRUE(bake_models(made));
    measure_bounds(made);
    return made;
  }();
  return models;
}

std::vector<Vec3> positions_of(const Model& model, const Mesh& mesh, const Playback& playback) {
  std::vector<Matrix3x4> palette(model.character.skin.palette_size());
  EvaluationScratch scratch;
  EXPECT_TRUE(
      evaluate_crowd(model.character, {&playback, 1}, uint32_t(palette.size()), palette, scratch, model.masks()));
  std::vector<Vec3> positions(mesh.vertex_count()), normals(positions.size());
  skin_on_cpu(mesh, palette, positions, normals);
  return positions;
}

double furthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (size_t v = 0; v < a.size(); ++v) most = std::max(most, double(length(a[v] - b[v])));
  return most;
}

TEST(UpdateRate, GroupsOfARateTakeTurnsAndNobodyWaitsLonger) {
  std::map<uint32_t, std::set<uint64_t>> turns;
  for (uint32_t group = 0; group < kUpdateGroups; ++group) {
    for (uint64_t frame = 0; frame < 8; ++frame) {
      if (frames_until_update(group, frame) == 0) turns[group].insert(frame);
      EXPECT_EQ(frames_until_update(group, frame + frames_until_update(group, frame)), 0u);
      EXPECT_LT(frames_until_update(group, frame), rate_of_group(group));
    }
    EXPECT_EQ(turns[group].size(), 8 / rate_of_group(group));
  }
  for (const uint32_t rate : {1u, 2u, 4u}) {
    std::set<uint32_t> groups;
    for (uint64_t chance = 0; chance < 16; ++chance) groups.insert(group_of_rate(rate, chance));
    EXPECT_EQ(groups.size(), rate);
    std::set<uint64_t> frames;
    for (const uint32_t group : groups) {
      EXPECT_EQ(rate_of_group(group), rate);
      frames.insert(turns[group].begin(), turns[group].end());
    }
    EXPECT_EQ(frames.size(), 8u) << "some frame has no share of rate " << rate;
  }
}

TEST(UpdateRate, NoVertexMovesFurtherThanAClipsPathSays) {
  const Model& model = built_in()[0];
  ThreadPool pool(2);
  const MotionPaths motions(model, pool);
  for (const uint32_t index : model.clips) {
    const Clip& clip = model.character.clips[index];
    double tightest = 0;
    for (int i = 0; i < 60; ++i) {
      const float a = clip.start_seconds + clip.duration_seconds() * float(i * 37 % 60) / 60;
      const float b = std::min(a + (1 + float(i % 3)) / 60, clip.end_seconds);
      Playback at_a, at_b;
      at_a.layers[0] = {index, a, 1}, at_b.layers[0] = {index, b, 1};
      const Mesh& mesh = model.levels[1].mesh;
      const double apart = furthest(positions_of(model, mesh, at_a), positions_of(model, mesh, at_b));
      EXPECT_LE(apart, motions.between(at_a, at_b) * kSampled + 1e-5) << clip.name << " " << a << " to " << b;
      EXPECT_EQ(motions.between(at_a, at_b), motions.between(at_b, at_a));
      tightest = std::max(tightest, apart / motions.between(at_a, at_b));
    }
    EXPECT_GT(tightest, 0.8) << clip.name << ": slower than it says";
  }
}

TEST(UpdateRate, TheEndOfALoopIsNearItsStart) {
  const Model& model = built_in()[0];
  ThreadPool pool(1);
  const MotionPaths motions(model, pool);
  for (const uint32_t index : model.clips) {
    const Clip& clip = model.character.clips[index];
    Playback before, after;
    before.layers[0] = {index, clip.end_seconds - 0.01f, 1}, after.layers[0] = {index, clip.start_seconds + 0.01f, 1};
    const double apart =
        furthest(positions_of(model, model.levels[1].mesh, before), positions_of(model, model.levels[1].mesh, after));
    EXPECT_LE(apart, motions.between(before, after) * kSampled + 1e-5) << clip.name;
    EXPECT_LT(motions.between(before, after), 0.3) << clip.name;
  }
}

TEST(UpdateRate, WhatBlendsOrChangesTheClipIsNotKnownToBeNear) {
  const Model& model = built_in()[0];
  ThreadPool pool(1);
  const MotionPaths motions(model, pool);
  Playback one, other, both;
  one.layers[0] = {model.clips[0], 0, 1}, other.layers[0] = {model.clips[1], 0, 1};
  both.layers[0] = {model.clips[0], 0, 0.5f}, both.layers[1] = {model.clips[1], 0, 0.5f};
  EXPECT_EQ(motions.between(one, one), 0);
  for (const auto& [a, b] : {std::pair(one, other), std::pair(both, both), std::pair(one, both)})
    EXPECT_EQ(motions.between(a, b), std::numeric_limits<float>::infinity());
}

/// A crowd that is looked at, with the lever on and off.
class Walk {
 public:
  explicit Walk(uint32_t count, const Optimizations& options = {}, uint32_t threads = 1)
      : scene_(make_scene(built_in(), count, 3)), pool_(threads), on_(built_in(), scene_, options, pool_) {}

  const VisibleSet& step(const Orbit& orbit, double since = kFrame) {
    view_ = view_of(orbit, 1280, 720);
    return on_.compute(view_, seconds_ += since);
  }
  const Scene& scene() const { return scene_; }
  const View& view() const { return view_; }
  double seconds() const { return seconds_; }
  VisibilityPass& visibility_pass() { return on_; }

  /// Calls what is drawn with each copy, by its batch.
  static void each(const VisibleSet& visible_set,
                   const std::function<void(const PosedBatch&, uint32_t mesh, uint32_t instance)>& call) {
    for (const PosedBatch& batch : visible_set.batches) {
      for (uint32_t c = batch.first_mesh; c < batch.first_mesh + batch.mesh_count; ++c) {
        const PosedMesh& mesh = visible_set.posed_meshes[c];
        for (uint32_t s = mesh.first_instance; s < mesh.first_instance + mesh.instance_count; ++s)
          call(batch, c, visible_set.instances[s]);
      }
    }
  }

  /// How many pixels the furthest vertex is from where it would be without the lever.
  double pixels_off(const VisibleSet& visible_set, uint32_t mesh, uint32_t instance) const {
    const Model& model = built_in()[0];
    const Mesh& mesh = model.levels.back().mesh;
    const CrowdInstance& instance = scene_.instances[instance];
    const auto drawn = positions_of(model, mesh, visible_set.playbacks[mesh]),
               exact = positions_of(model, mesh, playback_at(model, instance, seconds_));
    double most = 0;
    for (size_t v = 0; v < drawn.size(); ++v) {
      const glm::vec2 a = pixel(instance, drawn[v]), b = pixel(instance, exact[v]);
      most = std::max(most, double(std::hypot(a.x - b.x, a.y - b.y)));
    }
    return most;
  }

 private:
  glm::vec2 pixel(const CrowdInstance& instance, Vec3 position) const {
    const Vec3 p = transform_point(instance.world_from_model, position);
    const glm::vec4 clip = view_.clip_from_world * glm::vec4(p.x, p.y, p.z, 1);
    return {clip.x / clip.w * 640, clip.y / clip.w * 360};
  }

  Scene scene_;
  ThreadPool pool_;
  VisibilityPass on_;
  View view_;
  double seconds_ = 20;
};

/// Comes nearer fast, and goes again.
Orbit approach(uint32_t frame) {
  const float way = std::abs(float(frame % 48) - 24) / 24;
  return {{0, 0.9f, 0}, 0.4f + 0.01f * float(frame), 0.2f, 6 + 60 * way};
}

TEST(UpdateRate, NobodyIsDrawnFurtherOffThanStated) {
  Walk walk(400);
  double most = 0;
  uint32_t not_updated = 0, exact = 0;
  for (uint32_t frame = 0; frame < 48; ++frame) {
    const VisibleSet& visible_set = walk.step(approach(frame));
    EXPECT_EQ(visible_set.groups.size(), kUpdateGroups);
    Walk::each(visible_set, [&](const PosedBatch& batch, uint32_t mesh, uint32_t instance) {
      const Playback own = playback_at(built_in()[0], walk.scene().instances[instance], walk.seconds());
      if (batch.group == 0) {
        exact += std::memcmp(&visible_set.playbacks[mesh], &own, sizeof own) == 0;
        return;
      }
      const Layer *drawn = lone_layer(visible_set.playbacks[mesh]), *wanted = lone_layer(own);
      EXPECT_TRUE(drawn && wanted && drawn->clip == wanted->clip) << instance;
      not_updated += !visible_set.groups[batch.group].updated;
      if ((instance + frame) % 9 == 0) most = std::max(most, walk.pixels_off(visible_set, mesh, instance));
    });
    EXPECT_EQ(visible_set.counters.rates[0], exact) << "who is updated in each frame is exact";
    exact = 0;
  }
  EXPECT_GT(not_updated, 2000u);
  EXPECT_LE(most, kMaxUpdateErrorPixels * kSampled);
  EXPECT_GT(most, kMaxUpdateErrorPixels * 0.5) << "nearer than need be";
}

TEST(UpdateRate, IsChosenByDistance) {
  Walk walk(1, {.levels = false});
  const Vec3 at = walk.scene().instances[0].position;
  uint32_t alone = 0;  // frames in which one clip is played
  const auto rates = [&](float distance) {
    std::array<uint32_t, 3> sum = {};
    alone = 0;
    for (uint32_t frame = 0; frame < 60; ++frame) {
      const VisibleSet& visible_set = walk.step({{at.x, 0.9f, at.z}, 0, 0.1f, distance});
      for (size_t i = 0; i < 3; ++i) sum[i] += visible_set.counters.rates[i];
      alone += lone_layer(playback_at(built_in()[0], walk.scene().instances[0], walk.seconds())) != nullptr;
    }
    return sum;
  };
  EXPECT_EQ(rates(3)[0], 60u) << "a hero";
  EXPECT_GT(rates(45)[1], 30u);
  const auto far = rates(400);
  EXPECT_GE(far[2] + 2 * kSlowestRate, alone) << "not at its next turn";
  EXPECT_GT(alone, 30u);
  EXPECT_EQ(far[0] + far[1] + far[2], 60u);
}

TEST(UpdateRate, GetsSlowerAtTheNextTurn) {
  Walk walk(300, {.cull = false, .levels = false});
  const auto after = [&](float distance) {
    for (int frame = 0; frame < 8; ++frame) walk.step({{0, 0.9f, 0}, 0, 0.2f, distance});
    return walk.visibility_pass().last().counters.rates;
  };
  const auto near = after(50), far = after(400);
  EXPECT_GT(near[1], 80u);
  EXPECT_LT(far[1], 10u);
  EXPECT_GT(far[2], near[1]);
}

TEST(UpdateRate, WorkIsStaggeredAndEachFarOneIsUpdatedOnceInFour) {
  Walk walk(4000, {.cull = false});
  const Orbit far{{0, 0.9f, 0}, 0.6f, 0.3f, 300};
  for (int i = 0; i < 5; ++i) walk.step(far);  // all are updated first
  std::vector<uint32_t> posed_meshes;
  std::map<uint32_t, uint32_t> updates;
  std::set<uint32_t> always_far;
  for (int frame = 0; frame < 8; ++frame) {
    const VisibleSet& visible_set = walk.step(far);
    posed_meshes.push_back(visible_set.counters.updated_meshes);
    EXPECT_EQ(visible_set.counters.visible, 4000u);
    EXPECT_EQ(visible_set.counters.not_updated + visible_set.counters.updated_meshes, 4000u)
        << "everybody has one copy";
    std::set<uint32_t> far_now;
    Walk::each(visible_set, [&](const PosedBatch& batch, uint32_t, uint32_t instance) {
      updates[instance] += visible_set.groups[batch.group].updated;
      if (batch.group >= 3) far_now.insert(instance);
    });
    if (frame == 0) always_far = far_now;
    std::erase_if(always_far, [&](uint32_t instance) { return !far_now.contains(instance); });
  }
  const auto [least, most] = std::minmax_element(posed_meshes.begin(), posed_meshes.end());
  EXPECT_LT(*most, 4000u / 2);
  EXPECT_LT(*most, *least * 1.15);
  EXPECT_GT(always_far.size(), 2000u);
  for (const uint32_t instance : always_far) EXPECT_EQ(updates[instance], 2u) << instance;
}

/// What is left out of the middle of its frames, or is too fast for them, is given up early.
TEST(UpdateRate, CopiesLastUntilTheTurnOfTheirGroup) {
  Walk walk(1000, {.cull = false});
  const Orbit middling{{0, 0.9f, 0}, 0.6f, 0.3f, 90};
  std::map<uint32_t, uint32_t> group_of;
  uint32_t lasted = 0, given_up = 0;
  for (int frame = 0; frame < 12; ++frame) {
    const VisibleSet& visible_set = walk.step(middling);
    std::map<uint32_t, uint32_t> now;
    Walk::each(visible_set, [&](const PosedBatch& batch, uint32_t, uint32_t instance) { now[instance] = batch.group; });
    for (const auto& [instance, group] : now) {
      const uint32_t before = frame > 4 ? group_of[instance] : 0;
      if (before == 0 || visible_set.groups[before].updated) continue;
      (group == before ? lasted : given_up) += 1;
    }
    group_of = std::move(now);
  }
  EXPECT_GT(lasted, 2000u);
  EXPECT_LT(given_up, lasted / 50) << "more than those who begin to blend";
}

TEST(UpdateRate, WhoComesIntoSightIsDrawnAtOnce) {
  Walk walk(3000);
  ThreadPool pool(1);
  VisibilityPass off(built_in(), walk.scene(), {.update_rate = false}, pool);
  std::set<uint32_t> before;
  uint32_t newcomers = 0;
  for (uint32_t frame = 0; frame < 24; ++frame) {
    const Orbit orbit{{0, 0.9f, 0}, 0.05f * float(frame), 0.2f, 20};
    const VisibleSet& visible_set = walk.step(orbit);
    const VisibleSet& plain = off.visible_set(walk.view(), walk.seconds());
    EXPECT_EQ(plain.groups.size(), 1u);
    EXPECT_EQ(plain.counters.not_updated, 0u);
    const std::set<uint32_t> seen(visible_set.instances.begin(), visible_set.instances.end());
    EXPECT_EQ(seen, std::set<uint32_t>(plain.instances.begin(), plain.instances.end())) << frame;
    EXPECT_EQ(seen.size(), visible_set.instances.size()) << "somebody is drawn twice";
    EXPECT_EQ(visible_set.counters.levels, plain.counters.levels);
    newcomers += uint32_t(std::count_if(seen.begin(), seen.end(), [&](uint32_t i) { return !before.contains(i); }));
    Walk::each(visible_set, [&](const PosedBatch& batch, uint32_t mesh, uint32_t instance) {
      EXPECT_EQ(visible_set.posed_meshes[mesh].instance, instance);
      EXPECT_EQ(visible_set.posed_meshes[mesh].has_bucket, false);
      EXPECT_TRUE(visible_set.groups[batch.group].updated || before.contains(instance));
    });
    before = seen;
  }
  EXPECT_GT(newcomers, 500u);
}

TEST(UpdateRate, AHeldGroupIsTheVeryOneOfTheFrameBefore) {
  Walk walk(1500);
  VisibleSet before;
  for (uint32_t frame = 0; frame < 16; ++frame) {
    const VisibleSet& visible_set = walk.step({{0, 0.9f, 0}, 0.02f * float(frame), 0.2f, 60});
    for (uint32_t g = 0; g < visible_set.groups.size(); ++g) {
      const UpdateGroup& group = visible_set.groups[g];
      EXPECT_TRUE(frame > 0 || group.updated);
      EXPECT_TRUE(group.updated || frames_until_update(g, frame + 1) != 0);
      if (group.updated) continue;
      const UpdateGroup& old = before.groups[g];
      EXPECT_EQ(group.seconds, old.seconds);
      ASSERT_EQ(group.batch_count, old.batch_count);
      for (uint32_t b = 0; b < group.batch_count; ++b) {
        const PosedBatch &now = visible_set.batches[group.first_batch + b], &then = before.batches[old.first_batch + b];
        EXPECT_EQ(now.mesh, then.mesh);
        ASSERT_EQ(now.mesh_count, then.mesh_count);
        for (uint32_t c = 0; c < now.mesh_count; ++c)
          EXPECT_EQ(visible_set.posed_meshes[now.first_mesh + c].instance,
                    before.posed_meshes[then.first_mesh + c].instance);
        EXPECT_EQ(std::memcmp(&visible_set.playbacks[now.first_mesh], &before.playbacks[then.first_mesh],
                              now.mesh_count * sizeof(Playback)),
                  0);
      }
    }
    before = visible_set;
  }
}

void expect_same(const VisibleSet& a, const VisibleSet& b) {
  EXPECT_EQ(a.instances, b.instances);
  ASSERT_EQ(a.playbacks.size(), b.playbacks.size());
  EXPECT_EQ(std::memcmp(a.playbacks.data(), b.playbacks.data(), a.playbacks.size() * sizeof(Playback)), 0);
  ASSERT_EQ(a.batches.size(), b.batches.size());
  for (size_t i = 0; i < a.batches.size(); ++i) {
    EXPECT_EQ(a.batches[i].group, b.batches[i].group);
    EXPECT_EQ(a.batches[i].mesh, b.batches[i].mesh);
  }
}

TEST(UpdateRate, IsTheSameForAnyNumberOfThreads) {
  Walk alone(9000, {}, 1), together(9000, {}, 4);
  for (uint32_t frame = 0; frame < 6; ++frame) expect_same(alone.step(approach(frame)), together.step(approach(frame)));
}

TEST(UpdateRate, TheSameFrameAgainIsTheSame) {
  Walk walk(2000), other(2000);
  for (uint32_t frame = 0; frame < 9; ++frame) {
    const VisibleSet& once = walk.step(approach(frame));
    other.step(approach(frame));
    other.visibility_pass().recompute();
    expect_same(once, other.visibility_pass().recompute());
  }
}

TEST(UpdateRate, AfterALeapOfTheCameraOrOfTimeAllAreUpdated) {
  Walk walk(2000);
  const Orbit here{{0, 0.9f, 0}, 0, 0.2f, 60}, there{{0, 0.9f, 0}, 3, 0.2f, 60};
  for (int i = 0; i < 6; ++i) walk.step(here);
  const auto all_updated = [](const VisibleSet& visible_set) {
    return std::all_of(visible_set.groups.begin(), visible_set.groups.end(),
                       [](const UpdateGroup& group) { return group.updated; });
  };
  EXPECT_FALSE(all_updated(walk.step(here)));
  EXPECT_TRUE(all_updated(walk.step(there)));
  EXPECT_EQ(walk.visibility_pass().last().posed_meshes.size(), walk.visibility_pass().last().counters.visible)
      << "copies of nobody";
  EXPECT_FALSE(all_updated(walk.step(there)));
  EXPECT_TRUE(all_updated(walk.step(there, 2.5)));
}

TEST(UpdateRate, WhoSharesAPoseIsUpdatedInEachFrame) {
  Walk walk(2000, {.unique_poses = 200});
  for (uint32_t frame = 0; frame < 5; ++frame) {
    const VisibleSet& visible_set = walk.step({{0, 0.9f, 0}, 0, 0.2f, 60});
    EXPECT_GT(visible_set.counters.shared, 500u);
    for (const PosedBatch& batch : visible_set.batches) {
      for (uint32_t c = batch.first_mesh; c < batch.first_mesh + batch.mesh_count; ++c)
        EXPECT_TRUE(batch.group == 0 || !visible_set.posed_meshes[c].has_bucket);
    }
  }
}

TEST(UpdateRate, SlowFramesAreHeldForFewerOfThem) {
  Walk quick(1000), slow(1000);
  const Orbit far{{0, 0.9f, 0}, 0, 0.2f, 120};
  uint32_t held_quick = 0, held_slow = 0;
  for (int i = 0; i < 24; ++i) {
    held_quick += quick.step(far).counters.not_updated;
    const VisibleSet& visible_set = slow.step(far, 0.1);
    held_slow += visible_set.counters.not_updated;
    for (uint32_t g = 3; g < kUpdateGroups && i > 16; ++g) {
      if (frames_until_update(g, uint64_t(i) + 1) != 0) continue;
      EXPECT_NEAR(visible_set.groups[g].seconds - slow.seconds(), 0.15, 0.005) << "the middle of four frames";
    }
    Walk::each(visible_set, [&](const PosedBatch& batch, uint32_t mesh, uint32_t instance) {
      if (batch.group == 0 || instance % 50 != 0) return;
      EXPECT_LE(slow.pixels_off(visible_set, mesh, instance), kMaxUpdateErrorPixels * kSampled);
    });
  }
  EXPECT_LT(held_slow, held_quick / 2);
}

}  // namespace
}  // namespace sinew::app
