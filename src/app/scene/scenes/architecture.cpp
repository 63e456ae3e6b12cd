#include "scene/scenes/architecture.h"

#include <algorithm>

namespace sinew::app {
namespace {

constexpr float kFoot = 0.72f;  // how dark a wall is at the ground: less of the sky is seen from there

}  // namespace

void Architecture::move_to(Vec3 origin, float heading) {
  origin_ = origin, cosine_ = std::cos(heading), sine_ = std::sin(heading);
}

Vec3 Architecture::turned(Vec3 v) const { return {cosine_ * v.x + sine_ * v.z, v.y, cosine_ * v.z - sine_ * v.x}; }

Vec3 Architecture::to_world(Vec3 v) const { return (origin_ + turned(v)) * scale_; }

/// A hash of the place in the local frame, to a centimeter.
float Architecture::shade_at(Vec3 local) const {
  const Vec3 at = local * 100;
  const auto part = [](float v) { return uint64_t(int64_t(std::lround(v))) & 0x1fffff; };
  Random random{mix(part(at.x) | part(at.y) << 21 | part(at.z) << 42)};
  return 1 + variation_ * random.between(-1, 1);
}

void Architecture::add_corner(Vec3 local, Vec3 normal, Color color) {
  const uint32_t glow = uint32_t(std::clamp(color.glow, 0.0f, 1.0f) * 255 + 0.5f);
  vertices_.push_back(
      stand_vertex(to_world(local), turned(normal), pack_color(color.r, color.g, color.b) | glow << 24));
  highest_ = std::max(highest_, vertices_.back().position.y);
}

void Architecture::add_triangle(Vec3 a, Vec3 b, Vec3 c, Color color) {
  const Vec3 normal = normalize(cross(b - a, c - a));
  const Color shaded = color * shade_at((a + b + c) * (1.0f / 3));
  for (const Vec3 corner : {a, b, c}) add_corner(corner, normal, shaded);
}

void Architecture::add_quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d, Color color) { add_quad(a, b, c, d, color, color); }

void Architecture::add_quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d, Color first, Color second) {
  const Vec3 normal = normalize(cross(c - a, d - b));
  const float shade = shade_at((a + b + c + d) * 0.25f);
  const Color low = first * shade, high = second * shade;
  add_corner(a, normal, low), add_corner(b, normal, low), add_corner(c, normal, high);
  add_corner(a, normal, low), add_corner(c, normal, high), add_corner(d, normal, high);
}

void Architecture::add_box(const Box& box, Color color) {
  const auto [l, h] = box;
  const Color foot = l.y < 0.1f ? color * kFoot : color;
  add_quad({l.x, l.y, h.z}, {h.x, l.y, h.z}, {h.x, h.y, h.z}, {l.x, h.y, h.z}, foot, color);
  add_quad({h.x, l.y, h.z}, {h.x, l.y, l.z}, {h.x, h.y, l.z}, {h.x, h.y, h.z}, foot, color);
  add_quad({h.x, l.y, l.z}, {l.x, l.y, l.z}, {l.x, h.y, l.z}, {h.x, h.y, l.z}, foot, color);
  add_quad({l.x, l.y, l.z}, {l.x, l.y, h.z}, {l.x, h.y, h.z}, {l.x, h.y, l.z}, foot, color);
  add_quad({l.x, h.y, h.z}, {h.x, h.y, h.z}, {h.x, h.y, l.z}, {l.x, h.y, l.z}, color);
}

void Architecture::add_gable_roof(const Box& box, float rise, float overhang, Color roof, Color gable) {
  const auto [l, h] = box;
  const float middle = (l.z + h.z) / 2, ridge = h.y + rise, slope = rise / (h.z - middle),
              eave = h.y - overhang * slope;
  const float left = l.x - overhang, right = h.x + overhang, front = h.z + overhang, back = l.z - overhang;
  add_quad({left, eave, front}, {right, eave, front}, {right, ridge, middle}, {left, ridge, middle}, roof * 0.9f, roof);
  add_quad({right, eave, back}, {left, eave, back}, {left, ridge, middle}, {right, ridge, middle}, roof * 0.9f, roof);
  add_triangle({h.x, h.y, h.z}, {h.x, h.y, l.z}, {h.x, ridge, middle}, gable);
  add_triangle({l.x, h.y, l.z}, {l.x, h.y, h.z}, {l.x, ridge, middle}, gable);
}

