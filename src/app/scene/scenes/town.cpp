#include "scene/scenes/town.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace sinew::app {
namespace {

constexpr float kProud = 0.04f;  // meters: what is on a wall is so far in front of it
constexpr Color kWood{0.13f, 0.07f, 0.035f}, kDarkWood{0.055f, 0.03f, 0.017f}, kStone{0.27f, 0.25f, 0.22f};
constexpr Color kBright[] = {{0.72f, 0.05f, 0.04f}, {0.80f, 0.42f, 0.03f}, {0.06f, 0.20f, 0.55f},
                             {0.05f, 0.35f, 0.16f}, {0.45f, 0.06f, 0.32f}, {0.04f, 0.36f, 0.42f}};
constexpr Color kCream{0.80f, 0.72f, 0.56f};

template <size_t N>
const Color& any_of(const Color (&colors)[N], Random& random) {
  return colors[random.next() % N];
}

void add_window(Architecture& town, float x, float sill, float z, const House& house, Random& random) {
  const bool lit = house.lit && random.unit() < 0.6f;
  const Color glass = lit ? Color{1, 0.50f, 0.14f, 0.17f} : Color{0.045f, 0.07f, 0.10f};
  town.add_panel(x, sill - 0.08f, sill + 1.28f, 1.08f, z + kProud, kCream * 0.8f);
  town.add_panel(x, sill, sill + 1.2f, 0.92f, z + 1.5f * kProud, glass);
  town.add_panel(x, sill, sill + 1.2f, 0.08f, z + 2 * kProud, kCream * 0.7f);
  for (const float side : {-0.8f, 0.8f})
    town.add_panel(x + side, sill - 0.05f, sill + 1.25f, 0.5f, z + kProud, house.shutters);
}

void add_door(Architecture& town, float x, float z, Random& random) {
  town.add_panel(x, 0, 2.35f, 1.5f, z + kProud, kStone);
  town.add_panel(x, 0, 2.2f, 1.15f, z + 1.5f * kProud, any_of(kBright, random) * 0.5f);
}

/// One side of a house, in a frame whose front it is: `width` meters wide, `z` from its middle.
void add_facade(Architecture& town, float width, float z, const House& house, bool front, Random& random) {
  const auto windows = std::max(uint32_t(width / 2.5f), 1u);
  const float step = width / float(windows);
  for (uint32_t floor = 0; floor < house.floors; ++floor) {
    const float base = 0.3f + 2.7f * float(floor);
    for (uint32_t i = 0; i < windows; ++i) {
      const float x = (float(i) + 0.5f) * step - width / 2;
      if (front && floor == 0 && i == windows / 2) {
        add_door(town, x, z, random);
      } else {
        add_window(town, x, base + 0.8f, z, house, random);
      }
    }
    if (!house.timbered) continue;
    town.add_panel(0, base + 2.5f, base + 2.7f, width, z + 0.5f * kProud, kDarkWood);
    for (uint32_t i = 0; i <= windows; ++i)
      town.add_panel(std::clamp(float(i) * step, 0.1f, width - 0.1f) - width / 2, base, base + 2.7f, 0.18f,
                     z + 0.6f * kProud, kDarkWood);
  }
  town.add_panel(0, 0, 0.5f, width, z + 0.8f * kProud, kStone * 0.8f);
}

/// A string that hangs between two points. Calls `hang(i, a, b)` for each of its `count` parts, which go from a to b.
template <class Hang>
void add_string(Architecture& town, Vec3 from, Vec3 to, uint32_t count, float thickness, Color color, Hang hang) {
  const float sag = std::min(0.09f * length(to - from), 0.9f);
  const auto at = [&](uint32_t i) {
    const float share = float(i) / float(count);
    return from + (to - from) * share - Vec3{0, sag * 4 * share * (1 - share), 0};
  };
  town.move_to({});
  for (uint32_t i = 0; i < count; ++i) {
    town.add_beam(at(i), at(i + 1), thickness, color);
    hang(i, at(i), at(i + 1));
  }
}

/// Seven stripes from a high back edge to a low front edge, seen from both sides, with a hem. So high, and so short,
/// that who looks down from above the people sees the head of who sells.
void add_awning(Architecture& town, Color cloth) {
  constexpr float kLow = 2.5f, kHigh = 3.2f, kFront = 1.2f, kBack = -1.1f, kHem = 0.274f;
  for (int i = 0; i < 7; ++i) {
    const float from = -1.75f + 0.5f * float(i), to = from + 0.5f;
    const Color color = i % 2 == 0 ? cloth : kCream;
    const Vec3 a{from, kLow, kFront}, b{to, kLow, kFront}, c{to, kHigh, kBack}, d{from, kHigh, kBack};
    const Vec3 hem{0, -kHem, 0}, below{0, -0.02f, 0};
    town.add_quad(a, b, c, d, color);
    town.add_quad(a + hem, b + hem, b, a, color * 0.85f, color);
    town.add_quad(b + below, a + below, d + below, c + below, color * 0.55f);
  }
}

}  // namespace

