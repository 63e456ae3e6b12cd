// Plans of random crowds are those of a planner that is written to be read: the same lists, in the same order.
#include "plain_planner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <optional>
#include <random>

#include "crowd_world.h"
#include "threads.h"

namespace sinew::crowd {
namespace {

void expect_same(const Plan& plan, const Plan& plain) {
  EXPECT_TRUE(plan.groups == plain.groups);
  EXPECT_TRUE(plan.batches == plain.batches);
  EXPECT_TRUE(plan.posed_meshes == plain.posed_meshes);
  EXPECT_TRUE(plan.instances == plain.instances);
  EXPECT_TRUE(plan.wearers == plain.wearers);
  EXPECT_TRUE(plan.counters == plain.counters);
  ASSERT_EQ(plan.playbacks.size(), plain.playbacks.size());
  EXPECT_EQ(std::memcmp(plan.playbacks.data(), plain.playbacks.data(), plan.playbacks.size() * sizeof(Playback)), 0);
}

/// A crowd and how it is planned, all of it random.
class RandomCrowd {
 public:
  explicit RandomCrowd(uint32_t seed) : random_(seed), world_(2) {
    static const test::RigActor kActors[] = {test::RigActor(5), test::RigActor(9)};
    for (const test::RigActor& actor : kActors) infos_.push_back(actor.info());
    if (chance(4)) infos_[1].bounds = nullptr;  // never culled
    const uint32_t count = 1 + uint32_t(random_() % 6000);
    const float reach = chance(2) ? 60 : 400;
    for (uint32_t i = 0; i < count; ++i) {
      const auto character = uint32_t(random_() % 2);
      const Vec3 feet{between(-reach, reach), between(0, 2), between(-reach, reach)};
      world_.add(infos_[character], character, feet, between(0, 6), between(0.5f, 3));
    }
    options_ = {.cull = !chance(8), .levels = !chance(8), .update_rate = chance(2)};
    if (chance(3)) host_posed_.resize(count);
    for (uint8_t& marked : host_posed_) marked = chance(5);
    if (chance(3)) add_extra_spheres();
    for (uint32_t i = 0; i < count && count % 3 == 0; ++i) {
      if (chance(9)) targets_.insert(targets_.end(), 1 + uint32_t(random_() % 2), {i});
    }
    for (uint32_t i = 0; i < count && count % 3 != 1; ++i) outfits_.push_back(random_() & random_());
    if (chance(2)) generations_.resize(count);
    margins_ = {between(0, 5), 0};
    for (uint32_t& character : world_.characters) character = chance(50) ? 7 : character;  // never drawn
    if (chance(3)) shadows_ = SunShadows{{between(-2, 2), 1, between(-2, 2)}, -1, between(0, 1)};
    optional_ = {chance(2), chance(2), chance(2), chance(2), count % 5 == 0};
    view_count_ = 1 + uint32_t(random_() % 3);
    if (chance(3)) occlusion_ = {nullptr, hides_stripes};
  }

  std::span<const ModelInfo> infos() const { return infos_; }
  const PlanOptions& options() const { return options_; }
  /// Of chains, for each character.
  const std::array<float, 2>& margins() const { return margins_; }

  Instances instances() {
    Instances all = world_.instances();
    all.host_posed = host_posed_, all.extra_spheres = extra_spheres_, all.targets = targets_;
    all.outfits = outfits_, all.generations = generations_;
    if (optional_[0]) all.spheres = {};
    if (optional_[1]) all.positions = {};
    if (optional_[2]) all.phases = {};
    if (optional_[3]) all.speeds = {};
    if (optional_[4]) all.scales = {};
    return all;
  }

  /// All instances walk on, and the views turn. Now and then they jump. The first view zooms out in each fourth frame:
  /// levels change while poses are still close.
  PlanFrame next_frame() {
    seconds_ += chance(6) ? 1 : double(between(0.005f, 0.05f));
    for (size_t i = 0; i < world_.places.size(); ++i) move(i, {0.05f * between(-1, 1), 0, 0.05f});
    for (uint32_t& generation : generations_) generation += chance(20) ? 1 + uint32_t(random_()) : 0;
    angle_ += chance(6) ? 2 : 0.03f;
    views_.clear();
    for (uint32_t v = 0; v < view_count_; ++v) views_.push_back(turned(angle_ + float(v), v));
    if (++frame_ % 4 == 0) views_[0].pixels_per_radian /= 3;
    return {.seconds = seconds_, .views = views_, .shadows = shadows_, .occlusion = occlusion_};
  }