void Architecture::add_hip_roof(const Box& box, float rise, float overhang, Color roof) {
  const auto [l, h] = Box{box.low - Vec3{overhang, 0, overhang}, box.high + Vec3{overhang, 0, overhang}};
  const Vec3 corners[] = {{l.x, h.y, h.z}, {h.x, h.y, h.z}, {h.x, h.y, l.z}, {l.x, h.y, l.z}};
  const Vec3 top{(l.x + h.x) / 2, h.y + rise, (h.z + l.z) / 2};
  for (int i = 0; i < 4; ++i) add_triangle(corners[i], corners[(i + 1) % 4], top, roof);
}

void Architecture::add_panel(float x, float low, float high, float width, float z, Color color) {
  const float l = x - width / 2, r = x + width / 2;
  add_quad({l, low, z}, {r, low, z}, {r, high, z}, {l, high, z}, color);
}

void Architecture::add_band(Vec3 from, float radius, Vec3 to, float to_radius, uint32_t sides, Color low, Color high) {
  for (uint32_t i = 0; i < sides; ++i) {
    const float here = turn_of(i, sides), next = turn_of(i + 1, sides);
    const Vec3 a = from + polar(radius, here), b = from + polar(radius, next);
    if (to_radius > 0) {
      add_quad(a, b, to + polar(to_radius, next), to + polar(to_radius, here), low, high);
    } else {
      add_triangle(a, b, to, high);
    }
  }
}

void Architecture::add_cylinder(Vec3 bottom, float radius, float top_radius, float height, uint32_t sides,
                                Color color) {
  const Vec3 top = bottom + Vec3{0, height, 0};
  add_band(bottom, radius, top, top_radius, sides, bottom.y < 0.1f ? color * kFoot : color, color);
  if (top_radius > 0) add_disc(top, top_radius, sides, color);
}

void Architecture::add_beam(Vec3 from, Vec3 to, float thickness, Color color) {
  const Vec3 along = normalize(to - from);
  const Vec3 helper = std::abs(along.y) > 0.9f ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 side = normalize(cross(along, helper)) * (thickness / 2),
             up = normalize(cross(side, along)) * (thickness / 2);
  const Vec3 corners[] = {side + up, up - side, side * -1 - up, side - up};
  for (int i = 0; i < 4; ++i) {
    const Vec3 a = corners[i], b = corners[(i + 1) % 4];
    add_quad(from + b, from + a, to + a, to + b, color);
  }
}

void Architecture::add_tree(float height, Color leaves, bool pointed) {
  const Color bark{0.10f, 0.06f, 0.035f};
  const float trunk = height * (pointed ? 0.18f : 0.34f), radius = height * 0.035f;
  add_cylinder({}, radius, radius * 0.7f, trunk + 0.1f * height, 5, bark);
  if (pointed) {
    for (int i = 0; i < 3; ++i) {
      const float bottom = trunk + height * 0.23f * float(i);
      add_cylinder({0, bottom, 0}, height * (0.24f - 0.055f * float(i)), 0, height * 0.38f, 7,
                   leaves * (0.8f + 0.15f * float(i)));
    }
    return;
  }
  const float r = height * 0.27f, middle = trunk + r;
  add_cylinder({0, middle - r, 0}, r * 0.55f, r, r * 0.6f, 8, leaves * 0.7f);
  add_cylinder({0, middle - r * 0.4f, 0}, r, r * 0.85f, r * 0.8f, 8, leaves * 0.9f);
  add_cylinder({0, middle + r * 0.4f, 0}, r * 0.85f, r * 0.35f, r * 0.7f, 8, leaves);
}

}  // namespace sinew::app
