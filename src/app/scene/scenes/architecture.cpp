#include "scene/scenes/architecture.h"

#include <algorithm>
#include <cmath>

namespace sinew::app {
namespace {

constexpr float kFoot = 0.72f;  // how dark a wall is at the ground: less of the sky is seen from there

Vec3 around(float radius, float turn) { return {radius * std::sin(turn), 0, radius * std::cos(turn)}; }

float turn_of(uint32_t side, uint32_t sides) { return 2 * kPi * float(side) / float(sides); }

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
  const Vec3 world = to_world(local), n = turned(normal) * 127;
  const uint32_t glow = uint32_t(std::clamp(color.glow, 0.0f, 1.0f) * 255 + 0.5f);
  vertices_.push_back({world,
                       {int8_t(std::lround(n.x)), int8_t(std::lround(n.y)), int8_t(std::lround(n.z)), 0},
                       pack_color(color.r, color.g, color.b) | glow << 24});
  highest_ = std::max(highest_, world.y);
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
  const float left = box.low.x - overhang, right = box.high.x + overhang;
  const float front = box.high.z + overhang, back = box.low.z - overhang, eave = box.high.y;
  const Vec3 top{(left + right) / 2, eave + rise, (front + back) / 2};
  add_triangle({left, eave, front}, {right, eave, front}, top, roof);
  add_triangle({right, eave, front}, {right, eave, back}, top, roof);
  add_triangle({right, eave, back}, {left, eave, back}, top, roof);
  add_triangle({left, eave, back}, {left, eave, front}, top, roof);
}

void Architecture::add_cylinder(Vec3 bottom, float radius, float top_radius, float height, uint32_t sides,
                                Color color) {
  const Vec3 up{0, height, 0};
  const Color foot = bottom.y < 0.1f ? color * kFoot : color;
  for (uint32_t i = 0; i < sides; ++i) {
    const float from = turn_of(i, sides), to = turn_of(i + 1, sides);
    const Vec3 a = bottom + around(radius, from), b = bottom + around(radius, to);
    if (top_radius > 0) {
      add_quad(a, b, bottom + up + around(top_radius, to), bottom + up + around(top_radius, from), foot, color);
    } else {
      add_triangle(a, b, bottom + up, color);
    }
  }
  if (top_radius > 0) add_disc(bottom + up, top_radius, sides, color);
}

void Architecture::add_disc(Vec3 center, float radius, uint32_t sides, Color color) {
  for (uint32_t i = 0; i < sides; ++i)
    add_triangle(center, center + around(radius, turn_of(i, sides)), center + around(radius, turn_of(i + 1, sides)),
                 color);
}

void Architecture::add_ring(Vec3 center, float inner, float outer, uint32_t sides, Color color) {
  for (uint32_t i = 0; i < sides; ++i) {
    const float from = turn_of(i, sides), to = turn_of(i + 1, sides);
    add_quad(center + around(outer, from), center + around(outer, to), center + around(inner, to),
             center + around(inner, from), color);
  }
}

void Architecture::add_steps(const Box& box, uint32_t steps, Color color) {
  const float depth = (box.high.z - box.low.z) / float(steps), rise = (box.high.y - box.low.y) / float(steps);
  for (uint32_t i = 0; i < steps; ++i) {
    Box step = box;
    step.high.y = box.low.y + rise * float(i + 1), step.high.z = box.high.z - depth * float(i);
    step.low.z = i + 1 == steps ? box.low.z : step.high.z - depth;
    add_box(step, color);
  }
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

void Architecture::add_awning(const Box& box, uint32_t stripes, Color first, Color second) {
  const auto [l, h] = box;
  const float step = (h.x - l.x) / float(stripes), hem = 0.22f * (h.y - l.y) + 0.12f;
  for (uint32_t i = 0; i < stripes; ++i) {
    const float from = l.x + step * float(i), to = from + step;
    const Color color = i % 2 == 0 ? first : second, under = color * 0.55f;
    const Vec3 a{from, l.y, h.z}, b{to, l.y, h.z}, c{to, h.y, l.z}, d{from, h.y, l.z}, down{0, -hem, 0};
    add_quad(a, b, c, d, color);
    add_quad(a + down, b + down, b, a, color * 0.85f, color);
    const Vec3 below{0, -0.02f, 0};
    add_quad(b + below, a + below, d + below, c + below, under);
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
