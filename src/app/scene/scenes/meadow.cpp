#include "scene/scenes/meadow.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "scene/random.h"

namespace sinew::app {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;
// Meters. The ground is made of rings around the middle.
constexpr uint32_t kSectors = 256;
constexpr float kRing = 0.28f, kFine = 15;  // from one ring to the next, up to this radius; then in proportion to it
constexpr float kGroundEnd = 300;
constexpr float kSoftEdge = 0.5f;  // of a path
constexpr uint32_t kTufts = 6500, kStones = 60, kTrees = 260;
constexpr float kPlantsEnd = 34, kTreesBegin = 6, kTreesEnd = 170;
constexpr float kBesidePath = 1.3f, kBesideSight = 5.5f;  // of trees
constexpr float kSunk = 0.25f;                            // of trees, so that no root is in the air

float share_between(float from, float to, float at) { return std::clamp((at - from) / (to - from), 0.0f, 1.0f); }

Color mixed(Color a, Color b, float share) {
  return {a.r + (b.r - a.r) * share, a.g + (b.g - a.g) * share, a.b + (b.b - a.b) * share};
}

float besides(std::span<const Path> paths, float x, float z) {
  float nearest = INFINITY;
  for (const Path& path : paths) nearest = std::min(nearest, distance_to(path, x, z) - path.half_width);
  return nearest;
}

/// A smooth random number from -1 to 1 of a place.
float patches(float x, float z) {
  return 0.5f * std::sin(0.61f * x + 1.3f * std::sin(0.43f * z)) + 0.3f * std::sin(1.3f * z + 0.9f * x) +
         0.2f * std::sin(2.9f * x - 2.3f * z);
}

Color ground_color(const Terrain& terrain, std::span<const Path> paths, float x, float z) {
  constexpr Color kMeadow{0.115f, 0.185f, 0.05f}, kDry{0.25f, 0.24f, 0.085f}, kDeep{0.065f, 0.135f, 0.04f};
  constexpr Color kEarth{0.44f, 0.33f, 0.19f}, kTrodden{0.52f, 0.41f, 0.25f};
  const float high = share_between(1.2f, 2.4f, terrain.height(x, z)), patch = patches(x, z);
  const Color grass = mixed(mixed(kDeep, kMeadow, 0.55f + 0.45f * patch), kDry, 0.45f * high * (0.7f + 0.3f * patch));
  const float beside = besides(paths, x, z) + 0.12f * patches(3 * x, 3 * z);
  const Color earth = mixed(kTrodden, kEarth, share_between(-0.9f, 0, beside));
  return mixed(earth, grass, share_between(-kSoftEdge / 2, kSoftEdge / 2, beside));
}

struct Corner {
  Vec3 position, normal;
  Color color;
};

StandVertex vertex_of(const Corner& corner, float scale) {
  const Vec3 n = corner.normal * 127;
  return {corner.position * scale,
          {int8_t(std::lround(n.x)), int8_t(std::lround(n.y)), int8_t(std::lround(n.z)), 0},
          pack_color(corner.color.r, corner.color.g, corner.color.b)};
}

std::vector<float> ring_radii() {
  std::vector<float> radii{0};
  const float grow = 2 * kPi / float(kSectors);
  while (radii.back() < kGroundEnd) radii.push_back(radii.back() + std::max(kRing, grow * radii.back()));
  return radii;
}

Vec3 random_place(Random& random, float end) {
  const float radius = end * std::sqrt(random.unit()), angle = 2 * kPi * random.unit();
  return {radius * std::sin(angle), 0, radius * std::cos(angle)};
}

/// Blades of grass: triangles that stand up, seen from both sides; a flower is a bright tip.
void add_tuft(Random& random, Architecture& built) {
  constexpr Color kFlowers[] = {
      {0.9f, 0.85f, 0.8f}, {0.85f, 0.62f, 0.08f}, {0.62f, 0.12f, 0.16f}, {0.32f, 0.2f, 0.62f}};
  const bool flowers = random.unit() < 0.16f;
  const Color green = mixed({0.13f, 0.25f, 0.045f}, {0.3f, 0.34f, 0.09f}, random.unit());
  const uint32_t blades = flowers ? 2 : 3;
  for (uint32_t i = 0; i < blades; ++i) {
    const float angle = 2 * kPi * random.unit(), height = random.between(0.1f, 0.24f), wide = 0.018f;
    const Vec3 side{std::cos(angle) * wide, 0, -std::sin(angle) * wide};
    const Vec3 lean{0.35f * height * std::sin(angle), height, 0.35f * height * std::cos(angle)}, low{0, -0.03f, 0};
    built.add_triangle(low - side, low + side, lean, green);
    built.add_triangle(low + side, low - side, lean, green);
    if (!flowers) continue;
    built.add_cylinder(lean, 0.012f, 0.035f, 0.025f, 5, kFlowers[random.next() % std::size(kFlowers)]);
  }
}

void add_stone(Random& random, Architecture& built) {
  const float size = random.between(0.12f, 0.42f), shade = random.between(0.75f, 1.1f);
  const Color gray = Color{0.36f, 0.35f, 0.33f} * shade;
  built.add_cylinder({0, -0.1f, 0}, size, size * 0.8f, 0.1f + size * 0.35f, 6, gray * 0.85f);
  built.add_cylinder({0, size * 0.35f, 0}, size * 0.8f, size * 0.3f, size * 0.25f, 6, gray);
}

}  // namespace

float distance_to(const Path& path, float x, float z) {
  const float half = path.loop.half_straight, beyond = x - std::clamp(x, -half, half);
  return std::abs(std::hypot(beyond, z) - path.loop.radius);
}