House random_house(Random& random, bool lit) {
  constexpr Color kWalls[] = {{0.62f, 0.50f, 0.32f}, {0.60f, 0.27f, 0.14f}, {0.66f, 0.60f, 0.47f},
                              {0.55f, 0.36f, 0.12f}, {0.25f, 0.36f, 0.42f}, {0.50f, 0.20f, 0.17f},
                              {0.38f, 0.43f, 0.25f}};
  constexpr Color kRoofs[] = {
      {0.33f, 0.085f, 0.04f}, {0.26f, 0.07f, 0.04f}, {0.40f, 0.13f, 0.05f}, {0.10f, 0.12f, 0.15f}};
  constexpr Color kShutters[] = {
      {0.04f, 0.16f, 0.10f}, {0.05f, 0.12f, 0.26f}, {0.30f, 0.05f, 0.04f}, {0.20f, 0.12f, 0.05f}};
  House house;
  house.width = random.between(6.5f, 10.5f), house.depth = random.between(6, 8.5f);
  house.floors = 2 + uint32_t(random.next() % 2);
  house.wall = any_of(kWalls, random), house.roof = any_of(kRoofs, random), house.shutters = any_of(kShutters, random);
  house.timbered = random.unit() < 0.45f, house.hip = random.unit() < 0.2f, house.lit = lit;
  house.seed = random.next();
  return house;
}

void add_house(Architecture& town, Vec3 at, float heading, const House& house) {
  const float x = house.width / 2, z = house.depth / 2, top = house.wall_height();
  Random random{house.seed};
  town.move_to(at, heading);
  town.vary(0.06f);
  const Box walls{{-x, 0, -z}, {x, top, z}};
  town.add_box(walls, house.wall);
  town.vary(0.12f);
  if (house.hip) {
    town.add_hip_roof(walls, 0.42f * house.width, 0.45f, house.roof);
  } else {
    town.add_gable_roof(walls, 0.52f * house.depth, 0.45f, house.roof, house.wall);
    town.add_box(
        {{x * 0.4f, top + 0.8f, -z * 0.5f}, {x * 0.4f + 0.7f, top + 0.52f * house.depth + 0.7f, -z * 0.5f + 0.7f}},
        {0.25f, 0.11f, 0.08f});
  }
  for (int side = 0; side < 4; ++side) {
    town.move_to(at, heading + kPi / 2 * float(side));
    add_facade(town, side % 2 == 0 ? house.width : house.depth, side % 2 == 0 ? z : x, house, side == 0, random);
  }
  town.vary(0);
}

void add_house_row(Architecture& town, Vec3 from, Vec3 to, Random& random, bool lit) {
  const Vec3 along = normalize(to - from);
  const float heading = std::atan2(-along.z, along.x), total = length(to - from);
  for (float done = 0; done < total;) {
    House house = random_house(random, lit);
    if (done + house.width > total + 1) break;
    const Vec3 middle =
        from + along * (done + house.width / 2) - Vec3{std::sin(heading), 0, std::cos(heading)} * (house.depth / 2);
    add_house(town, middle, heading, house);
    done += house.width + (random.unit() < 0.2f ? 2.2f : 0.02f);
  }
}

