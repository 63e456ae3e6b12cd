#include "reach.h"

#include <algorithm>
#include <numbers>

#include "sinew/animation/evaluator.h"

namespace sinew {
namespace {

constexpr double kAnyArc = std::numbers::pi / 2;
// Within it, signs that follow any of the rotations follow all, so that what is blended stays among them.
constexpr double kWidestArc = std::numbers::pi / 4 - 1e-6;

using Quaternion = double[4];

double dot(const Quaternion& a, const Quaternion& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

void normalise(Quaternion& q) {
  const double length = std::sqrt(dot(q, q));
  for (double& v : q) v = length > 0 ? v / length : (&v == q + 3 ? 1 : 0);
}

double arc_between(const Quaternion& a, const Quaternion& b) {
  return std::acos(std::min(std::abs(dot(a, b)) / std::sqrt(dot(a, a) * dot(b, b)), 1.0));
}

/// Adds `q` or its negative, whichever is nearer to the sum.
void accumulate(const Quaternion& q, Quaternion& sum) {
  const double sign = dot(q, sum) < 0 ? -1 : 1;
  for (int c = 0; c < 4; ++c) sum[c] += sign * q[c];
}

/// By Gershgorin's circles: the eigenvalues of a symmetric matrix are that near to its diagonal.
void include_stretch(const double (&k)[6], MovementRange& range) {
  const double aside[3] = {std::abs(k[3]) + std::abs(k[4]), std::abs(k[3]) + std::abs(k[5]),
                           std::abs(k[4]) + std::abs(k[5])};
  for (int i = 0; i < 3; ++i) {
    range.least = std::min(range.least, std::max(k[i] - aside[i], 0.0));
    range.most = std::max(range.most, std::abs(k[i]) + aside[i]);
  }
}

/// What rounding between frames may add: half a unit in each number, of quaternions no shorter than a half.
void include_rounding(const BakedCharacter& baked, const BakedClip& clip, std::vector<MovementRange>& ranges) {
  for (size_t step = 0; step < ranges.size(); ++step) {
    const NumberUnits units = number_units(baked, clip, step);
    MovementRange& range = ranges[step];
    range.arc = std::min(range.arc + units.rotation, kAnyArc);
    range.place.include(range.place.low, range.place.high, units.place);
    range.least = std::max(range.least - units.stretch, 0.0), range.most += units.stretch;
  }
}

/// Widens the arc around the centre. A bake's signs follow each other, so that what lies between two frames is no
/// farther than they are.
void include_rotation(const Quaternion& q, bool additive, MovementRange& range) {
  range.arc = std::max(range.arc, arc_between(q, range.centre));
  if (!additive && range.arc > kWidestArc) range.arc = kAnyArc;
}

/// The middle of each step's rotations.
void find_centres(const BakedCharacter& baked, const BakedClip& clip, std::vector<MovementRange>& ranges) {
  std::vector<Movement> movements(ranges.size());
  for (uint32_t frame = 0; frame < clip.frame_count; ++frame) {
    read_frame(baked, clip, frame, movements);
    for (size_t step = 0; step < ranges.size(); ++step) {
      if (frame == 0) std::fill(std::begin(ranges[step].centre), std::end(ranges[step].centre), 0.0);
      accumulate(movements[step].rotation, ranges[step].centre);
    }
  }
  for (MovementRange& range : ranges) normalise(range.centre);
}

}  // namespace

void WideBox::include(const double (&least)[3], const double (&most)[3], double margin) {
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = std::min(low[axis], least[axis] - margin);
    high[axis] = std::max(high[axis], most[axis] + margin);
  }
}

NumberUnits number_units(const BakedCharacter& baked, const BakedClip& clip, size_t step) {
  const BakedRange* range = &baked.ranges_of(clip)[step * baked.records_per_joint];
  NumberUnits units;
  units.rotation =
      std::hypot(std::hypot(range->scale[0], range->scale[1]), std::hypot(range->scale[2], range->scale[3]));
  units.place = std::hypot(range->scale[4], range->scale[5], range->scale[6]);
  for (int c = 0; baked.scales() && c < 6; ++c) units.stretch += double(std::abs(range[1].scale[c]));
  return units;
}

void read_frame(const BakedCharacter& baked, const BakedClip& clip, uint32_t frame, std::span<Movement> movements) {
  const int16_t* numbers = baked.numbers_of(clip.first_frame + frame);
  const BakedRange* range = baked.ranges_of(clip).data();
  const auto number = [&](size_t c) { return range->centre[c] + double(range->scale[c]) * numbers[c]; };
  for (Movement& movement : movements) {
    for (size_t c = 0; c < 4; ++c) movement.rotation[c] = number(c);
    for (size_t c = 0; c < 3; ++c) movement.place[c] = number(4 + c);
    ++range, numbers += kBakedComponents;
    if (!baked.scales()) continue;
    for (size_t c = 0; c < 6; ++c) movement.stretch[c] = number(c);
    ++range, numbers += kBakedComponents;
  }
}

std::vector<MovementRange> ranges_over(const BakedCharacter& baked, const BakedClip& clip) {
  std::vector<MovementRange> ranges(baked.joints.size());
  if (!clip.additive) find_centres(baked, clip, ranges);  // of differences it is none at all
  std::vector<Movement> movements(ranges.size());
  const double nothing[3] = {0, 0, 0};
  for (uint32_t frame = 0; frame < clip.frame_count; ++frame) {
    read_frame(baked, clip, frame, movements);
    for (size_t step = 0; step < ranges.size(); ++step) {
      MovementRange& range = ranges[step];
      const Movement& movement = movements[step];
      if (frame == 0 && clip.additive) range.place.include(nothing, nothing);
      if (frame == 0 && !clip.additive) range.least = INFINITY, range.most = 0;
      include_rotation(movement.rotation, clip.additive, range);
      range.place.include(movement.place, movement.place);
      include_stretch(movement.stretch, range);
    }
  }
  include_rounding(baked, clip, ranges);
  return ranges;
}

std::vector<MovementRange> merged(std::span<const std::span<const MovementRange>> sets) {
  std::vector<MovementRange> result(sets[0].begin(), sets[0].end());
  for (size_t step = 0; step < result.size(); ++step) {
    MovementRange& range = result[step];
    for (const auto set : sets.subspan(1)) accumulate(set[step].centre, range.centre);
    normalise(range.centre);
    range.arc = 0;
    for (const auto set : sets) {
      const MovementRange& other = set[step];
      range.arc = std::max(range.arc, arc_between(range.centre, other.centre) + other.arc);
      range.place.include(other.place.low, other.place.high);
      range.least = std::min(range.least, other.least), range.most = std::max(range.most, other.most);
    }
    if (range.arc > kWidestArc) range.arc = kAnyArc;
  }
  return result;
}

std::vector<MovementRange> added(std::span<const MovementRange> base, std::span<const MovementRange> additions) {
  std::vector<MovementRange> result(base.begin(), base.end());
  for (size_t step = 0; step < result.size(); ++step) {
    MovementRange& range = result[step];
    const MovementRange& addition = additions[step];
    range.arc = std::min(range.arc + kMaxLayers * addition.arc, kAnyArc);
    for (int c = 0; c < 3; ++c) {
      range.place.low[c] += kMaxLayers * addition.place.low[c];
      range.place.high[c] += kMaxLayers * addition.place.high[c];
    }
    range.least *= std::pow(addition.least, kMaxLayers), range.most *= std::pow(addition.most, kMaxLayers);
  }
  return result;
}

namespace {

/// Directions no farther than an angle from one.
class Cone {
 public:
  explicit Cone(double angle) : any_(angle >= std::numbers::pi), cosine_(std::cos(angle)), sine_(std::sin(angle)) {}

