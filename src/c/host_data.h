// The arrays of a host's crowd, as C++ reads them: people, views, chains, and what hides people.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "character.h"
#include "layout.h"
#include "playback.h"
#include "sinew/animation/inverse_kinematics.h"
#include "sinew/c/attachments.h"
#include "sinew/c/inverse_kinematics.h"
#include "sinew/c/occlusion.h"
#include "sinew/crowd/attachments.h"
#include "sinew/crowd/occlusion.h"
#include "sinew/crowd/planner.h"

struct SinewDepthPyramid {
  sinew::crowd::DepthPyramid pyramid;
};

namespace sinew::c {

SINEW_SAME_LAYOUT(SinewSphere, crowd::Sphere, center, radius);
SINEW_SAME_LAYOUT(SinewView, crowd::View, clip_from_world, eye, pixels_per_radian);
SINEW_SAME_LAYOUT(SinewDrawCommand, crowd::DrawCommand, index_count, instance_count, first_index, vertex_offset,
                  first_instance);
SINEW_SAME_LAYOUT(SinewChainTarget, ChainTarget, instance, chain, position, weight, normal);
SINEW_SAME_LAYOUT(SinewSocketRequest, crowd::SocketRequest, instance, socket);

/// The caller's chains, or the end of the call.
std::vector<Chain> chains_of(const SinewChain* chains, uint32_t count);

inline bool is_zero(Vec3 a) { return a.x == 0 && a.y == 0 && a.z == 0; }

/// An optional array: null is an empty one.
template <class To, class From>
std::span<const To> optional_array(const From* data, uint32_t count) {
  static_assert(sizeof(To) % sizeof(From) == 0 && alignof(To) == alignof(From));
  return {reinterpret_cast<const To*>(data), data != nullptr ? count : 0};
}

inline Playback playback_at(void* given, uint32_t instance, double seconds) {
  const auto& host = *static_cast<const SinewInstances*>(given);
  SinewPlayback playback = {};
  host.playback_at(host.playback_user_data, instance, seconds, &playback);
  return *as_cpp(&playback);
}

/// `Given` is a struct with world_from_model, an array or a function.
template <class Given>
Matrix3x4 transform_at(void* given, uint32_t instance) {
  const auto& host = *static_cast<const Given*>(given);
  SinewMatrix3x4 matrix = {};
  host.world_from_model_at(host.world_from_model_user_data, instance, &matrix);
  return *as_cpp(&matrix);
}

/// The same for `instances`. `given` is valid as long as they are.
template <class Given>
void set_transforms(Given& given, uint32_t count, const char* name, crowd::Instances& instances) {
  if (given.world_from_model_at != nullptr) {
    instances.world_from_model_source = {&given, transform_at<Given>};
  } else {
    instances.world_from_model = array_as(given.world_from_model, count, name);
  }
}

inline crowd::Sphere extra_sphere_at(void* given, uint32_t instance) {
  const auto& host = *static_cast<const SinewInstances*>(given);
  SinewSphere sphere = {};
  host.extra_sphere_at(host.extra_sphere_user_data, instance, &sphere);
  return {vector_of(sphere.center), sphere.radius};
}

/// `given` is valid as long as what is returned.
inline crowd::Instances instances_of(SinewInstances& given) {
  const uint32_t count = given.count;
  crowd::Instances instances;
  instances.models = array(given.models, count, "instances->models");
  set_transforms(given, count, "instances->world_from_model", instances);
  if (given.playback_at != nullptr) {
    instances.playback_source = {&given, playback_at};
  } else {
    instances.playbacks = array_as(given.playbacks, count, "instances->playbacks");
  }
  instances.speeds = optional_array<float>(given.speeds, count);
  instances.positions = optional_array<Vec3>(given.positions, count);
  instances.scales = optional_array<float>(given.scales, count);
  instances.extra_spheres = optional_array<crowd::Sphere>(given.extra_spheres, count);
  if (given.extra_sphere_at != nullptr) instances.extra_sphere_source = {&given, extra_sphere_at};
  instances.spheres = optional_array<crowd::Sphere>(given.spheres, count);
  instances.phases = optional_array<uint8_t>(given.phases, count);
  instances.host_posed = optional_array<uint8_t>(given.host_posed, count);
  instances.outfits = optional_array<uint64_t>(given.outfits, count);
  instances.generations = optional_array<uint32_t>(given.generations, count);
  instances.targets = array_as(given.targets, given.target_count, "instances->targets");
  return instances;
}

inline bool is_hidden(void* given, const crowd::Sphere& sphere, uint32_t view) {
  const auto& host = *static_cast<const SinewCrowdFrame*>(given);
  return host.is_hidden(host.occlusion_user_data, seen_as<SinewSphere>(&sphere), view) != 0;
}

/// `given` is valid as long as what is returned.
inline crowd::PlanFrame frame_of(const SinewCrowdFrame& given) {
  crowd::PlanFrame frame;
  frame.seconds = given.seconds;
  frame.views = array_as(given.views, given.view_count, "frame->views");
  if (!is_zero(vector_of(given.up))) frame.up = vector_of(given.up);
  if (given.shadows != 0) frame.shadows = {vector_of(given.to_sun), given.lowest_ground, given.shadow_margin};
  if (given.depth_pyramid != nullptr) frame.occlusion = given.depth_pyramid->pyramid.source();
  if (given.is_hidden != nullptr) frame.occlusion = {const_cast<SinewCrowdFrame*>(&given), is_hidden};
  return frame;
}

/// What planners and skinned crowds are both told.
template <class Given>
crowd::PlanOptions plan_options(const Given& given) {
  constexpr uint32_t kAll = SINEW_WITHOUT_CULLING | SINEW_WITHOUT_LEVELS | SINEW_WITHOUT_UPDATE_RATES;
  if (given.without > kAll)
    refuse("info->without is " + std::to_string(given.without) + ", but at most " + std::to_string(kAll));
  crowd::PlanOptions options;
  options.cull = (given.without & SINEW_WITHOUT_CULLING) == 0;
  options.levels = (given.without & SINEW_WITHOUT_LEVELS) == 0;
  options.update_rate = (given.without & SINEW_WITHOUT_UPDATE_RATES) == 0;
  options.unique_poses = given.unique_poses;
  if (given.error_pixels != 0) options.error_pixels = given.error_pixels;
  if (given.level != nullptr) options.level = *given.level;
  options.previous_poses = given.previous_poses != 0;
  options.budget.bytes = given.budget_bytes;
  return options;
}

/// The clips that a host lists; null: none are listed.
inline std::optional<std::span<const uint32_t>> listed_clips(const uint32_t* clips, uint32_t count) {
  return clips != nullptr ? std::optional(array(clips, count, "clips")) : std::nullopt;
}

}  // namespace sinew::c
