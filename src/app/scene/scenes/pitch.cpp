// The field of a stadium: grass, lines, goals, boards and floodlights.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "scene/scenes/stand.h"

namespace sinew::app {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr float kGrass = -0.06f, kLine = -0.025f;  // meters: soft shadows lie at 0, above both
constexpr float kLineWidth = 0.14f;
constexpr float kStripe = 4;     // meters, of the grass
constexpr float kBoard = 0.85f;  // meters: height of the boards
constexpr Color kChalk{0.86f, 0.88f, 0.84f};

/// Half the width of an oval at x.
float half_width(const Oval& field, float x) {
  const float beyond = std::max(std::abs(x) - field.half_straight, 0.0f);
  return std::sqrt(std::max(field.radius * field.radius - beyond * beyond, 0.0f));
}

void add_grass(const Stand& stand, Architecture& built) {
  const Oval field{stand.half_straight, stand.field_radius + (stand.one_side ? 0 : stand.depth / 2)};
  const float reach = stand.one_side ? field.half_straight + 70 : field.half_straight + field.radius;
  const uint32_t stripes = std::clamp(uint32_t(reach / kStripe) * 2, 8u, 120u), parts = 3;
  for (uint32_t i = 0; i < stripes * parts; ++i) {
    const float step = 2 * reach / float(stripes * parts), x = float(i) * step - reach;
    const float from = stand.one_side ? field.radius : half_width(field, x);
    const float to = stand.one_side ? field.radius : half_width(field, x + step), far = stand.one_side ? 3.0f : 1.0f;
    const Color color = i / parts % 2 == 0 ? Color{0.06f, 0.135f, 0.045f} : Color{0.08f, 0.175f, 0.055f};
    const auto at = [&](float across, float along) { return Vec3{along, kGrass, across}; };
    built.add_quad(at(from * far, x), at(to * far, x + step), at(-to, x + step), at(-from, x), color);
  }
}

void add_line(Vec3 from, Vec3 to, Architecture& built) {
  const Vec3 along = normalize(to - from), side = Vec3{along.z, 0, -along.x} * (kLineWidth / 2);
  const Vec3 ends = along * (kLineWidth / 2), up{0, kLine, 0};
  built.add_quad(from + side - ends + up, from - side - ends + up, to - side + ends + up, to + side + ends + up,
                 kChalk);
}

void add_rectangle(float left, float right, float half, Architecture& built) {
  const Vec3 corners[] = {{left, 0, -half}, {left, 0, half}, {right, 0, half}, {right, 0, -half}};
  for (int i = 0; i < 4; ++i) add_line(corners[i], corners[(i + 1) % 4], built);
}

void add_lines(const Pitch& pitch, Architecture& built) {
  const float unit = pitch.length / 52.5f;  // lengths of a football field follow its size
  add_rectangle(-pitch.length, pitch.length, pitch.width, built);
  add_line({0, 0, -pitch.width}, {0, 0, pitch.width}, built);
  built.add_ring({0, kLine, 0}, 9.15f * unit - kLineWidth / 2, 9.15f * unit + kLineWidth / 2, 40, kChalk);
  built.add_disc({0, kLine, 0}, 0.2f, 10, kChalk);
  for (const float side : {-1.0f, 1.0f}) {
    add_rectangle(side * pitch.length, side * (pitch.length - 16.5f * unit), 20.2f * unit, built);
    add_rectangle(side * pitch.length, side * (pitch.length - 5.5f * unit), 9.2f * unit, built);
    built.add_disc({side * (pitch.length - 11 * unit), kLine, 0}, 0.2f, 10, kChalk);
  }
}

void add_ball(Vec3 at, Architecture& built) {
  constexpr float kRadius = 0.16f;  // half as large again as a real one: it is seen from far away
  built.add_cylinder(at, 0.4f * kRadius, kRadius, 0.7f * kRadius, 8, kChalk * 0.5f);
  built.add_cylinder(at + Vec3{0, 0.7f * kRadius, 0}, kRadius, kRadius, 0.6f * kRadius, 8, kChalk);
  built.add_cylinder(at + Vec3{0, 1.3f * kRadius, 0}, kRadius, 0.4f * kRadius, 0.7f * kRadius, 8, kChalk);
}

void add_goal(float x, float side, Architecture& built) {
  constexpr float kHalf = 3.66f, kHeight = 2.44f, kDeep = 1.8f, kPost = 0.12f;
  const Vec3 back{side * kDeep, 0, 0};
  for (const float z : {-kHalf, kHalf}) {
    built.add_beam({x, 0, z}, {x, kHeight, z}, kPost, kChalk);
    built.add_beam({x, kHeight, z}, Vec3{x, 0, z} + back, 0.04f, kChalk);
  }
  built.add_beam({x, kHeight, -kHalf}, {x, kHeight, kHalf}, kPost, kChalk);
  constexpr int kMeshes = 12;
  for (int i = 0; i <= kMeshes; ++i) {
    const float share = float(i) / kMeshes, z = kHalf * (2 * share - 1);
    built.add_beam({x, kHeight, z}, Vec3{x, 0, z} + back, 0.02f, kChalk * 0.8f);
    const Vec3 low = back * share + Vec3{x, kHeight * (1 - share), 0};
    if (i % 2 == 0) built.add_beam(low + Vec3{0, 0, -kHalf}, low + Vec3{0, 0, kHalf}, 0.02f, kChalk * 0.8f);
  }
}

void add_boards(const Stand& stand, Architecture& built) {
  constexpr Color kColors[] = {{0.62f, 0.05f, 0.04f}, {0.75f, 0.72f, 0.66f}, {0.04f, 0.12f, 0.45f},
                               {0.80f, 0.55f, 0.04f}, {0.04f, 0.30f, 0.14f}, {0.75f, 0.72f, 0.66f}};
  const Oval oval{stand.half_straight, stand.field_radius - 0.7f};
  const float length = stand.one_side ? 2 * stand.half_straight : oval.perimeter();
  const uint32_t boards = std::clamp(uint32_t(length / 3), 6u, 400u);
  for (uint32_t i = 0; i < boards; ++i) {
    const auto at = [&](float share) { return stand.at(oval, length * (float(i) + share) / float(boards)).position; };
    const Vec3 a = at(0.02f), b = at(0.98f), up{0, kBoard, 0};
    const Color& color = kColors[i % std::size(kColors)];
    built.add_quad(b, a, a + up, b + up, color * 0.8f, color);
    const Vec3 behind = normalize(cross(up, b - a)) * -0.05f;
    built.add_quad(a + behind, b + behind, b + up + behind, a + up + behind, {0.08f, 0.08f, 0.08f});
    const Vec3 third = (b - a) * 0.3f, letters{0, 0.3f, 0}, inward = normalize(cross(up, b - a)) * 0.02f;
    built.add_quad(b - third + letters + inward, a + third + letters + inward, a + third + letters * 1.9f + inward,
                   b - third + letters * 1.9f + inward, i % 2 == 0 ? kChalk : kColors[(i + 2) % std::size(kColors)]);
  }
}

void add_floodlights(const Stand& stand, Architecture& built) {
  const Oval back = stand.edge_of(stand.rows + 4);
  const float height = stand.top_of(stand.rows) + 14;
  for (const float x : {-1.0f, 1.0f}) {
    for (const float z : {-1.0f, 1.0f}) {
      if (stand.one_side && z > 0) continue;
      const Vec3 at{x * (back.half_straight + (stand.one_side ? 4 : 0.72f * back.radius)), 0,
                    z * back.radius * (stand.one_side ? 1 : 0.72f)};
      built.move_to(at, std::atan2(-at.x, -at.z));
      built.add_cylinder({}, 0.5f, 0.28f, height, 6, {0.22f, 0.23f, 0.25f});
      built.add_box({{-2.2f, height, -0.2f}, {2.2f, height + 2.6f, 0.15f}}, {0.10f, 0.10f, 0.11f});
      for (int i = 0; i < 12; ++i) {
        const float left = -1.95f + 1.05f * float(i % 4), low = height + 0.2f + 0.8f * float(i / 4);
        built.add_quad({left, low, 0.2f}, {left + 0.75f, low, 0.2f}, {left + 0.75f, low + 0.6f, 0.2f},
                       {left, low + 0.6f, 0.2f}, {1, 0.98f, 0.88f, 1});
      }
    }
  }
  built.move_to({});
}

}  // namespace

Pitch pitch_of(const Stand& stand) {
  if (stand.one_side) return {std::max(stand.half_straight, 28.0f), stand.field_radius - 2.3f};
  return {stand.half_straight + 0.6f * stand.field_radius, 0.64f * stand.field_radius};
}

void add_field(const Stand& stand, Architecture& built) {
  built.move_to({});
  add_grass(stand, built);
  const Pitch pitch = pitch_of(stand);
  if (pitch.width > 6) {
    add_lines(pitch, built);
    add_ball({4.5f, kLine, 2}, built);
    for (const float side : {-1.0f, 1.0f}) add_goal(side * pitch.length, side, built);
  }
  add_boards(stand, built);
  add_floodlights(stand, built);
}

}  // namespace sinew::app