void add_stall(Architecture& town, Vec3 at, float heading, Random& random) {
  town.move_to(at, heading);
  town.vary(0.1f);
  town.add_box({{-1.5f, 0, 0.35f}, {1.5f, 0.9f, 1.0f}}, kWood * 1.6f);
  constexpr Color kGoods[] = {{0.65f, 0.10f, 0.04f},
                              {0.75f, 0.40f, 0.04f},
                              {0.20f, 0.38f, 0.06f},
                              {0.70f, 0.60f, 0.10f},
                              {0.30f, 0.10f, 0.22f}};
  for (int i = 0; i < 5; ++i) {
    const float x = -1.35f + 0.55f * float(i);
    town.add_box({{x, 0.9f, 0.42f}, {x + 0.48f, 1.06f, 0.95f}}, kWood * 2.2f);
    town.add_cylinder({x + 0.24f, 1.05f, 0.68f}, 0.21f, 0.08f, 0.16f, 6, any_of(kGoods, random));
  }
  for (const float x : {-1.55f, 1.55f}) {
    for (const float z : {-1.0f, 1.1f})
      town.add_box({{x - 0.05f, 0, z - 0.05f}, {x + 0.05f, z < 0 ? 3.15f : 2.5f, z + 0.05f}}, kWood);
  }
  town.vary(0.03f);
  const Color cloth = any_of(kBright, random);
  add_awning(town, cloth);
  for (int i = 0; i < 5; ++i)
    town.add_panel(1.24f - 0.62f * float(i), 0, 3.1f, -0.62f, -1, (i % 2 == 0 ? cloth : kCream) * 0.7f);
  town.add_panel(0, 0, 3.05f, 3.1f, -0.98f, kCream * 0.35f);
  town.add_box({{-1.9f, 0, 1.0f}, {-1.45f, 0.5f, 1.5f}}, kWood * 2);
  town.vary(0);
}

void add_tent(Architecture& town, Vec3 at, float heading, Random& random) {
  constexpr uint32_t kSides = 12;
  constexpr float kRadius = 2.3f, kWall = 2.1f, kTop = 4.3f;
  const Color cloth = any_of(kBright, random);
  town.move_to(at, heading);
  for (uint32_t i = 0; i < kSides; ++i) {
    const Color color = i % 2 == 0 ? cloth : kCream;
    const float here = turn_of(i, kSides), next = turn_of(i + 1, kSides);
    if (i != 0)
      town.add_quad(polar(kRadius, here), polar(kRadius, next), polar(kRadius, next, kWall),
                    polar(kRadius, here, kWall), color * 0.6f, color * 0.9f);
    town.add_triangle(polar(kRadius * 1.12f, here, kWall - 0.1f), polar(kRadius * 1.12f, next, kWall - 0.1f),
                      {0, kTop, 0}, color);
  }
  town.add_box({{-0.04f, kTop - 0.1f, -0.04f}, {0.04f, kTop + 0.9f, 0.04f}}, kWood);
  town.add_triangle({0.04f, kTop + 0.45f, 0}, {0.9f, kTop + 0.65f, 0}, {0.04f, kTop + 0.88f, 0}, cloth);
}

void add_torch(Architecture& town, Vec3 at, float height, std::vector<Lamp>& lamps) {
  town.move_to(at);
  town.add_cylinder({}, 0.07f, 0.05f, height - 0.25f, 6, kDarkWood);
  town.add_cylinder({0, height - 0.3f, 0}, 0.09f, 0.17f, 0.28f, 6, {0.05f, 0.045f, 0.04f});
  lamps.push_back({at + Vec3{0, height + 0.33f, 0}, 10, {6, 2.6f, 0.8f}, 0.65f});
}

