#include "pick_spheres.h"

#include <algorithm>
#include <cmath>

#include "crowd_impl.h"

namespace sinew::vulkan::internal {
namespace {

constexpr float kRounding = 4e-6f;  // of the coordinates of centers and origin

}  // namespace

crowd::Sphere InstanceSpheres::with_extra(uint32_t instance, crowd::Sphere sphere) const {
  const crowd::SphereSource& source = instances_.extra_sphere_source;
  const crowd::Sphere extra = source.at ? source.at(source.user_data, instance) : instances_.extra_spheres[instance];
  if (extra.radius > 0) sphere.radius = std::max(sphere.radius, length(extra.center - sphere.center) + extra.radius);
  return sphere;
}

/// Targets can carry an instance out of what its clips reach.
crowd::Sphere InstanceSpheres::with_margin(uint32_t instance, const CrowdModel& model) const {
  crowd::Sphere sphere = without_margin(instance, model.sphere);
  if (!crowd_.targets_of(instance).empty())
    sphere.radius += model.chain_margin * sinew::internal::largest_scale(instances_.transform_of(instance));
  return sphere;
}

/// Without branches, so that compilers make vector instructions of it. The distance to the line is that of the nearest
/// point on it, not a difference of large squares.
void enter_spheres(const SphereBlock& spheres, uint32_t count, const Line& line, float grown, float margin,
                   std::span<float> entries) {
  const Vec3 o = line.origin, d = line.direction;
  const float origin_size = std::abs(o.x) + std::abs(o.y) + std::abs(o.z), end = line.length;
  float* const out = entries.data();
  for (uint32_t i = 0; i < count; ++i) {
    const float x = spheres.x[i] - o.x, y = spheres.y[i] - o.y, z = spheres.z[i] - o.z;
    const float size = std::abs(x) + std::abs(y) + std::abs(z);
    const float radius = spheres.radius[i] * grown + margin + kRounding * (size + origin_size);
    const float along = x * d.x + y * d.y + z * d.z;
    const float nearest = along < 0 ? 0 : along > end ? end : along;
    const float a = x - nearest * d.x, b = y - nearest * d.y, c = z - nearest * d.z;
    const float entry = along - radius < 0 ? 0 : along - radius;
    out[i] = a * a + b * b + c * c <= radius * radius ? entry : INFINITY;
  }
}

}  // namespace sinew::vulkan::internal
