#include "scene/terrain.h"

namespace sinew::app {
namespace {

constexpr float kNormalStep = 0.01f;  // meters
constexpr double kWayStep = 0.2;      // meters of a loop

/// Meters.
struct Wave {
  float amplitude, length, heading, phase;  // radians

  float at(float x, float z) const {
    const float along = x * std::sin(heading) + z * std::cos(heading);
    return amplitude * std::sin(2 * std::numbers::pi_v<float> * along / length + phase);
  }
};

constexpr Wave kSmall[] = {{0.62f, 15.5f, 0.5f, 0.4f}, {0.42f, 12.0f, 1.9f, 2.3f}, {0.30f, 19.0f, -0.7f, 4.4f}};
constexpr Wave kLarge[] = {{4.2f, 150, 0.9f, 1.2f}, {3.1f, 105, 2.4f, 3.9f}, {1.9f, 74, -0.4f, 5.3f}};
constexpr float kSmallEnd = 30, kSmallGone = 75;  // meters from the middle: where the small hills get lower
constexpr float kSmallLeft = 0.2f;                // of them, far away
constexpr float kLargeBegin = 26, kLargeAll = 120;

float smooth_step(float from, float to, float at) {
  const float share = std::clamp((at - from) / (to - from), 0.0f, 1.0f);
  return share * share * (3 - 2 * share);
}

/// The waves, all upward.
template <size_t kCount>
float sum(const Wave (&waves)[kCount], float x, float z) {
  float height = 0;
  for (const Wave& wave : waves) height += wave.amplitude + wave.at(x, z);
  return height;
}

}  // namespace

std::vector<Oval::Point> Oval::points(uint32_t of_straight, uint32_t of_arc, bool one_side) const {
  std::vector<Point> points;
  const float straight = 2 * half_straight, arc = std::numbers::pi_v<float> * radius;
  for (int side = one_side ? 1 : 0; side < 2; ++side) {
    const float first = float(side) * perimeter() / 2;
    for (uint32_t i = 0; i < of_straight; ++i) points.push_back(at(first + straight * float(i) / float(of_straight)));
    for (uint32_t i = 0; !one_side && i < of_arc; ++i)
      points.push_back(at(first + straight + arc * float(i) / float(of_arc)));
  }
  points.push_back(one_side ? Point{{-half_straight, 0, -radius}, {0, 0, -1}} : points.front());
  return points;
}

float Terrain::height(float x, float z) const {
  const float u = x / scale_, v = z / scale_, away = std::sqrt(u * u + v * v);
  const float small = 1 - (1 - kSmallLeft) * smooth_step(kSmallEnd, kSmallGone, away);
  return scale_ * (small * sum(kSmall, u, v) + smooth_step(kLargeBegin, kLargeAll, away) * sum(kLarge, u, v));
}

Vec3 Terrain::normal(float x, float z) const {
  const float step = kNormalStep * scale_;
  return normalize(
      Vec3{height(x - step, z) - height(x + step, z), 2 * step, height(x, z - step) - height(x, z + step)});
}

GroundWay::GroundWay(const Terrain& terrain, const Oval& loop, Vec3 center) {
  const float perimeter = loop.perimeter();
  const auto steps = std::max<size_t>(size_t(std::ceil(perimeter / kWayStep)), 8);
  step_ = double(perimeter) / double(steps);
  const auto point = [&](size_t i) {
    const Vec3 at = center + loop.at(std::min(float(double(i) * step_), perimeter)).position;
    return terrain.ground(at.x, at.z);
  };
  along_.reserve(steps + 1);
  along_.push_back(0);
  Vec3 before = point(0);
  for (size_t i = 1; i <= steps; ++i) {
    const Vec3 next = point(i);
    // On a curve the chord is shorter than the loop: the height alone is added.
    along_.push_back(along_.back() + std::hypot(step_, double(next.y - before.y)));
    before = next;
  }
}

float GroundWay::loop_meters(double meters) const {
  const auto after = std::upper_bound(along_.begin() + 1, along_.end() - 1, meters);
  const auto index = size_t(after - along_.begin());
  const double share = (meters - along_[index - 1]) / (along_[index] - along_[index - 1]);
  return float((double(index - 1) + std::clamp(share, 0.0, 1.0)) * step_);
}

}  // namespace sinew::app
