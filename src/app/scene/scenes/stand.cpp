#include "scene/scenes/stand.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace sinew::app {
namespace {

constexpr float kParapet = 1.1f, kParapetDepth = 0.25f;                 // meters
constexpr float kPartMeters = 3.2f;                                     // of a step's edge between two corners
constexpr uint32_t kMinParts = 24, kMaxParts = 128;                     // of a half circle
constexpr uint32_t kMaxSurfaces = 12'000;                               // of all steps of a half circle
constexpr float kAisleMeters = 9;                                       // from one aisle to the next
constexpr uint32_t kMaxAisles = 24;                                     // of a half circle, and of a straight side
constexpr float kRoofFrom = 0.5f, kRoofAbove = 4.2f, kRoofRise = 1.5f;  // share of the rows; meters above the last one
constexpr Color kConcrete{0.36f, 0.35f, 0.33f}, kWall{0.25f, 0.24f, 0.23f}, kSteel{0.16f, 0.17f, 0.19f};

uint32_t aisles_on(float meters) { return std::clamp(uint32_t(std::lround(meters / kAisleMeters)), 1u, kMaxAisles); }

/// Adds surfaces between edges of a stand. Seen from the field, meters grow to the left.
struct Edges {
  const Stand& stand;
  Architecture& built;
  uint32_t straight = 0, arc = 0;  // points

  Edges(const Stand& of, Architecture& to) : stand(of), built(to) {
    const uint32_t most = std::clamp(kMaxSurfaces / stand.rows, kMinParts, kMaxParts);
    straight = std::clamp(uint32_t(2 * stand.half_straight / (2 * kPartMeters)), 4u, most / 2);
    arc = std::clamp(uint32_t(kPi * stand.edge_of(stand.rows / 2).radius / kPartMeters), kMinParts, most);
  }
  std::vector<Oval::Point> points(const Oval& edge) const { return edge.points(straight, arc, stand.one_side); }

  /// A surface from one edge and height to another: a wall, a level step or a roof, which is seen from the field or
  /// from above. `color` takes the share of the way around.
  template <class ColorAt>
  void add(const Oval& from, float from_y, const Oval& to, float to_y, ColorAt color, bool turned = true) const {
    built.add_between(points(from), from_y, points(to), to_y, turned, color);
  }
  void add(const Oval& from, float from_y, const Oval& to, float to_y, Color color, bool turned = true) const {
    add(
        from, from_y, to, to_y, [&](float) { return color; }, turned);
  }
};

void add_steps(const Stand& stand, const Edges& edges) {
  edges.add(stand.edge_of(0), 0, stand.edge_of(0), stand.top_of(0), kWall);
  for (uint32_t step = 0; step <= stand.rows; ++step) {
    const Oval front = stand.edge_of(step);
    const float top = stand.top_of(step);
    if (step > 0)
      edges.add(front, stand.top_of(step - 1), front, top, [](float share) { return seat_color(share).seat * 0.55f; });
    edges.add(front, top, stand.edge_of(step + 1), top, kConcrete);
  }
}

/// Stairs: pale, on top of the steps and before them.
void add_aisles(const Stand& stand, Architecture& built) {
  constexpr Color kStairs{0.62f, 0.60f, 0.52f};
  const uint32_t on_straight = aisles_on(2 * stand.half_straight),
                 on_arc = aisles_on(kPi * stand.edge_of(stand.rows / 2).radius);
  for (uint32_t step = 1; step <= stand.rows; ++step) {
    const float top = stand.top_of(step), below = stand.top_of(step - 1);
    std::vector<Oval::Point> points = stand.edge_of(step).points(on_straight, on_arc, stand.one_side);
    if (!stand.one_side) points.pop_back();  // it is the first one
    for (const Oval::Point& at : points) {
      built.move_to(at.position, std::atan2(-at.outward.x, -at.outward.z));
      const float x = kHalfAisle * 0.85f, z = 0.02f, back = -stand.depth, y = top + 0.02f;
      built.add_panel(0, below, top, 2 * x, z, kStairs * 0.7f);
      built.add_quad({-x, y, z}, {x, y, z}, {x, y, back}, {-x, y, back}, kStairs);
    }
  }
  built.move_to({});
}

void add_roof(const Stand& stand, const Edges& edges) {
  const float low = stand.top_of(stand.rows) + kRoofAbove, high = low + kRoofRise;
  const Oval front = stand.edge_of(uint32_t(float(stand.rows) * kRoofFrom)), back = stand.edge_of(stand.rows + 2);
  const auto sheet = [](float share) {
    return uint32_t(share * 96) % 2 == 0 ? Color{0.50f, 0.52f, 0.54f} : Color{0.44f, 0.46f, 0.49f};
  };
  edges.add(front, high, back, low, sheet);
  edges.add(front, high - 0.3f, back, low - 0.3f, kConcrete, false);
  edges.add(front, high - 0.5f, front, high, Color{0.62f, 0.05f, 0.05f});
  const auto posts = edges.points(stand.edge_of(stand.rows + 1));
  for (size_t i = 0; i < posts.size(); i += 4)
    edges.built.add_beam(posts[i].position, posts[i].position + Vec3{0, low, 0}, 0.3f, kSteel);
}

/// What closes a stand along one side at its ends.
void add_ends(const Stand& stand, Architecture& built) {
  const float x = stand.half_straight, front = -stand.field_radius, back = -stand.edge_of(stand.rows + 1).radius;
  const float top = stand.top_of(stand.rows), low = stand.wall;
  built.add_quad({x, 0, front}, {x, 0, back}, {x, top, back}, {x, low, front}, kWall);
  built.add_quad({-x, 0, back}, {-x, 0, front}, {-x, low, front}, {-x, top, back}, kWall);
}

// The field of a stadium: grass, lines, goals, boards and floodlights.

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
    const float next = x + step, y = kGrass;
    built.add_quad({x, y, from * far}, {next, y, to * far}, {next, y, -to}, {x, y, -from}, color);
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
        const float low = height + 0.2f + 0.8f * float(i / 4);
        built.add_panel(-1.575f + 1.05f * float(i % 4), low, low + 0.6f, 0.75f, 0.2f, {1, 0.98f, 0.88f, 1});
      }
    }
  }
  built.move_to({});
}

}  // namespace

