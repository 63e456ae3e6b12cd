// Mistakes with a SkinnedCrowd.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "animation/rig.h"
#include "misuse/device.h"

#include "sinew/animation/bounds.h"
#include "sinew/runtime/skinned_crowd.h"

namespace sinew::test {
namespace {

using vulkan::CrowdOptions;
using vulkan::HostPose;
using vulkan::PreparedModel;
using vulkan::SkinnedCrowd;

/// Three joints with a triangle each, one clip, a socket and a mask.
SharedModel make_rig() {
  CharacterFile file;
  file.character = rig_with_triangles({.joints = 3, .clips = 1});
  file.baked = *bake(file.character);
  file.bounds = *measure_bounds(file.character, *file.baked);
  file.sockets = {{"hand", {2, {}}}};
  file.masks = {{"arm", {0, 1, 1}}};
  return *to_model(std::move(file));
}

const SharedModel& rig() {
  static const SharedModel model = make_rig();
  return model;
}

/// A host with two instances that its camera sees.
struct CrowdHost {
  explicit CrowdHost(TestDevice& test_device, const CrowdOptions& options = {})
      : device(test_device), info(info_of(test_device)) {
    if (options.vertex_pulling) info.consumers = vulkan::kVertexPulling;
    crowd = std::move(*SkinnedCrowd::create(info, {&rig(), 1}, options));
    for (Matrix3x4& place : places) place.m[2][3] = 0.5f;
  }

  crowd::Instances instances() const { return {.models = models, .world_from_model = places, .playbacks = playbacks}; }
  std::string update(const crowd::Instances& of, uint64_t number = 0) {
    return outcome_of(crowd.update({.number = number != 0 ? number : ++frame}, of, {&view, 1}));
  }
  /// What update() says, and whether so many instances are drawn then.
  std::string update(uint32_t drawn, const char* expected) {
    const std::string outcome = update(instances());
    return outcome + ": " + yes_or(crowd.instances().size() == drawn, expected);
  }
  void record() {
    device.submit_and_wait([&](VkCommandBuffer cmd) { crowd.record(cmd); });
  }

