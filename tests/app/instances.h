// The instances of a scene one by one, for tests.
#pragma once

#include <cstdint>
#include <vector>

#include "scene/scene.h"

namespace sinew::test {

inline std::vector<app::CrowdInstance> instances_of(const app::Scene& scene) {
  std::vector<app::CrowdInstance> instances;
  for (uint32_t i = 0; i < scene.count(); ++i) instances.push_back(scene.instance(i));
  return instances;
}

/// Of an instance that does not drift.
inline app::Pace pace_of(const app::CrowdInstance& instance) { return {instance.random, instance.speed}; }

}  // namespace sinew::test
