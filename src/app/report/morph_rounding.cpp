#include "report/morph_rounding.h"

#include <algorithm>
#include <cmath>

namespace sinew::app {
namespace {

constexpr float kLargestNumber = 511, kLargestDifference = 2;
constexpr int kMaxExponent = 3;  // each one makes numbers four times as fine

/// Half the step between the numbers that a difference is rounded to.
double half_step(Vec3 difference) {
  const float size = std::max({std::abs(difference.x), std::abs(difference.y), std::abs(difference.z)});
  float limit = kLargestDifference;
  for (int e = 0; e < kMaxExponent && size * 4 <= limit; ++e) limit /= 4;
  return 0.5 * double(limit) / kLargestNumber;
}

}  // namespace

std::vector<double> morph_rounding_degrees(const Mesh& mesh, std::span<const float> weights) {
  if (std::all_of(mesh.targets.begin(), mesh.targets.end(), [](const MorphTarget& t) { return t.normals.empty(); })) {
    return {};
  }
  std::vector<double> rounding(mesh.vertex_count());
  std::vector<Vec3> normals = mesh.normals;
  for (uint32_t t = 0; t < mesh.target_count(); ++t) {
    const MorphTarget& target = mesh.targets[t];
    for (size_t i = 0; i < target.normals.size(); ++i) {
      const uint32_t v = target.vertices[i];
      rounding[v] += std::sqrt(3.0) * half_step(target.normals[i]) * std::abs(double(weights[t]));
      normals[v] = normals[v] + target.normals[i] * weights[t];
    }
  }
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    const double share = rounding[v] / std::max(double(length(normals[v])), 1e-30);
    rounding[v] = share < 1 ? std::asin(share) * 180 / 3.14159265358979323846 : 180;
  }
  return rounding;
}

}  // namespace sinew::app