 private:
  bool chance(uint32_t in) { return random_() % in == 0; }
  float between(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }

  void add_extra_spheres() {
    for (size_t i = 0; i < world_.places.size(); ++i) {
      extra_spheres_.push_back({world_.positions[i] + Vec3{between(-3, 3), 0, 0}, chance(2) ? between(0, 3) : 0});
      world_.spheres[i] = bounding_sphere(infos_[world_.characters[i]], world_.places[i], extra_spheres_[i]);
    }
  }

  void move(size_t i, Vec3 by) {
    const float step[] = {by.x, by.y, by.z};
    for (int axis = 0; axis < 3; ++axis) world_.places[i].m[axis][3] += step[axis];
    world_.positions[i] = world_.positions[i] + by;
    if (!extra_spheres_.empty()) extra_spheres_[i].center = extra_spheres_[i].center + by;
    if (world_.characters[i] >= infos_.size()) return;
    const Sphere extra = extra_spheres_.empty() ? Sphere() : extra_spheres_[i];
    world_.spheres[i] = bounding_sphere(infos_[world_.characters[i]], world_.places[i], extra);
  }

  /// Of each 16 meters along x, the first view hides what is wholly in 12, the others a little more.
  static bool hides_stripes(void*, const Sphere& sphere, uint32_t view) {
    const float place = sphere.center.x - 16 * std::floor(sphere.center.x / 16);
    return place >= sphere.radius && place + sphere.radius <= 12 + float(view);
  }

  /// The second view is one of a shadow map: it needs no detail.
  static View turned(float angle, uint32_t number) {
    View view = test::camera_at_origin(number == 2 ? 50 : 400);
    const float c = std::cos(angle), s = std::sin(angle);
    for (int row = 0; row < 4; ++row) {
      const float x = view.clip_from_world[row], z = view.clip_from_world[8 + row];
      view.clip_from_world[row] = c * x - s * z, view.clip_from_world[8 + row] = s * x + c * z;
    }
    return number == 1 ? View::for_culling(view.clip_from_world) : view;
  }

  std::mt19937 random_;
  test::CrowdWorld world_;
  std::vector<ModelInfo> infos_;
  std::vector<uint8_t> host_posed_;
  std::vector<Sphere> extra_spheres_;
  std::vector<ChainTarget> targets_;
  std::vector<uint64_t> outfits_;
  std::vector<uint32_t> generations_;
  std::array<float, 2> margins_ = {};
  std::vector<View> views_;
  std::optional<SunShadows> shadows_;
  OcclusionSource occlusion_;
  std::array<bool, 5> optional_ = {};  // arrays that are left out
  PlanOptions options_;
  uint32_t view_count_ = 1;
  uint32_t frame_ = 0;
  float angle_ = 0;
  double seconds_ = 0;
};

TEST(PlainPlanner, HasThePlansOfThePlannerForRandomCrowds) {
  uint32_t threads = 3;
  uint64_t visible = 0, culled = 0, kept = 0, worn = 0, kept_worn = 0, shadow_only = 0, coarse = 0, occluded = 0,
           occluded_with_shadows = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    RandomCrowd crowd(seed);
    auto planner = Planner::create(crowd.infos(), crowd.options());
    ASSERT_TRUE(planner);
    test::PlainPlanner plain(crowd.infos(), crowd.options());
    for (uint32_t c = 0; c < 2; ++c) {
      ASSERT_TRUE(planner->set_chain_margin(c, crowd.margins()[c]));
      plain.set_chain_margin(c, crowd.margins()[c]);
    }
    for (int frame = 0; frame < 9; ++frame) {
      SCOPED_TRACE(frame);
      const PlanFrame of_frame = crowd.next_frame();
      const Instances instances = crowd.instances();
      ASSERT_TRUE(planner->plan(instances, of_frame, frame % 2 == 0 ? ParallelFor() : test::on_threads(threads)));
      expect_same(planner->last(), plain.plan(instances, of_frame));
      if (HasFailure()) return;
      const PlanCounters& counters = planner->last().counters;
      visible += counters.visible, culled += counters.culled, kept += counters.not_updated;
      for (const PosedBatch& batch : planner->last().batches) {
        worn += batch.is_worn() ? batch.mesh_count : 0;
        kept_worn += batch.is_worn() && !planner->last().groups[batch.group].updated ? batch.mesh_count : 0;
      }
      shadow_only += counters.shadow_only, coarse += counters.levels.back();
      occluded += counters.occluded;
      if (of_frame.shadows) occluded_with_shadows += counters.occluded;
    }
  }
  EXPECT_GT(visible, 100000u);
  EXPECT_GT(culled, 100000u);
  EXPECT_GT(kept, 4000u);
  EXPECT_GT(worn, 10000u);
  EXPECT_GT(kept_worn, 1000u);
  EXPECT_GT(shadow_only, 1000u);
  EXPECT_GT(coarse, 1000u);
  EXPECT_GT(occluded, 2000u);
  EXPECT_GT(occluded_with_shadows, 100u);
}

/// Gives what arrays of a host have by functions, and counts the calls for each instance.
class CountedSources {
 public:
  enum Source { kPlayback, kTransform, kExtraSphere, kSourceCount };

