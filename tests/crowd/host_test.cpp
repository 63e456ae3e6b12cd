// A host with a loop of its own, without Vulkan: plan, evaluate, and check every claim by the exact evaluator.
#include "host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>
#include <optional>

#include "animation/rig.h"
#include "app/scene/exact_poses.h"
#include "asset/larger_error.h"
#include "message.h"
#include "out_of_memory.h"
#include "plain_planner.h"
#include "planned_host.h"

namespace sinew::crowd {
namespace {

using app::exact_palette;
using example::Drawn;
using ::testing::HasSubstr;

constexpr float kSamplingTolerance = 1.02f;  // bounds come from sampled clips
constexpr float kHostBakeError = 3e-4f;      // meters: what the bake states, with room for vertices far from joints

Vec3 first_vertex(const Host& host, const Drawn& drawn, std::span<const Matrix3x4> palette) {
  const Vec3 first = test::skinned_positions(actor().mesh(drawn.level), palette)[0];
  return transform_point(host.crowd.world_from_model[drawn.instance], first);
}

/// Near, where poses are shared; and from 30 m further away, where they are kept.
TEST(HostWithoutVulkan, DrawsWhatTheExactEvaluatorPoses) {
  for (const bool is_far : {false, true}) {
    Host host(400);
    if (is_far) {
      host.view.eye.z += 30;
      for (int row = 0; row < 4; ++row) host.view.clip_from_world[12 + row] -= host.view.clip_from_world[8 + row] * 30;
    }
    Planner planner = make_planner({.unique_poses = is_far ? 0u : 100u});
    std::vector<std::vector<Matrix3x4>> palettes;
    uint32_t shared = 0, kept = 0, exact = 0;
    double max_degrees = 0, max_pixels = 0;
    for (int number = 0; number < 12; ++number) {
      ASSERT_TRUE(host.plan(planner, number));
      const auto drawn = example::draw(actor(), host.crowd, planner.last(), palettes);
      ASSERT_TRUE(drawn);
      EXPECT_EQ(drawn->size(), planner.last().counters.visible);
      for (size_t i = 0; i < drawn->size(); i += is_far ? 7 : 3) {
        const Drawn& one = (*drawn)[i];
        const Playback &own = host.crowd.playbacks[one.instance], &shown = planner.last().playbacks[one.posed_mesh];
        const Character& character = actor().character;
        const std::vector<Matrix3x4> own_palette = exact_palette(character, character.skin, own),
                                     shown_palette = exact_palette(character, character.skin, shown);
        const Vec3 place = first_vertex(host, one, shown_palette);
        EXPECT_LT(length(place - one.first_vertex), kHostBakeError);
        if (one.shared) {
          ++shared;
          max_degrees = sinew::internal::larger_error(max_degrees, angle_between(own_palette, shown_palette));
          continue;
        }
        const Vec3 wanted = first_vertex(host, one, own_palette);
        const double pixels_per_meter = double(host.view.pixels_per_radian) / double(host.view.eye.z - wanted.z);
        max_pixels = sinew::internal::larger_error(max_pixels, double(length(wanted - place)) * pixels_per_meter);
        (one.updated ? exact : kept) += 1;
      }
    }
    EXPECT_LE(max_pixels, double(kMaxUpdateErrorPixels * kSamplingTolerance));
    EXPECT_GT(is_far ? kept : exact, 50u);
    if (is_far) continue;
    EXPECT_LE(max_degrees, double(planner.shared_radians() * kSamplingTolerance));
    EXPECT_GT(max_degrees, double(planner.shared_radians()) / 2);
    EXPECT_GT(shared, 200u);
  }
}

TEST(HostWithoutVulkan, RotationsOfSharedPosesDifferByHalfATurnAtMost) {
  EXPECT_EQ(make_planner({.unique_poses = 1}).shared_radians(), std::numbers::pi_v<float>);
}

TEST(View, OfACameraHasThePixelsOfItsPicture) {
  const View given = example::camera(1280, 720);
  const View made = View::from_camera(given.clip_from_world, {1, 2, 3}, 1.5707964f, 720);
  EXPECT_NEAR(made.pixels_per_radian, 360, 1e-3);
  const View culling = View::for_culling(given.clip_from_world);
  for (const View& view : {made, culling})
    EXPECT_EQ(std::memcmp(view.clip_from_world, given.clip_from_world, sizeof given.clip_from_world), 0);
  EXPECT_EQ(made.eye.z, 3);
}

/// The posed mesh of each drawn instance, and whether it is the host's.
std::map<uint32_t, bool> host_posed_of(const Plan& plan) {
  std::map<uint32_t, bool> found;
  for (const PosedBatch& batch : plan.batches) {
    for (uint32_t m = batch.first_mesh; m < batch.first_mesh + batch.mesh_count; ++m) {
      const PosedMesh& mesh = plan.posed_meshes[m];
      EXPECT_TRUE(!batch.host_posed || (mesh.instance_count == 1 && !mesh.shared && batch.group == 0));
      for (uint32_t i = mesh.first_instance; i < mesh.first_instance + mesh.instance_count; ++i)
        found[plan.instances[i]] = batch.host_posed;
    }
  }
  return found;
}

TEST(Planner, HostPosedInstancesAreNeverSharedOrSkipped) {
  Host host(900);
  std::vector<uint8_t> marked(900);
  for (uint32_t i = 0; i < 900; i += 10) marked[i] = 1;
  Planner planner = make_planner({.unique_poses = 60}), plain = make_planner({.unique_poses = 60});
  uint32_t posed = 0;
  for (int number = 0; number < 8; ++number) {
    ASSERT_TRUE(host.plan(plain, number));
    Instances instances = host.instances();
    instances.host_posed = marked;
    ASSERT_TRUE(planner.plan(instances, host.frame(number)));
    EXPECT_EQ(planner.last().counters.visible, plain.last().counters.visible);
    for (const auto& [instance, of_host] : host_posed_of(planner.last())) {
      EXPECT_EQ(of_host, marked[instance] != 0) << instance;
      posed += of_host;
    }
  }
  EXPECT_GT(posed, 400u);
}

TEST(Planner, HasNoPreviousPoseOfAnotherCharacterOrOfAnInstanceThatIsNew) {
  Host host(90);
  const ModelInfo infos[] = {actor_info(), actor_info()};
  auto planner = Planner::create(infos, {.previous_poses = true});
  ASSERT_TRUE(planner);
  Instances instances = host.instances();
  const auto plan = [&](uint32_t count, int number) {
    instances.models = std::span(host.crowd.characters).first(count);
    instances.world_from_model = std::span(host.crowd.world_from_model).first(count);
    instances.playbacks = std::span(host.crowd.playbacks).first(count);
    ASSERT_TRUE(planner->plan(instances, host.frame(number)));
  };
  example::play(actor(), 0, host.crowd);
  plan(90, 0);
  for (size_t i = 0; i < 90; i += 3) host.crowd.characters[i] = 1;
  plan(60, 1);  // some change their character, some are gone
  uint32_t changed = 0, kept = 0;
  for (size_t i = 0; i < planner->last().instances.size(); ++i) {
    const bool same_character = planner->last().instances[i] % 3 != 0;
    EXPECT_EQ(planner->last().previous_poses[i].posed_mesh != kNoPosedMesh, same_character);
    (same_character ? kept : changed) += 1;
  }
  EXPECT_GT(kept, 10u);
  EXPECT_GT(changed, 5u);
  plan(90, 2);
  for (size_t i = 0; i < planner->last().instances.size(); ++i) {
    const bool is_new = planner->last().instances[i] >= 60;
    EXPECT_EQ(planner->last().previous_poses[i].posed_mesh == kNoPosedMesh, is_new);
  }
}

TEST(Planner, AllocatesNothingInASteadyFrame) {
  for (const uint32_t unique_poses : {0u, 300u}) {
    Host host(20000);
    Planner planner = make_planner({.unique_poses = unique_poses, .previous_poses = true});
    int64_t allocations = 0;
    for (int number = 0; number < 21; ++number) {
      example::play(actor(), number / 60.0, host.crowd);
      const int64_t before = test::heap_allocations();
      ASSERT_TRUE(planner.plan(host.instances(), host.frame(number)));
      if (number >= 10) allocations += test::heap_allocations() - before;
    }
    EXPECT_EQ(allocations, 0) << unique_poses << " unique poses";
    EXPECT_GT(planner.last().counters.visible, 5000u);
  }
}

TEST(Planner, MemoryThatRunsOutIsAnErrorAndTheNextFrameIsRight) {
  Host host(3000);
  const PlanOptions options{.unique_poses = 60, .previous_poses = true};
  Planner expected = make_planner(options);
  ASSERT_TRUE(expected.plan(host.instances(), host.frame(0)));
  expected.update_all();  // the levels of detail stay
  host.view.pixels_per_radian /= 2;
  ASSERT_TRUE(expected.plan(host.instances(), host.frame(0)));
  int failures = 0;
  std::optional<Planner> planner;
  const auto first_frame = [&] {
    planner.emplace(make_planner(options));
    host.view.pixels_per_radian *= 2;  // the frame that fails changes levels of detail, and has previous poses
    ASSERT_TRUE(planner->plan(host.instances(), host.frame(0)));
    host.view.pixels_per_radian /= 2;
  };
  const auto second_frame = [&] { return planner->plan(host.instances(), host.frame(0)); };
  test::for_each_heap_fault(first_frame, second_frame, [&](const Status& planned, bool reached) {
    if (!reached) return;
    ++failures;
    ASSERT_FALSE(planned);
    EXPECT_EQ(planned.error().code, ErrorCode::kOutOfMemory);
    ASSERT_TRUE(second_frame());
    EXPECT_TRUE(test::shows_same(planner->last(), expected.last()));
    for (const PreviousPose& pose : planner->last().previous_poses) EXPECT_EQ(pose.posed_mesh, kNoPosedMesh);
  });
  EXPECT_GT(failures, 10);
}

TEST(Planner, RefusesWrongCharactersByName) {
  const auto message = [](const ModelInfo& character) {
    return test::message_of(Planner::create({&character, 1}, {}));
  };
  const std::vector<uint32_t> missing = {0, 99}, twice = {1, 1};
  ModelInfo character = actor_info();
  EXPECT_EQ(message(character), "");
  character.clips = missing;
  EXPECT_THAT(message(character), HasSubstr("no clip 99"));
  character.clips = twice;
  EXPECT_THAT(message(character), HasSubstr("clip 1 twice"));
  character = actor_info();
  character.height = 0;
  EXPECT_THAT(message(character), HasSubstr("no height"));
  character = actor_info();
  character.levels = {};
  EXPECT_THAT(message(character), HasSubstr("level of detail"));
  character.character = nullptr;
  EXPECT_THAT(message(character), HasSubstr("is null"));
  EXPECT_FALSE(Planner::create({}, {}));
}

TEST(Planner, RefusesArraysOfAnotherSizeByName) {
  Host host(3);
  Planner planner = make_planner();
  ASSERT_TRUE(host.plan(planner, 0));
  const Plan before = planner.last();
  const auto message = [&](auto change) {
    Instances instances = host.instances();
    change(instances);
    const Status planned = planner.plan(instances, host.frame(1));
    EXPECT_TRUE(planned || planned.error().code == ErrorCode::kInvalidArgument);
    return test::message_of(planned);
  };
  static const std::array<uint64_t, 8> kSome{};
  const auto two = [&]<class T>(std::span<const T>& array) { array = {reinterpret_cast<const T*>(kSome.data()), 2}; };
  EXPECT_EQ(message([&](Instances& all) { all.world_from_model = all.world_from_model.first(2); }),
            "Instances::world_from_model has 2 elements for 3 instances, without a world_from_model_source");
  EXPECT_EQ(message([&](Instances& all) { all.playbacks = {}; }),
            "Instances::playbacks has 0 elements for 3 instances, without a playback_source");
  const std::string mismatch = " has 2 elements for 3 instances";
  EXPECT_EQ(message([&](Instances& all) { two(all.speeds); }), "Instances::speeds" + mismatch);
  EXPECT_EQ(message([&](Instances& all) { two(all.positions); }), "Instances::positions" + mismatch);
  EXPECT_EQ(message([&](Instances& all) { two(all.scales); }), "Instances::scales" + mismatch);
  EXPECT_EQ(message([&](Instances& all) { two(all.extra_spheres); }), "Instances::extra_spheres" + mismatch);
  EXPECT_EQ(message([&](Instances& all) { two(all.spheres); }), "Instances::spheres" + mismatch);
  EXPECT_EQ(message([&](Instances& all) { two(all.phases); }), "Instances::phases" + mismatch);
  EXPECT_EQ(message([&](Instances& all) { two(all.host_posed); }), "Instances::host_posed" + mismatch);
  EXPECT_EQ(message([&](Instances& all) { two(all.outfits); }), "Instances::outfits" + mismatch);
  const ChainTarget targets[] = {{2}, {3}};
  EXPECT_EQ(message([&](Instances& all) { all.targets = targets; }), "target 1: there is no instance 3, of 3");
  EXPECT_EQ(message([&](Instances& all) {
              all.models = {all.models.data(), (uint64_t{1} << 32) + 3};
            }),
            "Instances::models has 4294967299 elements, and a crowd has at most 268435456");
  EXPECT_FALSE(planner.plan(host.instances(), {.seconds = 1})) << "no view";
  for (const float pixels : {0.0f, -2.0f, NAN}) {
    View views[] = {host.view, host.view};
    views[1].pixels_per_radian = pixels;
    const Status planned = planner.plan(host.instances(), {.seconds = 1, .views = views});
    ASSERT_FALSE(planned);
    EXPECT_THAT(planned.error().message, HasSubstr("view 1 has no pixels_per_radian"));
  }
  for (const Vec3 to_sun : {Vec3{1, -1, 0}, Vec3{}, Vec3{0, NAN, 0}}) {
    const Status planned =
        planner.plan(host.instances(), {.seconds = 1, .views = {&host.view, 1}, .shadows = SunShadows{to_sun}});
    EXPECT_THAT(test::message_of(planned), HasSubstr("not above the horizon"));
  }
  EXPECT_TRUE(test::shows_same(planner.last(), before)) << "the last plan was lost";
}

TEST(Planner, UnknownCharactersAreNotDrawnAndOddNumbersAreSafe) {
  Host host(100);
  Planner planner = make_planner({.unique_poses = 20});
  ASSERT_TRUE(host.plan(planner, 0));
  const uint32_t visible = planner.last().counters.visible, drawn = planner.last().instances.front();
  host.crowd.characters[drawn] = 7;
  ASSERT_TRUE(planner.plan(host.instances(), host.frame(1)));
  EXPECT_EQ(planner.last().counters.visible, visible - 1);
  host.crowd.characters[drawn] = 0;
  for (float& element : host.crowd.world_from_model[1].m[0]) element = NAN;
  for (Layer& layer : host.crowd.playbacks[2].layers) layer = {4000000000u, NAN, INFINITY, 77};
  host.view.eye = {NAN, INFINITY, 0};
  ASSERT_TRUE(planner.plan(host.instances(), {.seconds = NAN, .views = {&host.view, 1}}));
  EXPECT_EQ(planner.last().counters.visible + planner.last().counters.culled, 100u);
}

TEST(Planner, RefusesLimitsThatReduceNothing) {
  Planner planner = make_planner();
  for (const float pixels : {0.0f, -1.0f, NAN}) {
    const Status set = planner.set_limits({.error_pixels = pixels});
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(planner.limits().error_pixels, 1);
  }
}

TEST(Planner, MemoryThatRunsOutInSetLimitsChangesNothing) {
  Host host(500);
  Planner planner = make_planner({.unique_poses = 60});
  ASSERT_TRUE(host.plan(planner, 0));
  int failures = 0;
  const auto set_limits = [&] { return planner.set_limits({.unique_poses = 30}); };
  test::for_each_heap_fault(test::nothing, set_limits, [&](const Status& set, bool reached) {
    if (!reached) return;
    EXPECT_FALSE(set);
    EXPECT_EQ(planner.limits().unique_poses, 60u);
    ASSERT_TRUE(host.plan(planner, failures++));
  });
  EXPECT_GT(failures, 2);
  EXPECT_EQ(planner.limits().unique_poses, 30u);
}

TEST(Planner, FewerAndMoreInstancesMayBeThereInTheNextFrame) {
  Host many(900), few(50), none(0);
  Planner planner = make_planner({.unique_poses = 30});
  for (int number = 0; number < 9; ++number) {
    Host& host = number % 3 == 0 ? many : number % 3 == 1 ? few : none;
    ASSERT_TRUE(host.plan(planner, number));
    EXPECT_EQ(planner.last().counters.visible + planner.last().counters.culled, host.crowd.characters.size());
  }
}

}  // namespace
}  // namespace sinew::crowd
