#include "scene/scenes/stand.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew::app {
namespace {

constexpr uint32_t kStraightParts = 8, kArcParts = 24;   // of each side, of each half circle
constexpr float kParapet = 1.1f, kParapetDepth = 0.25f;  // meters
constexpr float kFieldHeight = 0.01f;                    // meters: above the paved ground
constexpr float kStripe = 2.5f;                          // meters, of the field
constexpr uint32_t kPartsPerBlock = 4;                   // of one color

/// Points of equal number around ovals of any radius: those of one index lie on one line outward.
std::vector<Oval::Point> points_of(const Oval& oval) {
  std::vector<Oval::Point> points;
  const float straight = 2 * oval.half_straight, arc = oval.perimeter() / 2 - straight;
  for (int side = 0; side < 2; ++side) {
    const float first = float(side) * oval.perimeter() / 2;
    for (uint32_t i = 0; i < kStraightParts; ++i)
      points.push_back(oval.at(first + straight * float(i) / float(kStraightParts)));
    for (uint32_t i = 0; i < kArcParts; ++i)
      points.push_back(oval.at(first + straight + arc * float(i) / float(kArcParts)));
  }
  points.push_back(points.front());
  return points;
}

class Builder {
 public:
  /// Corners in order around the quad.
  void add_quad(const std::array<Vec3, 4>& corners, const std::array<Vec3, 4>& normals, uint32_t color) {
    for (const int i : {0, 1, 2, 0, 2, 3}) {
      const Vec3 n = normals[size_t(i)] * 127;
      vertices.push_back({corners[size_t(i)],
                          {int8_t(std::lround(n.x)), int8_t(std::lround(n.y)), int8_t(std::lround(n.z)), 0},
                          color});
    }
  }

  /// A wall that stands on an oval, from one height to another; it faces inward, or outward.
  template <class Color>
  void add_wall(const Oval& oval, float low, float high, float facing, Color color) {
    const auto points = points_of(oval);
    for (uint32_t i = 0; i + 1 < points.size(); ++i) {
      const auto& [p, n] = points[i];
      const auto& [q, m] = points[i + 1];
      add_quad({p + Vec3{0, low, 0}, q + Vec3{0, low, 0}, q + Vec3{0, high, 0}, p + Vec3{0, high, 0}},
               {n * facing, m * facing, m * facing, n * facing}, color(i));
    }
  }

  /// A level ring between two ovals.
  template <class Color>
  void add_ring(const Oval& inner, const Oval& outer, float height, Color color) {
    const auto from = points_of(inner), to = points_of(outer);
    constexpr Vec3 kUp{0, 1, 0};
    for (uint32_t i = 0; i + 1 < from.size(); ++i) {
      add_quad({from[i].position + kUp * height, from[i + 1].position + kUp * height, to[i + 1].position + kUp * height,
                to[i].position + kUp * height},
               {kUp, kUp, kUp, kUp}, color(i));
    }
  }

  std::vector<StandVertex> vertices;
};

/// Half the width of the field at x.
float half_width(const Oval& field, float x) {
  const float beyond = std::max(std::abs(x) - field.half_straight, 0.0f);
  return std::sqrt(std::max(field.radius * field.radius - beyond * beyond, 0.0f));
}

/// It ends below the first step.
void add_field(const Stand& stand, Builder& builder) {
  const Oval field{stand.half_straight, stand.field_radius + stand.depth / 2};
  constexpr Vec3 kUp{0, 1, 0};
  const float reach = field.half_straight + field.radius;
  const uint32_t stripes = std::max(uint32_t(2 * reach / kStripe), 8u), parts = 4;
  for (uint32_t i = 0; i < stripes * parts; ++i) {
    const float step = 2 * reach / float(stripes * parts), x = float(i) * step - reach;
    const float from = half_width(field, x), to = half_width(field, x + step);
    const uint32_t color = i / parts % 2 == 0 ? pack_color(0.10f, 0.22f, 0.06f) : pack_color(0.13f, 0.27f, 0.08f);
    builder.add_quad({Vec3{x, kFieldHeight, -from}, Vec3{x + step, kFieldHeight, -to}, Vec3{x + step, kFieldHeight, to},
                      Vec3{x, kFieldHeight, from}},
                     {kUp, kUp, kUp, kUp}, color);
  }
}

}  // namespace

std::vector<StandVertex> build_stand(const Stand& stand) {
  const uint32_t blocks[] = {pack_color(0.13f, 0.22f, 0.36f), pack_color(0.42f, 0.40f, 0.36f)};
  const auto block = [&](uint32_t part) { return blocks[part / kPartsPerBlock % 2]; };
  const auto concrete = [](uint32_t) { return pack_color(0.36f, 0.35f, 0.33f); };
  const auto wall = [](uint32_t) { return pack_color(0.25f, 0.24f, 0.23f); };
  Builder builder;
  add_field(stand, builder);
  for (uint32_t step = 0; step <= stand.rows; ++step) {
    const float below = step == 0 ? 0 : stand.top_of(step - 1);
    if (step == 0) {
      builder.add_wall(stand.edge_of(step), below, stand.top_of(step), -1, wall);
    } else {
      builder.add_wall(stand.edge_of(step), below, stand.top_of(step), -1, block);
    }
    builder.add_ring(stand.edge_of(step), stand.edge_of(step + 1), stand.top_of(step), concrete);
  }
  const Oval back = stand.edge_of(stand.rows + 1), behind{back.half_straight, back.radius + kParapetDepth};
  const float top = stand.top_of(stand.rows);
  builder.add_wall(back, top, top + kParapet, -1, wall);
  builder.add_ring(back, behind, top + kParapet, concrete);
  builder.add_wall(behind, 0, top + kParapet, 1, wall);
  return std::move(builder.vertices);
}

}  // namespace sinew::app