  TestDevice& device;
  vulkan::SkinnerInfo info;
  SkinnedCrowd crowd;
  uint64_t frame = 0;
  crowd::View view = crowd::View::from_camera(crowd::View().clip_from_world, {0, 0, -2}, 1, 720);
  std::array<uint32_t, 2> models = {};
  std::array<Matrix3x4, 2> places;
  std::array<Playback, 2> playbacks;
};

bool is_empty(const HostPose& pose) {
  return pose.palette.empty() && pose.compact_palette.empty() && pose.weights.empty() && pose.sockets.empty();
}

bool is_zero(const Matrix3x4& matrix) {
  return std::ranges::all_of(std::span(&matrix.m[0][0], 12), [](float value) { return value == 0; });
}

std::string socket_of(const CrowdHost& host, const crowd::SocketRequest& request) {
  Matrix3x4 place;
  host.crowd.place_sockets(host.instances(), {&request, 1}, {&place, 1});
  return yes_or(is_zero(place), "a matrix of zeros");
}

std::vector<Misuse> making_misuses(TestDevice& device) {
  const SharedModel none;
  const auto with = [&](const CrowdOptions& options, vulkan::Consumers consumers) {
    vulkan::SkinnerInfo info = info_of(device);
    info.consumers = consumers;
    return outcome_of(SkinnedCrowd::create(info, {&rig(), 1}, options));
  };
  return {
      {"`create()` without a model", outcome_of(SkinnedCrowd::create(info_of(device), {}))},
      {"a null model", outcome_of(SkinnedCrowd::create(info_of(device), {&none, 1}))},
      {"`vertex_pulling`, and consumers without kVertexPulling", with({.vertex_pulling = true}, vulkan::kVertexInput)},
      {"kVertexPulling's stage without its access",
       with({.vertex_pulling = true}, {vulkan::kVertexPulling.stages, VK_ACCESS_TRANSFER_READ_BIT})},
      {"`max_pulled_vertices`, and consumers without kVertexInput",
       with({.max_pulled_vertices = 9}, vulkan::kVertexPulling)},
      {"`max_pulled_vertices`, and consumers without kVertexPulling",
       with({.max_pulled_vertices = 9}, vulkan::kVertexInput)},
  };
}

/// Before the first update().
std::vector<Misuse> early_misuses(TestDevice& device) {
  CrowdHost host(device);
  host.record();
  return {
      {"`record()` before `update()`", yes_or(host.crowd.skinner().counters().dispatches == 0, "nothing is recorded")},
      {"`pick()` before `update()`", outcome_of(host.crowd.pick(host.instances(), {}))},
      {"`place_sockets()` before `update()`", socket_of(host, {})},
      {"`discard_frame()` before `update()`", outcome_of(host.crowd.discard_frame())},
  };
}

std::string update_around_update(CrowdHost& host) {
  struct Inner {
    CrowdHost& host;
    std::string outcome;
  } inner{host, {}};
  crowd::Instances instances = host.instances();
  instances.playback_source = {&inner, [](void* user_data, uint32_t, double) {
                                 auto& [own, outcome] = *static_cast<Inner*>(user_data);
                                 outcome = outcome_of(own.crowd.update({}, own.instances(), {&own.view, 1}));
                                 return Playback::of(0, 0);
                               }};
  (void)host.crowd.update({}, instances, {&host.view, 1});
  return inner.outcome;
}

std::vector<Misuse> update_misuses(TestDevice& device) {
  CrowdHost host(device);
  const auto with = [&](auto change) {
    crowd::Instances instances = host.instances();
    change(instances);
    return host.update(instances);
  };
  const float one_speed[] = {1};
  const ChainTarget to_nobody{.instance = 2}, to_no_chain{.instance = 1};
  const crowd::View without_pixels;
  const auto in_degrees = crowd::View::from_camera(without_pixels.clip_from_world, {0, 0, -2}, 60, 720);
  crowd::View not_finite = host.view;
  not_finite.clip_from_world[5] = NAN;
  const auto seen_from = [&](const crowd::View& view) {
    return outcome_of(host.crowd.update({.number = 9}, host.instances(), {&view, 1}));
  };
  (void)host.update(host.instances());
  std::vector<Misuse> all = {
      {"`update()` without a view", outcome_of(host.crowd.update({.number = 9}, host.instances(), {}))},
      {"a view without pixels_per_radian", seen_from(without_pixels)},
      {"`View::from_camera()` with 60 degrees, not radians", seen_from(in_degrees)},
      {"a NaN in View::clip_from_world", seen_from(not_finite)},
      {"`update()` in a callback of `update()`", update_around_update(host)},
      {"two instances and one playback",
       with([&](auto& given) { given.playbacks = std::span(host.playbacks).first(1); })},
      {"two instances and one speed", with([&](auto& given) { given.speeds = one_speed; })},
      {"a target of instance 2 of 2", with([&](auto& given) {
         given.targets = {&to_nobody, 1};
       })},
      {"a target, and the model has no chains", with([&](auto& given) {
         given.targets = {&to_no_chain, 1};
       })},
      {"`draws()` after an `update()` that failed", yes_or(host.crowd.draws().empty(), "nothing")},
  };
  host.models[1] = 7;
  all.push_back({"an instance of model 7 of 1", host.update(1, "it is not drawn")});
  host.models[1] = 0;
  (void)host.update(host.instances(), 20);
  all.push_back({"`discard_frame()` of a frame that is not recorded", outcome_of(host.crowd.discard_frame())});
  host.record();
  all.push_back({"the same frame number again", host.update(host.instances(), 20)});
  all.push_back({"a frame number that goes back", host.update(host.instances(), 19)});
  all.push_back({"no frame number, after one that was refused",
                 outcome_of(host.crowd.update({}, host.instances(), {&host.view, 1}))});
  return all;
}

/// Draws that the options do not allow.
std::vector<Misuse> draw_misuses(TestDevice& device) {
  CrowdHost host(device);
  CrowdHost pulling(device, {.planner = {.previous_poses = true}, .vertex_pulling = true});
  std::array<vulkan::VertexSlice, 2> previous;
  (void)host.update(host.instances()), (void)pulling.update(pulling.instances());
  const auto first_draw = [](const CrowdHost& of) {
    return of.crowd.draws().empty() ? "no draw" : outcome_of(of.crowd.draws()[0].record_with_previous(VK_NULL_HANDLE));
  };
  const vulkan::Draw none;
  none.record(VK_NULL_HANDLE);
  return {
      {"`record()` of a `Draw` that no crowd made", "nothing is recorded"},
      {"its `record_with_previous()`", outcome_of(none.record_with_previous(VK_NULL_HANDLE))},
      {"`record_with_previous()` without `previous_poses`", first_draw(host)},
      {"`write_previous_vertices()` without `previous_poses`",
       outcome_of(host.crowd.write_previous_vertices(previous))},
      {"`record_with_previous()` of a pulled draw", first_draw(pulling)},
  };
}

/// What is asked of single instances.
std::vector<Misuse> instance_misuses(TestDevice& device) {
  CrowdHost host(device);
  const std::array<uint8_t, 2> host_posed = {0, 1};
  crowd::Instances posed = host.instances(), one = posed;
  posed.host_posed = host_posed;
  (void)host.update(posed);
  one.models = std::span(host.models).first(1), one.world_from_model = std::span(host.places).first(1);
  std::vector<Misuse> all = {
      {"`host_pose()` of an instance that is not host-posed", yes_or(is_empty(host.crowd.host_pose(0)), "empty spans")},
      {"`host_pose()` of instance 2 of 2", yes_or(is_empty(host.crowd.host_pose(2)), "empty spans")},
      {"`place_sockets()` of socket 1 of 1", socket_of(host, {0, 1})},
      {"`pick()` with one instance fewer than in `update()`", outcome_of(host.crowd.pick(one, {}))},
      {"`pick()` with a ray without direction", outcome_of(host.crowd.pick(posed, {{}, {0, 0, 0}}))},
      {"`joint_transform()` of joint 9 of 3", outcome_of(host.crowd.joint_transform(posed, 0, 9))},
  };
  const bool was_drawn = !is_empty(host.crowd.host_pose(1));
  host.places[1].m[0][3] = 100;
  (void)host.update(posed);
  const bool is_culled = is_empty(host.crowd.host_pose(1));
  const std::array<crowd::Sphere, 2> spheres = {{{{0, 0, 0.5f}, 0.1f}, {{0, 0, 0.5f}, 0.1f}}};
  posed.extra_spheres = spheres;
  (void)host.update(posed);
  all.push_back({"a host-posed instance that the host's pose moves into the picture, without `extra_spheres`",
                 yes_or(was_drawn && is_culled && !is_empty(host.crowd.host_pose(1)),
                        "it is culled; with a sphere around that pose it is drawn")});
  return all;
}

std::vector<Misuse> roster_misuses(TestDevice& device) {
  CrowdHost host(device), other(device);
  auto foreign = other.crowd.prepare_model(rig());
  const float factors[] = {1, 1, 1};
  std::vector<Misuse> all = {
      {"`prepare_model()` of a null model", outcome_of(host.crowd.prepare_model(nullptr))},
      {"`add_model()` of an empty PreparedModel", outcome_of(host.crowd.add_model(PreparedModel()))},
      {"`add_model()` of a model that another crowd prepared",
       foreign ? outcome_of(host.crowd.add_model(std::move(*foreign))) : foreign.error().message},
      {"`make_streams()` of model 1 of 1", outcome_of(host.crowd.make_streams(1))},
      {"`set_mask()` of model 1 of 1", outcome_of(host.crowd.set_mask(1, 1, factors))},
      {"`set_mask()` of mask 2 of 1", outcome_of(host.crowd.set_mask(0, 2, factors))},
      {"`set_chains()` of model 1 of 1", outcome_of(host.crowd.set_chains(1, {}))},
      {"`remove_model()` of model 1 of 1", outcome_of(host.crowd.remove_model(1))},
  };
  (void)host.crowd.remove_model(0);
  all.push_back({"`remove_model()` twice", outcome_of(host.crowd.remove_model(0))});
  all.push_back({"`update()` with instances of a model that was removed", host.update(0, "they are not drawn")});
  return all;
}

/// What all calls say that can fail, or what they say one after another.
std::string in_common(const std::vector<std::string>& outcomes) {
  std::string all = outcomes[0];
  for (const std::string& outcome : outcomes) {
    if (outcome != outcomes[0]) all += "; " + outcome;
  }
  return all;
}

std::vector<Misuse> empty_misuses(TestDevice& device) {
  CrowdHost host(device);
  const crowd::Instances instances = host.instances();
  const SkinnedCrowd taker = std::move(host.crowd);
  SkinnedCrowd& empty = host.crowd;
  std::vector<uint32_t> near;
  std::array<Matrix3x4, 2> places;
  std::array<uint32_t, 2> first;
  host.record();
  empty.write_transforms(instances, places), empty.write_first_vertices(first);
  const bool nothing = empty.models().empty() && empty.draws().empty() && empty.commands().empty() &&
                       empty.instances().empty() && is_empty(empty.host_pose(0)) && !empty.playback_of(0) &&
                       !empty.posed_mesh(0) && !empty.posed_mesh_of(0) && empty.plan().posed_meshes.empty() &&
                       empty.skinner().memory_usage().mesh_bytes == 0 && empty.skinner().ranges().empty() &&
                       empty.times().end == vulkan::UpdateTimes().end;
  return {
      {"`update()` of a crowd that was moved from", host.update(instances)},
      {"its `prepare_model()`, `add_model()`, `remove_model()`, `make_streams()`, `discard_frame()`, `set_mask()`, "
       "`set_chains()`, `write_previous_vertices()`",
       in_common({outcome_of(empty.prepare_model(rig())), outcome_of(empty.add_model({})),
                  outcome_of(empty.remove_model(0)), outcome_of(empty.make_streams()),
                  outcome_of(empty.make_streams(0)), outcome_of(empty.discard_frame()),
                  outcome_of(empty.set_mask(0, 1, {})), outcome_of(empty.set_chains(0, {})),
                  outcome_of(empty.write_previous_vertices({}))})},
      {"its `pick()`", outcome_of(empty.pick(instances, {}))},
      {"its `instances_near()`", outcome_of(empty.instances_near(instances, {}, 1, near))},
      {"its `joint_transform()`", outcome_of(empty.joint_transform(instances, 0, 0))},
      {"its `record()`, `draws()`, `instances()`, `commands()`, `write_transforms()`, `write_first_vertices()`, "
       "`host_pose()`, `playback_of()`, `posed_mesh()`, `models()`, `plan()`, `skinner()`, `times()`",
       yes_or(nothing, "nothing")},
      {"`plan()` of its `planner()`", outcome_of(empty.planner().plan(instances, {}))},
  };
}

}  // namespace

std::vector<Misuse> skinned_crowd_misuses(std::string& why_not) {
  return with_device(why_not, [](TestDevice& device) {
    std::vector<Misuse> all;
    for (auto make : {making_misuses, early_misuses, update_misuses, draw_misuses, instance_misuses, roster_misuses,
                      empty_misuses}) {
      for (Misuse& misuse : make(device)) all.push_back(std::move(misuse));
    }
    return all;
  });
}

}  // namespace sinew::test
