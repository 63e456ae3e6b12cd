// The targets of one call: their check, and those of one instance.
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include "sinew/animation/inverse_kinematics.h"

namespace sinew::internal {

/// Checks that instances ascend, and that instances and chains exist.
inline Status check_targets(std::span<const ChainTarget> targets, size_t instances, size_t chains) {
  const auto refuse = [](size_t i, const std::string& why) {
    return Error{ErrorCode::kInvalidArgument, "target " + std::to_string(i) + ": " + why};
  };
  for (size_t i = 0; i < targets.size(); ++i) {
    const ChainTarget& target = targets[i];
    if (target.instance >= instances) return refuse(i, "there is no instance " + std::to_string(target.instance));
    if (target.chain >= chains) return refuse(i, "there is no chain " + std::to_string(target.chain));
    if (i > 0 && target.instance < targets[i - 1].instance) return refuse(i, "instances do not ascend");
  }
  return {};
}

/// The targets from those of `instance` on.
inline std::span<const ChainTarget> targets_from(std::span<const ChainTarget> targets, uint32_t instance) {
  const auto first = std::partition_point(targets.begin(), targets.end(),
                                          [&](const ChainTarget& target) { return target.instance < instance; });
  return {first, targets.end()};
}

/// Those of `instance`, which may be none.
inline std::span<const ChainTarget> targets_of(std::span<const ChainTarget> targets, uint32_t instance) {
  const std::span<const ChainTarget> rest = targets_from(targets, instance);
  size_t count = 0;
  while (count < rest.size() && rest[count].instance == instance) ++count;
  return rest.first(count);
}

}  // namespace sinew::internal