void add_lanterns(Architecture& town, Vec3 from, Vec3 to, uint32_t count, uint32_t lit, std::vector<Lamp>& lamps) {
  constexpr Color kPaper[] = {
      {1, 0.38f, 0.06f, 0.25f}, {1, 0.14f, 0.05f, 0.25f}, {1, 0.62f, 0.16f, 0.25f}, {0.25f, 0.75f, 0.30f, 0.22f}};
  add_string(town, from, to, count, 0.025f, kDarkWood, [&](uint32_t i, Vec3 a, Vec3 b) {
    const Vec3 at = (a + b) * 0.5f - Vec3{0, 0.34f, 0};
    town.add_cylinder(at, 0.09f, 0.16f, 0.14f, 6, kPaper[i % std::size(kPaper)]);
    town.add_cylinder(at + Vec3{0, 0.14f, 0}, 0.16f, 0.08f, 0.14f, 6, kPaper[i % std::size(kPaper)]);
    if (lit != 0 && i % lit == lit / 2) lamps.push_back({at, 7, {3, 1.5f, 0.5f}});
  });
}

void add_banner(Architecture& town, Vec3 at, float heading, float height, Color cloth, Color trim) {
  town.move_to(at, heading);
  town.add_box({{-0.05f, 0, -0.05f}, {0.05f, height, 0.05f}}, kDarkWood);
  town.add_box({{-0.05f, height - 0.2f, -0.03f}, {1.0f, height - 0.12f, 0.03f}}, kDarkWood);
  const float top = height - 0.2f, low = height * 0.45f;
  for (const float side : {1.0f, -1.0f}) {
    const float z = 0.02f * side, wide = 0.9f * side, x = 0.51f;
    town.add_panel(x, low, top, wide, z, cloth);
    town.add_triangle({x, low - 0.45f, z}, {x + wide / 2, low, z}, {x - wide / 2, low, z}, cloth);
    town.add_panel(x, low + 0.5f, low + 0.9f, wide, 2.5f * z, trim);
  }
}

void add_bunting(Architecture& town, Vec3 from, Vec3 to, uint32_t count) {
  const Vec3 along = normalize(to - from);
  add_string(town, from, to, count, 0.02f, kCream, [&](uint32_t i, Vec3 a, Vec3 b) {
    const Vec3 middle = (a + b) * 0.5f, half = along * (0.4f * length(b - a)), tip = middle - Vec3{0, 0.42f, 0};
    town.add_triangle(middle - half, tip, middle + half, kBright[i % std::size(kBright)]);
  });
}

void add_fountain(Architecture& town, Vec3 at) {
  constexpr Color kWater{0.08f, 0.30f, 0.42f}, kPale{0.50f, 0.47f, 0.40f};
  town.move_to(at);
  town.vary(0.08f);
  town.add_cylinder({}, 3.0f, 3.0f, 0.18f, 16, kPale);
  town.add_cylinder({0, 0.18f, 0}, 2.5f, 2.6f, 0.6f, 16, kPale);
  town.add_ring({0, 0.80f, 0}, 2.2f, 2.6f, 16, kPale * 1.15f);
  town.vary(0.03f);
  town.add_disc({0, 0.79f, 0}, 2.2f, 16, kWater);
  town.vary(0.08f);
  town.add_cylinder({0, 0.7f, 0}, 0.42f, 0.3f, 1.1f, 8, kPale);
  town.add_cylinder({0, 1.75f, 0}, 0.35f, 1.1f, 0.3f, 12, kPale);
  town.add_disc({0, 2.06f, 0}, 1.0f, 12, kWater);
  town.add_cylinder({0, 2.05f, 0}, 0.24f, 0.18f, 0.8f, 8, kPale);
  town.add_cylinder({0, 2.8f, 0}, 0.2f, 0.42f, 0.2f, 8, kPale);
  town.add_cylinder({0, 3.0f, 0}, 0.26f, 0.12f, 0.55f, 6, {0.45f, 0.30f, 0.05f});
  for (uint32_t i = 0; i < 6; ++i)
    town.add_beam(polar(1.05f, turn_of(i, 6), 2.05f), polar(1.45f, turn_of(i, 6), 0.8f), 0.06f, {0.45f, 0.62f, 0.70f});
  town.vary(0);
}