  /// The farthest that `v` reaches along one of the directions, given how far along the middle one.
  double farthest(double length, double along) const {
    if (any_ || along >= length * cosine_) return length;
    return along * cosine_ + std::sqrt(std::max(length * length - along * along, 0.0)) * sine_;
  }

  /// The same of a box around `centre`.
  double farthest(const double (&centre)[3], const double (&half)[3], const double (&direction)[3]) const {
    const double* d = direction;
    const double length = std::sqrt(centre[0] * centre[0] + centre[1] * centre[1] + centre[2] * centre[2]);
    double result = farthest(length, centre[0] * d[0] + centre[1] * d[1] + centre[2] * d[2]);
    for (int i = 0; i < 3; ++i) result += farthest(half[i], half[i] * std::abs(d[i]));
    return result;
  }

 private:
  bool any_;
  double cosine_, sine_;
};

/// Where a step may stand. Seen from it, model space's axes are known but for an angle and a factor.
struct Stance {
  double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double angle = 0;
  double least = 1, most = 1;
  double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};  // of its origin

  /// What a box in its space adds to where its origin is.
  void reach(const WideBox& box, Vec3 origin, double (&from)[3], double (&to)[3]) const {
    const double o[3] = {origin.x, origin.y, origin.z};
    double centre[3], half[3];
    for (int i = 0; i < 3; ++i) {
      centre[i] = (box.low[i] + box.high[i]) / 2 - o[i];
      half[i] = (box.high[i] - box.low[i]) / 2;
    }
    const Cone cone(angle);
    for (int i = 0; i < 3; ++i) {
      const double(&axis)[3] = axes[i];
      const double up = cone.farthest(centre, half, axis);
      const double down = cone.farthest(centre, half, {-axis[0], -axis[1], -axis[2]});
      to[i] = high[i] + up * (up > 0 ? most : least);
      from[i] = low[i] - down * (down > 0 ? most : least);
    }
  }

  void turn(const MovementRange& range) {
    const Matrix3x4d r = put_together({{range.centre[0], range.centre[1], range.centre[2], range.centre[3]}}, {});
    for (auto& axis : axes) {
      const double a[3] = {axis[0], axis[1], axis[2]};
      for (int c = 0; c < 3; ++c) axis[c] = a[0] * r.m[0][c] + a[1] * r.m[1][c] + a[2] * r.m[2][c];
    }
    // A stretch turns directions too, by no more than this.
    const double lean = std::asin(std::min((range.most - range.least) / (range.most + range.least), 1.0));
    const bool mirrors = !(range.least > 0);
    angle += mirrors ? std::numbers::pi : 2 * range.arc + (range.most > range.least ? lean : 0);
    least *= range.least, most *= range.most;
  }
};

}  // namespace

WideBox reach_of(const BakedCharacter& baked, std::span<const MovementRange> ranges,
                 std::span<const WideBox> vertices) {
  Stance root;
  root.least = root.most = std::abs(baked.scale);
  if (baked.scale < 0) root.angle = std::numbers::pi;
  std::vector<Stance> stances(ranges.size());
  WideBox reach;
  for (size_t step = 0; step < ranges.size(); ++step) {
    const int32_t parent = baked.joints[step].parent;
    const Stance& above = parent < 0 ? root : stances[size_t(parent)];
    Stance stance = above;
    above.reach(ranges[step].place, parent < 0 ? Vec3{} : baked.joints[size_t(parent)].origin, stance.low, stance.high);
    stance.turn(ranges[step]);
    stances[step] = stance;
    if (vertices[step].is_empty()) continue;
    double low[3], high[3];
    stance.reach(vertices[step], baked.joints[step].origin, low, high);
    reach.include(low, high);
  }
  return reach;
}

}  // namespace sinew
