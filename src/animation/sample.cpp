#include "sinew/animation/pose.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "baked_weights.h"
#include "sinew/animation/weights.h"

namespace sinew {
namespace {

/// The two keys around a time, and the position between them.
struct KeyPair {
  size_t from = 0, to = 0;
  float share = 0;  // of the interval, [0, 1)
  float duration_seconds = 0;
};

KeyPair find_keys(std::span<const float> times, float time_seconds) {
  // The first key after the time. Of several keys at the same time, the last one is used.
  const size_t after = size_t(std::upper_bound(times.begin(), times.end(), time_seconds) - times.begin());
  if (after == 0) return {0, 0, 0, 0};
  if (after == times.size()) return {after - 1, after - 1, 0, 0};
  const float from = times[after - 1], duration = times[after] - from;
  return {after - 1, after, (time_seconds - from) / duration, duration};
}

Vec3 interpolate(Vec3 a, Vec3 b, float share, RotationBlend) { return a + (b - a) * share; }
float interpolate(float a, float b, float share, RotationBlend) { return a + (b - a) * share; }

/// Slerp: Shoemake, "Animating Rotation with Quaternion Curves", SIGGRAPH 1985. Nearly equal rotations use nlerp.
Quat interpolate(Quat a, Quat b, float share, RotationBlend blend) {
  double cosine = double(a.x) * b.x + double(a.y) * b.y + double(a.z) * b.z + double(a.w) * b.w;
  const double sign = cosine < 0 ? -1 : 1;
  cosine = std::abs(cosine);
  double weight_a = 1 - double(share), weight_b = share;
  if (blend == RotationBlend::kSlerp && cosine < 1 - 1e-9) {
    const double angle = std::acos(cosine), sine = std::sin(angle);
    weight_a = std::sin(weight_a * angle) / sine;
    weight_b = std::sin(weight_b * angle) / sine;
  }
  weight_b *= sign;
  return normalize(Quat{float(weight_a * a.x + weight_b * b.x), float(weight_a * a.y + weight_b * b.y),
                        float(weight_a * a.z + weight_b * b.z), float(weight_a * a.w + weight_b * b.w)});
}

Vec3 weighted_sum(const Vec3 (&v)[4], const float (&w)[4]) {
  return v[0] * w[0] + v[1] * w[1] + v[2] * w[2] + v[3] * w[3];
}

float weighted_sum(const float (&v)[4], const float (&w)[4]) {
  return v[0] * w[0] + v[1] * w[1] + v[2] * w[2] + v[3] * w[3];
}

Quat weighted_sum(const Quat (&v)[4], const float (&w)[4]) {
  const auto sum = [&](auto component) {
    return component(v[0]) * w[0] + component(v[1]) * w[1] + component(v[2]) * w[2] + component(v[3]) * w[3];
  };
  return normalize(Quat{sum([](Quat q) { return q.x; }), sum([](Quat q) { return q.y; }),
                        sum([](Quat q) { return q.z; }), sum([](Quat q) { return q.w; })});
}

/// A cubic Hermite spline; each key has an in-tangent, a value and an out-tangent. glTF 2.0 specification, appendix C.
template <class Value>
Value hermite(std::span<const Value> values, const KeyPair& keys) {
  const float s = keys.share, s2 = s * s, s3 = s2 * s, d = keys.duration_seconds;
  const Value points[4] = {values[keys.from * 3 + 1], values[keys.from * 3 + 2], values[keys.to * 3 + 1],
                           values[keys.to * 3]};
  const float weights[4] = {2 * s3 - 3 * s2 + 1, d * (s3 - 2 * s2 + s), -2 * s3 + 3 * s2, d * (s3 - s2)};
  return weighted_sum(points, weights);
}

template <class Value>
void sample_track(const Track<Value>& track, float time_seconds, RotationBlend blend, Value& value) {
  if (track.times_seconds.empty()) return;
  const KeyPair keys = find_keys(track.times_seconds, time_seconds);
  switch (track.interpolation) {
    case Interpolation::kStep:
      value = track.values[keys.from];
      break;
    case Interpolation::kLinear:
      value = interpolate(track.values[keys.from], track.values[keys.to], keys.share, blend);
      break;
    case Interpolation::kCubic:
      value = hermite<Value>(track.values, keys);
      break;
  }
}

/// `seconds` without whole periods, from -period to period. As exact as std::fmod(), and faster: a crowd asks often. A
/// period is a float or two, so that the product has at most 53 bits. The quotient may be rounded up to a whole number;
/// then the result has the other sign than `seconds`.
double without_rounds(double seconds, double period) {
  const double rounds = seconds / period;
  if (!(std::abs(rounds) < double(1 << 29))) return std::fmod(seconds, period);
  return seconds - double(int64_t(rounds)) * period;
}

}  // namespace

float clip_time(const Clip& clip, double seconds, Looping looping) {
  const double duration = clip.duration_seconds();
  if (!(duration > 0) || !std::isfinite(seconds)) return clip.start_seconds;
  double offset = std::clamp(seconds, 0.0, duration);
  if (looping != Looping::kClamp) {
    const double period = looping == Looping::kPingPong ? 2 * duration : duration;
    offset = without_rounds(seconds, period);
    if (offset < 0) offset += period;
    if (offset > duration) offset = period - offset;
  }
  return std::clamp(float(clip.start_seconds + offset), clip.start_seconds, clip.end_seconds);
}

void sample_clip(const Clip& clip, const Skeleton& skeleton, float time_seconds, std::span<Transform> pose,
                 RotationBlend rotation_blend) {
  assert(pose.size() == skeleton.joint_count());
  if (clip.additive) {
    std::fill(pose.begin(), pose.end(), Transform());
  } else {
    std::copy(skeleton.rest_pose.begin(), skeleton.rest_pose.end(), pose.begin());
  }
  for (const JointTracks& tracks : clip.tracks) {
    Transform& local = pose[tracks.joint];
    sample_track(tracks.translation, time_seconds, rotation_blend, local.translation);
    sample_track(tracks.rotation, time_seconds, rotation_blend, local.rotation);
    sample_track(tracks.scale, time_seconds, rotation_blend, local.scale);
  }
}

void sample_weights(const Clip& clip, std::span<const MorphTarget> targets, float time_seconds,
                    std::span<float> weights) {
  assert(weights.size() == targets.size());
  for (size_t t = 0; t < targets.size(); ++t) weights[t] = clip.additive ? 0 : targets[t].rest_weight;
  for (const WeightTrack& track : clip.weights) {
    weights[track.target] = internal::sample_weight(track, time_seconds, weights[track.target]);
  }
}

float internal::sample_weight(const WeightTrack& track, float time_seconds, float without_keys) {
  float weight = without_keys;
  sample_track(track.weight, time_seconds, RotationBlend::kNlerp, weight);
  return weight;
}

}  // namespace sinew
