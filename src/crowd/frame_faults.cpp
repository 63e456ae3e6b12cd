#include "frame_faults.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "asset/plain_text.h"

namespace sinew::crowd::internal {
namespace {

/// An array of the instances that has another number of elements.
template <class T>
std::string misfit(const char* name, std::span<const T> array, const Instances& instances) {
  return "Instances::" + std::string(name) + " has " + counted(array.size(), "element", "elements") + " for " +
         counted(instances.models.size(), "instance", "instances");
}

std::string fault_of_required(const Instances& instances) {
  const size_t count = instances.models.size();
  if (count > kMaxInstances)
    return "Instances::models has " + counted(count, "element", "elements") + ", and a crowd has at most " +
           std::to_string(kMaxInstances);
  if (!instances.world_from_model_source.at && instances.world_from_model.size() != count)
    return misfit("world_from_model", instances.world_from_model, instances) + ", without a world_from_model_source";
  if (!instances.playback_source.at && instances.playbacks.size() != count)
    return misfit("playbacks", instances.playbacks, instances) + ", without a playback_source";
  return {};
}

std::string fault_of_optional(const Instances& instances) {
  std::string fault;
  const auto check = [&](const char* name, const auto& array) {
    if (fault.empty() && !array.empty() && array.size() != instances.models.size())
      fault = misfit(name, array, instances);
  };
  check("speeds", instances.speeds);
  check("positions", instances.positions);
  check("scales", instances.scales);
  check("extra_spheres", instances.extra_spheres);
  check("spheres", instances.spheres);
  check("phases", instances.phases);
  check("host_posed", instances.host_posed);
  check("outfits", instances.outfits);
  check("generations", instances.generations);
  return fault;
}

std::string fault_of_targets(const Instances& instances) {
  const auto descends = [](const ChainTarget& a, const ChainTarget& b) { return b.instance < a.instance; };
  const std::span<const ChainTarget> targets = instances.targets;
  if (std::adjacent_find(targets.begin(), targets.end(), descends) != targets.end())
    return "the targets of the instances do not ascend by instance";
  const auto is_there = [&](const ChainTarget& target) { return target.instance < instances.count(); };
  const auto first = std::find_if_not(targets.begin(), targets.end(), is_there);
  if (first == targets.end()) return {};
  return "target " + std::to_string(first - targets.begin()) + ": there is no instance " +
         std::to_string(first->instance) + ", of " + std::to_string(instances.count());
}

std::string fault_of_views(std::span<const View> views) {
  if (views.empty()) return "a frame of a crowd needs a view";
  for (size_t i = 0; i < views.size(); ++i) {
    const float pixels = views[i].pixels_per_radian;
    if (!(pixels > 0 && pixels < INFINITY) && pixels != kNoDetail)
      return "view " + std::to_string(i) +
             " has no pixels_per_radian: View::from_camera() takes them from an angle in radians and a height in "
             "pixels; View::for_culling() is a view without detail";
    if (!std::ranges::all_of(views[i].clip_from_world, [](float value) { return std::isfinite(value); }))
      return "view " + std::to_string(i) + ": clip_from_world is not finite";
  }
  return {};
}

/// Shadows are swept down to the lowest ground.
std::string fault_of_shadows(const PlanFrame& frame) {
  if (!frame.shadows || dot(frame.shadows->to_sun, frame.up) > 0) return {};
  return "the sun of the shadows is not above the horizon, where dot(to_sun, up) is above 0: a frame without a sun has "
         "no shadows";
}

}  // namespace

Status validate(const Instances& instances, const PlanFrame& frame) {
  std::string fault = fault_of_views(frame.views);
  if (fault.empty()) fault = fault_of_shadows(frame);
  if (fault.empty()) fault = fault_of_required(instances);
  if (fault.empty()) fault = fault_of_optional(instances);
  if (fault.empty()) fault = fault_of_targets(instances);
  if (fault.empty()) return {};
  return Error{ErrorCode::kInvalidArgument, std::move(fault)};
}

}  // namespace sinew::crowd::internal
