#include "linear_keys.h"

#include <cmath>

namespace sinew::internal {

Quat mix(Quat a, Quat b, float share) {
  a = normalize(a), b = normalize(b);
  const double cosine = double(dot(a, b)), sign = cosine < 0 ? -1 : 1;
  const double angle = std::acos(std::min(std::abs(cosine), 1.0));
  double u = 1 - double(share), v = share;
  if (angle > 1e-4) u = std::sin(u * angle) / std::sin(angle), v = std::sin(v * angle) / std::sin(angle);
  const auto sum = [&](float x, float y) { return float(u * x + sign * v * y); };
  return normalize(Quat{sum(a.x, b.x), sum(a.y, b.y), sum(a.z, b.z), sum(a.w, b.w)});
}

}  // namespace sinew::internal