  Instances counted(const Instances& arrays) {
    arrays_ = arrays;
    counts_ = std::vector<std::atomic<uint32_t>>(size_t{arrays.count()} * kSourceCount);
    Instances all = arrays;
    all.playback_source = {this, [](void* self, uint32_t i, double seconds) {
                             const PlaybackSource& source = asked(self, kPlayback, i).playback_source;
                             return source.at(source.user_data, i, seconds);
                           }};
    all.world_from_model = {};
    all.world_from_model_source = {this,
                                   [](void* self, uint32_t i) { return asked(self, kTransform, i).transform_of(i); }};
    if (arrays.extra_spheres.empty()) return all;
    all.extra_spheres = {};
    all.extra_sphere_source = {this,
                               [](void* self, uint32_t i) { return asked(self, kExtraSphere, i).extra_spheres[i]; }};
    return all;
  }

  uint32_t most_calls(Source source) const {
    uint32_t most = 0;
    for (size_t i = source; i < counts_.size(); i += kSourceCount) most = std::max(most, counts_[i].load());
    return most;
  }

 private:
  static const Instances& asked(void* self, Source source, uint32_t instance) {
    auto& own = *static_cast<CountedSources*>(self);
    ++own.counts_[size_t{instance} * kSourceCount + source];
    return own.arrays_;
  }

