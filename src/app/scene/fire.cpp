#include "scene/fire.h"

#include <array>
#include <cmath>
#include <iterator>

namespace sinew::app {
namespace {

constexpr uint32_t kTongueSides = 5;
constexpr float kWidth = 0.27f;                            // of a fire: its radius, as a share of its height
constexpr float kBelowLamp = 0.6f;                         // of its height: from its bottom up to its lamp
constexpr float kHighFire = 1;                             // meters: higher fires have more tongues, and sparks
constexpr uint32_t kOuter = 18, kInner = 5, kSparks = 16;  // of large fires
constexpr double kSparkSeconds = 2.6;

/// Linear, as Color of architecture.h has it.
struct Glow {
  float r, g, b, glow;

  uint32_t packed(float bright = 1) const { return pack_color(r, g, b) | uint32_t(bright * glow * 255) << 24; }
};

/// A ring of a tongue: its height and radius as shares of those of the tongue.
struct Ring {
  float height, radius;
  Glow outer, inner;
};

// Bright below, red at the tip; the inner tongues are hotter.
constexpr Ring kRings[] = {{0, 0.45f, {1, 0.5f, 0.1f, 0.30f}, {1, 0.75f, 0.3f, 0.60f}},
                           {0.2f, 1.0f, {1, 0.32f, 0.035f, 0.24f}, {1, 0.62f, 0.18f, 0.50f}},
                           {0.45f, 0.78f, {1, 0.2f, 0.015f, 0.20f}, {1, 0.5f, 0.1f, 0.42f}},
                           {0.75f, 0.36f, {0.9f, 0.12f, 0.006f, 0.15f}, {1, 0.36f, 0.05f, 0.32f}},
                           {1, 0, {0.7f, 0.07f, 0.003f, 0.1f}, {1, 0.24f, 0.02f, 0.22f}}};

struct Tongue {
  Vec3 at;
  float radius, height, phase, bright;
  bool inner = false;
};

/// A smooth number from -1 to 1.
float wave(double seconds, float per_second, float phase) {
  return std::sin(float(std::fmod(seconds * double(per_second), 1.0)) * 2 * kPi + phase);
}

/// It leans and stretches, its tip more than its bottom: what moves runs upward.
void draw_tongue(const Tongue& tongue, double seconds, std::vector<StandVertex>& vertices) {
  std::array<std::array<Vec3, kTongueSides>, std::size(kRings)> rings;
  const float phase = tongue.phase, height = tongue.height * (0.82f + 0.18f * wave(seconds, 1.9f, 3 * phase));
  for (size_t i = 0; i < rings.size(); ++i) {
    const auto [share, wide, outer, inner] = kRings[i];
    const float lean = 0.15f * height * share;
    const Vec3 middle = tongue.at + Vec3{lean * wave(seconds, 1.3f, phase - 4 * share), share * height,
                                         lean * wave(seconds, 1.1f, 2 * phase - 4 * share)};
    const float radius = tongue.radius * wide * (1 + 0.15f * wave(seconds, 2.3f, 5 * phase - 6 * share));
    for (uint32_t side = 0; side < kTongueSides; ++side) {
      const float angle = phase + 2 * kPi * float(side) / kTongueSides;
      rings[i][side] = middle + Vec3{radius * std::sin(angle), 0, radius * std::cos(angle)};
    }
  }
  const auto add = [&](size_t ring, uint32_t side) {
    const Glow& color = tongue.inner ? kRings[ring].inner : kRings[ring].outer;
    vertices.push_back(stand_vertex(rings[ring][side % kTongueSides], {0, 1, 0}, color.packed(tongue.bright)));
  };
  for (size_t low = 0; low + 1 < rings.size(); ++low) {
    for (uint32_t side = 0; side < kTongueSides; ++side) {
      add(low, side), add(low, side + 1), add(low + 1, side + 1);
      if (kRings[low + 1].radius > 0) add(low, side), add(low + 1, side + 1), add(low + 1, side);
    }
  }
}

/// They rise and go out, again and again.
void draw_sparks(Vec3 bottom, float height, double seconds, std::vector<StandVertex>& vertices) {
  for (uint32_t i = 0; i < kSparks; ++i) {
    Random random{mix(i)};
    const auto age = float(std::fmod(seconds / kSparkSeconds + double(random.unit()), 1.0));
    const float phase = random.between(0, 2 * kPi), far = kWidth * height * (0.3f + 1.2f * age * random.unit());
    const float angle = phase + 1.5f * age, size = 0.035f * (1 - age);
    const Vec3 at = bottom + Vec3{far * std::sin(angle), height * (0.5f + 1.1f * age), far * std::cos(angle)};
    const uint32_t color = Glow{1, 0.35f, 0.04f, 0.5f * (1 - age)}.packed();
    for (const Vec3 side : {Vec3{size, 0, 0}, Vec3{-size, 0, 0}, Vec3{0, 0, size}, Vec3{0, 0, -size}}) {
      for (const Vec3 corner : {side, side * -1, Vec3{0, 2 * size, 0}})
        vertices.push_back(stand_vertex(at + corner, {0, 1, 0}, color));
    }
  }
}

/// Tongues around the middle, lower outside, and hotter ones in it.
void draw_fire(Vec3 bottom, float height, double seconds, std::vector<StandVertex>& vertices) {
  const bool large = height > kHighFire;
  const uint32_t outer = large ? kOuter : 3, inner = large ? kInner : 1;
  const float wide = kWidth * height, thin = wide * (large ? 0.33f : 0.5f), place = 7.3f * bottom.x + 3.1f * bottom.z;
  for (uint32_t i = 0; i < outer + inner; ++i) {
    const bool in = i >= outer;
    Random random{mix(i)};
    const float angle = 2.4f * float(i), far = wide * (in ? 0.25f : large ? random.between(0.3f, 0.8f) : 0.35f);
    const float high = in ? random.between(0.7f, 0.95f) : 1.05f - 0.75f * far / wide;
    draw_tongue({.at = bottom + Vec3{far * std::sin(angle), 0, far * std::cos(angle)},
                 .radius = in ? 0.8f * thin : thin,
                 .height = high * height,
                 .phase = place + 1.7f * float(i),
                 .bright = random.between(0.7f, 1.2f),
                 .inner = in},
                seconds, vertices);
  }
  if (large) draw_sparks(bottom, height, seconds, vertices);
}

}  // namespace

void burn(double seconds, Scene& scene) {
  for (Lamp& lamp : scene.lamps) {
    if (lamp.flames == 0) continue;
    const float phase = lamp.position.x + 2 * lamp.position.z;
    lamp.strength = 1 + 0.07f * wave(seconds, 2.9f, phase) + 0.05f * wave(seconds, 4.7f, 2 * phase);
    draw_fire(lamp.position - Vec3{0, kBelowLamp * lamp.flames, 0}, lamp.flames, seconds, scene.props);
  }
}

}  // namespace sinew::app