float Stand::to_aisle(const Oval& edge, float meters) const {
  const float straight = 2 * edge.half_straight, arc = kPi * edge.radius;
  const float on_side = std::fmod(meters, straight + arc);
  if (one_side || on_side < straight) return std::abs(std::remainder(on_side, straight / float(aisles_on(straight))));
  const float step = arc / float(aisles_on(kPi * edge_of(rows / 2).radius));
  return std::min(std::abs(std::remainder(on_side - straight, step)), straight + arc - on_side);
}

const SeatColor& seat_color(float share) {
  static constexpr SeatColor kReds{{0.50f, 0.045f, 0.04f}, kRedTop}, kWhites{{0.62f, 0.60f, 0.56f}, kCreamTop},
      kBlues{{0.035f, 0.10f, 0.42f}, kBlueTop};
  const auto block = uint32_t(share * 16);
  if (block % 8 == 3 || block % 8 == 4) return kBlues;
  return block % 4 == 1 ? kWhites : kReds;
}

void add_stand(const Stand& stand, Architecture& built) {
  const Edges edges(stand, built);
  built.move_to({});
  built.vary(0.05f);
  add_steps(stand, edges);
  const Oval back = stand.edge_of(stand.rows + 1), behind{back.half_straight, back.radius + kParapetDepth};
  const float top = stand.top_of(stand.rows);
  edges.add(back, top, back, top + kParapet, kWall);
  edges.add(back, top + kParapet, behind, top + kParapet, kConcrete);
  edges.add(behind, 0, behind, top + kParapet, kWall, false);
  if (stand.one_side) add_ends(stand, built);
  add_roof(stand, edges);
  built.vary(0);
  add_aisles(stand, built);
}

void add_seats(const Stand& stand, const std::vector<StandPlace>& places, Architecture& built) {
  constexpr float kHalf = 0.23f, kDeep = 0.4f, kBack = 0.33f;  // meters
  for (const StandPlace& place : places) {
    const Oval edge = stand.edge_of(place.row + 1);
    const Oval::Point at = stand.at(edge, place.meters);
    const Color color = seat_color(place.meters / stand.length_of(edge)).seat;
    const float y = stand.top_of(place.row + 1) + 0.015f;
    built.move_to(at.position, std::atan2(-at.outward.x, -at.outward.z));
    built.add_quad({-kHalf, y, 0.02f}, {kHalf, y, 0.02f}, {kHalf, y, -kDeep}, {-kHalf, y, -kDeep}, color);
    built.add_quad({-kHalf, y, -kDeep}, {kHalf, y, -kDeep}, {kHalf, y + kBack, -kDeep - 0.05f},
                   {-kHalf, y + kBack, -kDeep - 0.05f}, color);
  }
  built.move_to({});
}

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