  Instances arrays_;
  std::vector<std::atomic<uint32_t>> counts_;  // [instance][source]
};

/// The options of a crowd with a budget that reduces quality, in the first frame or later.
PlanOptions with_budget(RandomCrowd& crowd, uint32_t seed) {
  PlanOptions options = crowd.options();
  options.unique_poses = seed % 3 == 0 ? 300 : 0, options.previous_poses = seed % 4 == 0;
  options.budget.bytes = UINT64_MAX;
  auto planner = Planner::create(crowd.infos(), options);
  EXPECT_TRUE(planner && planner->plan(crowd.instances(), crowd.next_frame()));
  options.budget.bytes = planner->needed_bytes() / 8 * (2 + seed % 8);
  return options;
}

TEST(Planner, AsksForAnInstanceAtMostTwiceAndReducesQualityToThePlansOfTheLimits) {
  uint32_t threads = 3, reduced = 0, fitted = 0, refused = 0, shared = 0;
  std::array<uint32_t, CountedSources::kSourceCount> most = {};
  for (uint32_t seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    RandomCrowd measured(seed), crowd(seed);
    const PlanOptions options = with_budget(measured, seed);
    PlanOptions unlimited = options;
    unlimited.budget = {};
    auto planner = Planner::create(crowd.infos(), options), plain = Planner::create(crowd.infos(), unlimited);
    ASSERT_TRUE(planner && plain);
    CountedSources sources;
    for (int frame = 0; frame < 9; ++frame) {
      SCOPED_TRACE(frame);
      const PlanFrame of_frame = crowd.next_frame();
      const Instances instances = crowd.instances();
      const QualityLimits before = planner->limits();
      const Status planned = planner->plan(sources.counted(instances), of_frame, test::on_threads(threads));
      for (size_t source = 0; source < most.size(); ++source)
        most[source] = std::max(most[source], sources.most_calls(CountedSources::Source(source)));
      reduced += before.error_pixels != planner->limits().error_pixels ||
                 before.unique_poses != planner->limits().unique_poses;
      ASSERT_TRUE(plain->set_limits(planner->limits()));
      ASSERT_TRUE(plain->plan(instances, of_frame));
      if (!planned) ++refused, plain->update_all();
      if (!planned || options.previous_poses) continue;
      ++fitted, shared += planner->last().counters.shared;
      expect_same(planner->last(), plain->last());
      if (HasFailure()) return;
    }
  }
  for (const uint32_t calls : most) EXPECT_EQ(calls, 2u);
  EXPECT_GT(reduced, 10u);
  EXPECT_GT(fitted, 50u);
  EXPECT_GT(refused, 2u);
  EXPECT_GT(shared, 1000u);
}

/// Many new instances make all groups updated, and then coarser levels, which keep no pose: an instance may change its
/// update group while the frame is planned.
TEST(Planner, AsksAtMostTwiceWhereAnInstanceChangesItsUpdateGroupInAFrame) {
  const test::RigActor actor(5);
  const ModelInfo info = actor.info();
  test::CrowdWorld world(1);
  for (uint32_t i = 0; i < 900; ++i) world.add(info, 0, {float(i % 30) - 15, 0, -90 - float(i / 30) * 3}, 0, 0.3f);
  const View view = test::camera_at_origin();
  const std::vector<uint32_t> hidden(400, 7);  // of no character
  std::array<Planner, 2> planners;             // without a budget, and with one that the last frame exceeds
  uint64_t needed = 0;
  for (Planner& planner : planners) {
    const uint64_t bytes = needed == 0 ? UINT64_MAX : needed * 3 / 4;
    planner = std::move(*Planner::create({&info, 1}, {.error_pixels = 0.01f, .budget = {.bytes = bytes}}));
    CountedSources sources;
    for (int frame = 0; frame < 8; ++frame) {
      std::vector<uint32_t> characters = world.characters;
      if (frame < 7) std::copy(hidden.begin(), hidden.end(), characters.begin());
      Instances instances = world.instances();
      instances.models = characters;
      ASSERT_TRUE(planner.plan(sources.counted(instances), {.seconds = frame / 60.0, .views = {&view, 1}}));
      EXPECT_LE(sources.most_calls(CountedSources::kPlayback), 2u) << frame;
      EXPECT_TRUE(frame < 7 || planner.last().counters.not_updated == 0);
      EXPECT_TRUE(frame != 6 || (planner.limits().error_pixels == 0.01f && planner.last().counters.not_updated > 100));
    }
    needed = planner.needed_bytes();
  }
  EXPECT_GT(planners[1].limits().error_pixels, 0.01f);
}

/// What an instance is drawn with.
struct Drawn {
  PosedBatch batch;
  uint32_t posed_mesh = 0, place = 0;  // in Plan::posed_meshes, in Plan::instances
};

/// By instance and wearable.
std::map<std::pair<uint32_t, uint32_t>, Drawn> drawn_by(const Plan& plan) {
  std::map<std::pair<uint32_t, uint32_t>, Drawn> drawn;
  for (const PosedBatch& batch : plan.batches) {
    for (uint32_t m = batch.first_mesh; m < batch.first_mesh + batch.mesh_count; ++m) {
      const PosedMesh& mesh = plan.posed_meshes[m];
      for (uint32_t i = mesh.first_instance; i < mesh.first_instance + mesh.instance_count; ++i)
        drawn[{plan.instances[i], batch.wearable}] = {batch, m, i};
    }
  }
  return drawn;
}

/// Each instance has the pose that `before` drew, at the level of now; unless that is a pose of the host's, and the
/// level has a palette that the host does not write. A wearable has it at the level of before if it was worn then.
void expect_previous_poses(const Plan& plan, const Plan& before, std::span<const ModelInfo> infos, uint32_t& lost,
                           uint32_t& of_host) {
  const auto then = drawn_by(before);
  for (const auto& [key, is] : drawn_by(plan)) {
    const PreviousPose previous = plan.previous_poses[is.place];
    const auto body = then.find({key.first, kNoWearable});
    const bool same_level =
        body != then.end() && body->second.batch.model == is.batch.model && body->second.batch.level == is.batch.level;
    const auto was = same_level ? then.find(key) : body;
    const bool is_lost = body != then.end() && body->second.batch.host_posed && !same_level &&
                         infos[is.batch.model].levels[is.batch.level].palette_size > 0;
    lost += is_lost;
    if (key.second != kNoWearable && was == then.end()) continue;  // others with its pose may have worn it
    ASSERT_EQ(previous.posed_mesh == kNoPosedMesh, was == then.end() || is_lost) << key.first << ' ' << key.second;
    if (previous.posed_mesh == kNoPosedMesh) continue;
    ASSERT_EQ(previous.in_this_plan, !same_level);
    if (same_level) {
      ASSERT_EQ(previous.posed_mesh, was->second.posed_mesh);
      continue;
    }
    const auto holds = [&](const PosedBatch& batch) {
      return previous.posed_mesh - batch.first_mesh < batch.mesh_count;
    };
    const PosedBatch& batch = *std::find_if(plan.batches.begin(), plan.batches.end(), holds);
    ASSERT_TRUE(batch.previous_poses && batch.model == is.batch.model && batch.level == is.batch.level &&
                batch.wearable == is.batch.wearable && batch.host_posed == was->second.batch.host_posed);
    of_host += batch.host_posed;
    if (batch.is_worn()) continue;
    ASSERT_EQ(
        std::memcmp(&plan.playbacks[previous.posed_mesh], &before.playbacks[was->second.posed_mesh], sizeof(Playback)),
        0);
  }
}

TEST(PreviousPoses, OfRandomCrowdsAreThoseOfTheFrameBefore) {
  uint32_t threads = 3, lost = 0, of_host = 0;
  for (uint32_t seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    RandomCrowd crowd(seed);
    PlanOptions options = crowd.options();
    options.previous_poses = true, options.unique_poses = seed % 2 * 100;
    auto planner = Planner::create(crowd.infos(), options);
    ASSERT_TRUE(planner);
    std::mt19937 random(seed);
    Plan before;
    for (int frame = 0; frame < 6; ++frame) {
      PlanFrame of_frame = crowd.next_frame();
      std::vector<View> views(of_frame.views.begin(), of_frame.views.end());
      views[0].pixels_per_radian *= random() % 3 == 0 ? 0.3f : 1;  // most change their level of detail
      of_frame.views = views;
      Instances instances = crowd.instances();
      std::vector<uint8_t> host_posed(instances.count());
      for (uint8_t& marked : host_posed) marked = random() % 3 == 0;
      instances.host_posed = host_posed, instances.generations = {};
      ASSERT_TRUE(planner->plan(instances, of_frame, test::on_threads(threads)));
      ASSERT_NO_FATAL_FAILURE(expect_previous_poses(planner->last(), before, crowd.infos(), lost, of_host));
      before = planner->last();
    }
  }
  EXPECT_GT(lost, 200u);
  EXPECT_GT(of_host, 50u) << "the host is asked for its previous pose";
}

/// Many new instances make all groups updated, while all instances are about to change their clip: those that would
/// have kept their posed mesh get one of this frame.
TEST(PlainPlanner, HasThePlanOfThePlannerWhereKeptPosesAreUpdatedJustBeforeAnotherClip) {
  const test::RigActor actor(5);
  const ModelInfo info = actor.info();
  test::CrowdWorld world(1);
  for (uint32_t i = 0; i < 900; ++i) world.add(info, 0, {float(i % 30) - 15, 0, -150 - float(i / 30)}, 0, 0.3f);
  constexpr int kFrames = 6;
  const auto play = [](void*, uint32_t instance, double seconds) {
    Playback playback;
    playback.layers[0] = {seconds > (kFrames - 0.75) / 60, 0.001f * float(instance), 1};
    return playback;
  };
  Instances instances = world.instances();
  instances.playback_source = {nullptr, play};
  auto planner = Planner::create({&info, 1}, {});
  ASSERT_TRUE(planner);
  test::PlainPlanner plain({&info, 1}, {});
  const View view = test::camera_at_origin();
  const std::vector<uint32_t> hidden(400, 7);  // of no character
  for (int frame = 0; frame < kFrames; ++frame) {
    std::vector<uint32_t> characters = world.characters;
    if (frame + 1 < kFrames) std::copy(hidden.begin(), hidden.end(), characters.begin());
    instances.models = characters;
    const PlanFrame of_frame{.seconds = frame / 60.0, .views = {&view, 1}};
    ASSERT_TRUE(planner->plan(instances, of_frame));
    expect_same(planner->last(), plain.plan(instances, of_frame));
    EXPECT_TRUE(frame + 2 != kFrames || planner->last().counters.not_updated > 300);
  }
  EXPECT_EQ(planner->last().counters.not_updated, 0u);
  EXPECT_GT(planner->last().counters.rates[0], 300u) << "nothing was about to change";
}

}  // namespace
}  // namespace sinew::crowd