void add_gate(Architecture& town, Vec3 at, float heading) {
  constexpr float kHalf = 2.2f, kSpring = 3, kTop = 7.4f, kThick = 1.2f;  // of the arch and the wall
  constexpr Color kWall{0.40f, 0.36f, 0.29f}, kDark{0.05f, 0.045f, 0.04f};
  constexpr int kParts = 8;
  town.move_to(at, heading);
  town.vary(0.07f);
  for (const float x : {-5.0f, 5.0f}) {  // the towers
    town.add_cylinder({x, 0, 0}, 2.2f, 2.0f, 8.6f, 12, kWall);
    town.add_cylinder({x, 8.6f, 0}, 2.35f, 2.35f, 0.9f, 12, kWall * 0.9f);
    town.add_cylinder({x, 9.5f, 0}, 2.6f, 0, 3.4f, 12, {0.33f, 0.085f, 0.04f});
    for (const float y : {3.2f, 6.2f})
      town.add_box({{x - 0.2f, y, 1.9f}, {x + 0.2f, y + 1.3f, 2.15f}}, {0.03f, 0.03f, 0.035f});
  }
  town.add_box({{-3.4f, 0, -kThick}, {-kHalf, kTop, kThick}}, kWall);
  town.add_box({{kHalf, 0, -kThick}, {3.4f, kTop, kThick}}, kWall);
  const auto arch = [&](int i) {
    const float turn = kPi * float(i) / kParts;
    return Vec3{-kHalf * std::cos(turn), kSpring + kHalf * 0.85f * std::sin(turn), 0};
  };
  const Vec3 front{0, 0, kThick}, back{0, 0, -kThick};
  for (int i = 0; i < kParts; ++i) {
    const Vec3 a = arch(i), b = arch(i + 1), top_a{a.x, kTop, 0}, top_b{b.x, kTop, 0};
    town.add_quad(a + front, b + front, top_b + front, top_a + front, kWall);
    town.add_quad(b + back, a + back, top_a + back, top_b + back, kWall);
    town.add_quad(a + back, b + back, b + front, a + front, kDark * 2);
  }
  town.add_quad({-3.4f, kTop, kThick}, {3.4f, kTop, kThick}, {3.4f, kTop, -kThick}, {-3.4f, kTop, -kThick}, kWall);
  for (float x = -3.3f; x < 3.1f; x += 1.1f)  // teeth along the top of the wall
    town.add_box({{x, kTop, kThick - 0.5f}, {x + 0.6f, kTop + 0.7f, kThick}}, kWall);
  for (int i = 0; i < 7; ++i) {
    const float x = -1.8f + 0.6f * float(i), low = 3.3f + 0.25f * std::abs(float(i - 3));
    town.add_box({{x - 0.05f, low - 0.6f, -0.05f}, {x + 0.05f, 4.9f, 0.05f}}, kDark);
  }
  town.vary(0);
  const Color cloth{0.52f, 0.03f, 0.03f}, gold{0.75f, 0.48f, 0.06f};
  for (const float x : {-5.0f, 5.0f}) {
    town.add_panel(x, 3.6f, 7.6f, 1.4f, 2.3f, cloth);
    town.add_triangle({x - 0.7f, 3.6f, 2.3f}, {x, 2.9f, 2.3f}, {x + 0.7f, 3.6f, 2.3f}, cloth);
    town.add_panel(x, 5.2f, 6.3f, 0.8f, 2.33f, gold);
  }
}

void add_bonfire(Architecture& town, Vec3 at, std::vector<Lamp>& lamps) {
  town.move_to(at);
  town.vary(0.25f);
  for (uint32_t i = 0; i < 14; ++i) town.add_cylinder(polar(1.55f, turn_of(i, 14)), 0.3f, 0.18f, 0.32f, 6, kStone);
  for (uint32_t i = 0; i < 9; ++i)
    town.add_beam(polar(1.05f, turn_of(i, 9), 0.05f), polar(0.1f, turn_of(i, 9) + 2, 1.9f), 0.2f, kWood);
  town.vary(0);
  lamps.push_back({at + Vec3{0, 2.6f, 0}, 24, {54, 19, 4.5f}, 3.9f});
}

}  // namespace sinew::app