std::vector<Tree> plant_trees(const Terrain& terrain, std::span<const Path> paths, Vec3 eye, uint64_t seed) {
  Random random{mix(seed ^ 0x7472656573)};
  std::vector<Tree> trees;
  for (uint32_t i = 0; i < kTrees; ++i) {
    const float height = random.between(5.5f, 10);
    Vec3 at = random_place(random, 1);
    const float away = length(at);
    at = at * ((kTreesBegin + (kTreesEnd - kTreesBegin) * away * away) / std::max(away, 1e-3f));
    // From the eye to the middle, and around the eye, nothing is in the way.
    const float along = std::clamp((eye.x * at.x + eye.z * at.z) / dot(eye, eye), -0.2f, 1.5f);
    if (std::hypot(at.x - eye.x * along, at.z - eye.z * along) < kBesideSight) continue;
    if (besides(paths, at.x, at.z) < kBesidePath || length(at) < 11) continue;
    trees.push_back({terrain.ground(at.x, at.z), height});
  }
  return trees;
}

void add_ground(const Terrain& terrain, std::span<const Path> paths, float scale, std::vector<StandVertex>& vertices) {
  const std::vector<float> radii = ring_radii();
  std::vector<Corner> inner(kSectors), outer(kSectors);
  const auto fill = [&](float radius, std::vector<Corner>& ring) {
    for (uint32_t i = 0; i < kSectors; ++i) {
      const float angle = 2 * kPi * float(i) / float(kSectors);
      const float x = radius * std::sin(angle), z = radius * std::cos(angle);
      ring[i] = {terrain.ground(x, z), terrain.normal(x, z), ground_color(terrain, paths, x, z)};
    }
  };
  const auto add = [&](const Corner& a, const Corner& b, const Corner& c) {
    for (const Corner* corner : {&a, &b, &c}) vertices.push_back(vertex_of(*corner, scale));
  };
  fill(0, inner);
  for (size_t ring = 1; ring < radii.size(); ++ring) {
    fill(radii[ring], outer);
    for (uint32_t i = 0; i < kSectors; ++i) {
      const uint32_t next = (i + 1) % kSectors;
      add(inner[i], outer[i], outer[next]);
      if (ring > 1) add(inner[i], outer[next], inner[next]);
    }
    inner.swap(outer);
  }
}

void add_plants(const Terrain& terrain, std::span<const Path> paths, std::span<const Tree> trees, uint64_t seed,
                Architecture& built) {
  constexpr Color kLeaves[] = {
      {0.07f, 0.19f, 0.03f}, {0.12f, 0.24f, 0.03f}, {0.05f, 0.15f, 0.05f}, {0.3f, 0.22f, 0.03f}};
  Random random{mix(seed ^ 0x67726173730a)};
  for (uint32_t i = 0; i < kTufts + kStones; ++i) {
    const Vec3 at = random_place(random, kPlantsEnd);
    if (besides(paths, at.x, at.z) < 0.25f) continue;
    built.move_to(terrain.ground(at.x, at.z), random.between(0, kPi));
    if (i < kTufts) {
      add_tuft(random, built);
    } else {
      add_stone(random, built);
    }
  }
  for (const Tree& tree : trees) {
    built.move_to(tree.at - Vec3{0, kSunk, 0}, random.between(0, kPi));
    built.add_tree(tree.height, kLeaves[random.next() % std::size(kLeaves)], random.unit() < 0.35f);
  }
}

Balloon make_balloon(float scale) {
  constexpr uint32_t kGores = 12, kRings = 9;
  constexpr float kRadius = 1.25f, kMiddle = 2.35f;  // meters; of the middle above the basket
  constexpr Color kRed{0.72f, 0.06f, 0.04f}, kCream{0.9f, 0.8f, 0.58f}, kBlue{0.05f, 0.16f, 0.5f};
  Architecture built(scale);
  // Round above; below it gets narrower to the opening.
  const auto point = [&](uint32_t ring, float gore) {
    const float down = kPi * float(ring) / (kRings + 1), angle = 2 * kPi * gore / kGores;
    const float narrow = down > kPi / 2 ? 1 - 0.16f * std::sin(2 * (down - kPi / 2)) : 1;
    const float r = kRadius * std::sin(down) * narrow,
                y = kMiddle + kRadius * (down > kPi / 2 ? 1.18f : 1) * std::cos(down);
    return Vec3{r * std::sin(angle), y, r * std::cos(angle)};
  };
  for (uint32_t gore = 0; gore < kGores; ++gore) {
    for (uint32_t ring = 0; ring < kRings; ++ring) {
      const Color color = ring == 4 || ring == 5 ? (gore % 2 == 0 ? kBlue : kCream) : (gore % 2 == 0 ? kRed : kCream);
      const Vec3 a = point(ring + 1, float(gore)), b = point(ring + 1, float(gore + 1));
      const Vec3 c = point(ring, float(gore + 1)), d = point(ring, float(gore));
      built.add_triangle(a, b, d, color);
      if (ring > 0) built.add_triangle(b, c, d, color);
    }
  }
  for (const float x : {-0.2f, 0.2f}) {
    for (const float z : {-0.2f, 0.2f})
      built.add_beam({x, 0.34f, z}, {x * 1.6f, 1.15f, z * 1.6f}, 0.025f, {0.2f, 0.14f, 0.08f});
  }
  built.add_box({{-0.22f, 0, -0.22f}, {0.22f, 0.36f, 0.22f}}, {0.33f, 0.2f, 0.09f});
  return {built.take(), scale};
}

}  // namespace sinew::app
