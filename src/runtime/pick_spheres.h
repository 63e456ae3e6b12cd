// Spheres around instances, and which of them a ray or a path comes near. Many at a time, in flat arrays.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "asset/largest_scale.h"
#include "crowd_models.h"
#include "sinew/asset/math.h"
#include "sinew/crowd/frame.h"

namespace sinew::vulkan::internal {

struct CrowdImpl;

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

/// The spheres of instances: those of the host, or computed; larger for instances with targets.
class InstanceSpheres {
 public:
  InstanceSpheres(const CrowdImpl& crowd, const crowd::Instances& instances)
      : crowd_(crowd),
        instances_(instances),
        has_extra_(instances.extra_sphere_source.at != nullptr || !instances.extra_spheres.empty()) {}

  /// `model` is that of the instance.
  crowd::Sphere of(uint32_t instance, const CrowdModel& model) const {
    return model.chain_margin > 0 ? with_margin(instance, model) : without_margin(instance, model.sphere);
  }

 private:
  /// As crowd::bounding_sphere(), but also around instances that a matrix shears.
  static crowd::Sphere around(const crowd::Sphere& model, const Matrix3x4& world_from_model) {
    const float radius =
        std::isinf(model.radius) ? model.radius : model.radius * sinew::internal::largest_scale(world_from_model);
    return {transform_point(world_from_model, model.center), radius};
  }
  crowd::Sphere without_margin(uint32_t instance, const crowd::Sphere& model) const {
    if (!instances_.spheres.empty()) return instances_.spheres[instance];
    const crowd::Sphere sphere = instances_.world_from_model_source.at
                                     ? around(model, instances_.transform_of(instance))
                                     : around(model, instances_.world_from_model[instance]);
    return has_extra_ ? with_extra(instance, sphere) : sphere;
  }
  crowd::Sphere with_extra(uint32_t instance, crowd::Sphere sphere) const;
  crowd::Sphere with_margin(uint32_t instance, const CrowdModel& model) const;

  const CrowdImpl& crowd_;
  const crowd::Instances& instances_;
  bool has_extra_;
};

/// Writes for the first `count` spheres, made larger by the factor `grown` and by `margin`, where the line enters them
/// at the earliest: INFINITY where it passes by. Errs on the side of a hit, by the rounding of floats.
void enter_spheres(const SphereBlock& spheres, uint32_t count, const Line& line, float grown, float margin,
                   std::span<float> entries);

}  // namespace sinew::vulkan::internal
