#include "track_value.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew::internal {
namespace {

using Numbers = std::array<double, 4>;

Numbers numbers(float v) { return {v, 0, 0, 0}; }
Numbers numbers(Vec3 v) { return {v.x, v.y, v.z, 0}; }
Numbers numbers(Quat q) { return {q.x, q.y, q.z, q.w}; }
void assign(const Numbers& n, float& v) { v = float(n[0]); }
void assign(const Numbers& n, Vec3& v) { v = {float(n[0]), float(n[1]), float(n[2])}; }
void assign(const Numbers& n, Quat& q) { q = normalize(Quat{float(n[0]), float(n[1]), float(n[2]), float(n[3])}); }

Numbers sum(const Numbers& a, double u, const Numbers& b, double v) {
  return {u * a[0] + v * b[0], u * a[1] + v * b[1], u * a[2] + v * b[2], u * a[3] + v * b[3]};
}

/// Slerp on the shorter arc.
Numbers arc(const Numbers& a, const Numbers& b, double share) {
  const double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const double angle = std::acos(std::min(std::abs(cosine), 1.0));
  double u = 1 - share, v = share;
  if (angle > 1e-6) u = std::sin(u * angle) / std::sin(angle), v = std::sin(v * angle) / std::sin(angle);
  return sum(a, u, b, cosine < 0 ? -v : v);
}

template <class Value>
Value value_of(const Track<Value>& track, float seconds, const Value& rest) {
  if (track.values.empty()) return rest;
  const auto& times = track.times_seconds;
  const size_t width = track.interpolation == Interpolation::kCubic ? 3 : 1;
  const auto value = [&](size_t key, size_t part) { return numbers(track.values[key * width + part]); };
  const size_t next = size_t(std::upper_bound(times.begin(), times.end(), seconds) - times.begin());
  const size_t from = next == 0 ? 0 : next - 1, to = std::min(next, times.size() - 1);
  const double duration = double(times[to]) - times[from];
  const bool stands = from == to || next == 0 || track.interpolation == Interpolation::kStep;
  const double s = stands ? 0 : (double(seconds) - times[from]) / duration;
  Numbers result = value(from, width / 2);
  if (!stands && track.interpolation == Interpolation::kCubic) {
    const Numbers values = sum(result, (2 * s - 3) * s * s + 1, value(to, 1), (3 - 2 * s) * s * s);
    const Numbers tangents =
        sum(value(from, 2), duration * s * (1 - s) * (1 - s), value(to, 0), -duration * s * s * (1 - s));
    result = sum(values, 1, tangents, 1);
  } else if (!stands) {
    const bool is_rotation = std::is_same_v<Value, Quat>;
    result = is_rotation ? arc(result, value(to, 0), s) : sum(result, 1 - s, value(to, 0), s);
  }
  Value converted;
  assign(result, converted);
  return converted;
}

}  // namespace

float value_at(const Track<float>& track, float seconds, float rest) { return value_of(track, seconds, rest); }
Vec3 value_at(const Track<Vec3>& track, float seconds, Vec3 rest) { return value_of(track, seconds, rest); }
Quat value_at(const Track<Quat>& track, float seconds, Quat rest) { return value_of(track, seconds, rest); }

}  // namespace sinew::internal
