// Spheres around instances, and which of them a ray or a path comes near. Many at a time, in flat arrays.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "crowd_models.h"
#include "sinew/crowd/frame.h"

namespace sinew::vulkan::internal {

/// Spheres side by side.
struct SphereBlock {
  static constexpr uint32_t kSize = 256;
  std::array<float, kSize> x, y, z, radius;

  void set(uint32_t i, const crowd::Sphere& sphere) {
    x[i] = sphere.center.x, y[i] = sphere.center.y, z[i] = sphere.center.z, radius[i] = sphere.radius;
  }
};

/// Part of a line: points origin + t * direction, for t from 0 to `length`. The direction has unit length.
struct Line {
  Vec3 origin, direction;
  float length = 0;
};

/// The spheres of instances: those of the host, or computed.
class InstanceSpheres {
 public:
  InstanceSpheres(const CrowdModels& models, const crowd::Instances& instances)
      : models_(models),
        instances_(instances),
        has_extra_(instances.extra_sphere_source.at != nullptr || !instances.extra_spheres.empty()) {}

  crowd::Sphere of(uint32_t instance) const {
    if (!instances_.spheres.empty()) return instances_.spheres[instance];
    return computed(instance);
  }

 private:
  crowd::Sphere computed(uint32_t instance) const;

  const CrowdModels& models_;
  const crowd::Instances& instances_;
  bool has_extra_;
};

/// Writes for the first `count` spheres, made larger by the factor `grown` and by `margin`, where the line enters them
/// at the earliest: INFINITY where it passes by. Errs on the side of a hit, by the rounding of floats.
void enter_spheres(const SphereBlock& spheres, uint32_t count, const Line& line, float grown, float margin,
                   std::span<float> entries);

}  // namespace sinew::vulkan::internal
