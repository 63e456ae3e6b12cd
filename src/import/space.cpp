#include "space.h"

#include <algorithm>
#include <cmath>

#include "asset/number_text.h"

namespace sinew::internal {
namespace {

constexpr float kMinSine = 1e-3f;  // between up and front: less is the same direction

std::string text_of(Vec3 axis) {
  return "(" + number_text(axis.x) + ", " + number_text(axis.y) + ", " + number_text(axis.z) + ")";
}

/// Of unit length, or zero if the axis has no direction. Floats of any size have one.
Vec3 direction_of(Vec3 axis) {
  if (!is_finite(axis)) return {};
  const float largest = std::max({std::abs(axis.x), std::abs(axis.y), std::abs(axis.z)});
  if (!(largest > 0)) return {};
  return normalize(Vec3{axis.x / largest, axis.y / largest, axis.z / largest}, {});
}

bool has_no_direction(Vec3 axis) { return dot(axis, axis) == 0; }

/// +z, or -y where z is up.
Vec3 usual_front(Vec3 up) {
  const Vec3 front = std::abs(up.z) < 0.9f ? Vec3{0, 0, 1} : Vec3{0, -1, 0};
  return normalize(front - up * dot(front, up));
}

}  // namespace

void repair_space(ModelSpace& space, std::vector<std::string>& warnings, float default_unit) {
  if (validate(space)) return;
  const float unit = space.meters_per_unit;
  if (!validate(ModelSpace{{0, 1, 0}, {0, 0, 1}, unit})) {
    warnings.push_back("its unit of " + number_text(unit) + " m is taken as " + number_text(default_unit) + " m");
    space.meters_per_unit = default_unit;
  }
  Vec3 up = direction_of(space.up);
  if (has_no_direction(up)) {
    up = {0, 1, 0};
    warnings.push_back("its up axis " + text_of(space.up) + " has no direction, +y is taken");
  }
  const Vec3 front = direction_of(space.front), across = front - up * dot(front, up);
  if (length(across) > kMinSine) {
    space.up = up, space.front = normalize(across);
    return;
  }
  space.up = up;
  const char* why = has_no_direction(front) ? " has no direction, " : " is along its up axis, ";
  const Vec3 usual = usual_front(up);
  warnings.push_back("its front axis " + text_of(space.front) + why + text_of(usual) + " is taken");
  space.front = usual;
}

}  // namespace sinew::internal
