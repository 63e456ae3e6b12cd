#include "sinew/animation/bounds.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "out_of_memory.h"
#include "reach.h"

namespace sinew {
namespace {

constexpr double kTolerance = 0.002;  // of the rest pose's diagonal: what may be added without looking between frames
constexpr double kMostParts = 32;     // that an interval between frames is looked at in
constexpr double kFloatShare = 1e-5;  // of the largest coordinate: what sums of floats may lose

/// Bounds of how a step's matrix depends on the share of the way from a frame to the next: of the norms of its
/// rotation with stretch and of that's derivatives, of its origin's distance from the parent's and how fast that moves.
struct Motion {
  double size = 1, speed = 0, bend = 0;
  double distance = 0, shift = 0;
};

/// The same of all steps from the root to one.
struct Sway {
  double size = 1, speed = 0, bend = 0;
  double origin_speed = 0, origin_bend = 0;
};

/// By the product rule; nothing of a step's place bends, for it moves in a line.
Sway after(const Sway& parent, const Motion& own) {
  Sway sway;
  sway.size = parent.size * own.size;
  sway.speed = parent.speed * own.size + parent.size * own.speed;
  sway.bend = parent.bend * own.size + 2 * parent.speed * own.speed + parent.size * own.bend;
  sway.origin_speed = parent.origin_speed + parent.speed * own.distance + parent.size * own.shift;
  sway.origin_bend = parent.origin_bend + parent.bend * own.distance + 2 * parent.speed * own.shift;
  return sway;
}

/// No smaller than the norm of a symmetric matrix.
double norm_of(const double (&k)[6]) {
  const double xy = std::abs(k[3]), xz = std::abs(k[4]), yz = std::abs(k[5]);
  return std::max({std::abs(k[0]) + xy + xz, std::abs(k[1]) + xy + yz, std::abs(k[2]) + xz + yz});
}

double distance(const double (&a)[3], const double (&b)[3]) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// A quaternion on the line between two that are an angle a apart turns at most with tan(a / 2) * 2, half as fast as
/// what it rotates, and speeds up with at most 2 sin(a) (1 - cos(a)) / cos(a / 2)^4.
Motion motion_between(const Movement& a, const Movement& b, const double (&parent_origin)[3]) {
  double ab = 0, aa = 0, bb = 0;
  for (int c = 0; c < 4; ++c) {
    ab += a.rotation[c] * b.rotation[c], aa += a.rotation[c] * a.rotation[c], bb += b.rotation[c] * b.rotation[c];
  }
  const double cosine = std::clamp(ab / std::sqrt(aa * bb), -1.0, 1.0), sine = std::sqrt(1 - cosine * cosine);
  const double turn = 4.01 * sine / (1 + cosine);  // stored quaternions are not quite of length 1
  const double quicken = 16.1 * sine * (1 - cosine) / ((1 + cosine) * (1 + cosine));
  double change[6];
  for (int i = 0; i < 6; ++i) change[i] = b.stretch[i] - a.stretch[i];
  const double stretch = std::max(norm_of(a.stretch), norm_of(b.stretch)), growth = norm_of(change);
  Motion motion;
  motion.size = stretch;
  motion.speed = turn * stretch + growth;
  motion.bend = (turn * turn + quicken) * stretch + 2 * turn * growth;
  motion.distance = std::max(distance(a.place, parent_origin), distance(b.place, parent_origin));
  motion.shift = distance(a.place, b.place);
  return motion;
}

/// The most that rounding of a step's numbers makes of the same; quaternions between frames are no shorter than 0.7.
Motion tremor_of(const Motion& motion, const NumberUnits& units) {
  Motion tremor = motion;
  tremor.speed = 1.5 * units.rotation * motion.size + units.stretch;
  tremor.shift = units.place;
  return tremor;
}

void mix(std::span<const Movement> a, std::span<const Movement> b, double share, std::span<Movement> between) {
  const auto towards = [&](double from, double to) { return from + (to - from) * share; };
  for (size_t i = 0; i < between.size(); ++i) {
    Movement& m = between[i];
    for (int c = 0; c < 4; ++c) m.rotation[c] = towards(a[i].rotation[c], b[i].rotation[c]);
    for (int c = 0; c < 3; ++c) m.place[c] = towards(a[i].place[c], b[i].place[c]);
    for (int c = 0; c < 6; ++c) m.stretch[c] = towards(a[i].stretch[c], b[i].stretch[c]);
  }
}

/// What a step's entry moves.
struct Hung {
  WideBox vertices;   // in mesh space
  double radius = 0;  // around the step's origin
};

/// What every step's own place or, of `matrix`, model space's is, given a box of vertices.
void include_moved(const WideBox& vertices, const Matrix3x4d& matrix, double margin, WideBox& box) {
  double low[3], high[3];
  for (int r = 0; r < 3; ++r) {
    double centre = matrix.m[r][3], half = 0;
    for (int c = 0; c < 3; ++c) {
      centre += matrix.m[r][c] * (vertices.low[c] + vertices.high[c]) / 2;
      half += std::abs(matrix.m[r][c]) * (vertices.high[c] - vertices.low[c]) / 2;
    }
    low[r] = centre - half, high[r] = centre + half;
  }
  box.include(low, high, margin);
}

/// The boxes of a clip's poses, frame by frame.
class ClipWalk {
 public:
  ClipWalk(const BakedCharacter& baked, std::span<const Hung> hung)
      : baked_(baked),
        hung_(hung),
        before_(hung.size()),
        after_(hung.size()),
        between_(hung.size()),
        skinning_(hung.size()),
        sways_(hung.size()),
        tremors_(hung.size()),
        margins_(hung.size()),
        rounding_(hung.size()),
        units_(hung.size()) {}

  /// Of a clip that is not additive. What may be added without looking between frames is `tolerance`.
  WideBox box_of(const BakedClip& clip, double tolerance) {
    for (size_t step = 0; step < units_.size(); ++step) units_[step] = number_units(baked_, clip, step);
    WideBox box;
    read_frame(baked_, clip, 0, before_);
    for (uint32_t frame = 1; frame < clip.frame_count; ++frame) {
      read_frame(baked_, clip, frame, after_);
      const double parts = std::ceil(std::sqrt(measure_margins() / tolerance));
      include_interval(parts >= 1 ? std::min(parts, kMostParts) : 1, box);
      before_.swap(after_);
    }
    return box;
  }

 private:
  /// How far entries' vertices may be from the line between both frames. Returns the most.
  double measure_margins() {
    Sway root;
    root.size = std::abs(baked_.scale);
    double most = 0;
    for (size_t step = 0; step < hung_.size(); ++step) {
      const int32_t parent = baked_.joints[step].parent;
      const Vec3 o = parent < 0 ? Vec3{} : baked_.joints[size_t(parent)].origin;
      const Motion motion = motion_between(before_[step], after_[step], {o.x, o.y, o.z});
      const Sway& sway = sways_[step] = after(parent < 0 ? root : sways_[size_t(parent)], motion);
      const Sway& tremor = tremors_[step] =
          after(parent < 0 ? root : tremors_[size_t(parent)], tremor_of(motion, units_[step]));
      const double radius = hung_[step].radius;
      margins_[step] = (sway.origin_bend + sway.bend * radius) / 8;
      rounding_[step] = tremor.origin_speed + tremor.speed * radius;
      if (!hung_[step].vertices.is_empty()) most = std::max(most, margins_[step]);
    }
    return most;
  }

  void include_interval(double parts, WideBox& box) {
    for (double part = 0; part <= parts; ++part) {
      mix(before_, after_, part / parts, between_);
      for (size_t step = 0; step < hung_.size(); ++step) {
        const int32_t parent = baked_.joints[step].parent;
        const Matrix3x4d movement = put_together(between_[step], baked_.joints[step].origin);
        skinning_[step] = (parent < 0 ? root_ : skinning_[size_t(parent)]) * movement;
        if (hung_[step].vertices.is_empty()) continue;
        include_moved(hung_[step].vertices, skinning_[step], margins_[step] / (parts * parts) + rounding_[step], box);
      }
    }
  }

  const BakedCharacter& baked_;
  const double scale_ = baked_.scale;
  const Matrix3x4d root_ = {{{scale_, 0, 0, 0}, {0, scale_, 0, 0}, {0, 0, scale_, 0}}};
  std::span<const Hung> hung_;
  std::vector<Movement> before_, after_, between_;
  std::vector<Matrix3x4d> skinning_;
  std::vector<Sway> sways_, tremors_;
  std::vector<double> margins_, rounding_;
  std::vector<NumberUnits> units_;
};

using Ranges = std::vector<MovementRange>;

class Measurer {
 public:
  Measurer(const Character& character, const BakedCharacter& baked) : baked_(baked), hung_(baked.joints.size()) {
    hang(character.mesh);
    for (const Hung& hung : hung_) vertices_.push_back(hung.vertices);
  }

  Result<CharacterBounds> measure() {
    for (const BakedClip& clip : baked_.clips) ranges_.push_back(ranges_over(baked_, clip));
    ClipWalk walk(baked_, hung_);
    measure_rest(walk);
    measure_all();
    for (size_t clip = 0; clip < ranges_.size(); ++clip) {
      bounds_.clips.push_back(alone(walk, clip));
      for (size_t other = 0; pairs_all() && other <= clip; ++other) bounds_.pairs.push_back(pair(other, clip));
    }
    if (!is_finite_) return Error{ErrorCode::kInvalidData, "bounds: the bake reaches beyond what floats hold"};
    return std::move(bounds_);
  }

 private:
  bool pairs_all() const { return baked_.clips.size() <= kMaxPairedClips; }

  void hang(const Mesh& mesh) {
    std::vector<size_t> step_of(baked_.palette_size);
    for (size_t step = 0; step < hung_.size(); ++step) {
      if (baked_.joints[step].entry >= 0) step_of[size_t(baked_.joints[step].entry)] = step;
    }
    for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
      const Vec3 p = mesh.positions[v];
      const double at[3] = {p.x, p.y, p.z};
      double sum = 0;
      for (const Influence influence : mesh.influences_of(v)) {
        Hung& hung = hung_[step_of[influence.entry]];
        const Vec3 o = baked_.joints[step_of[influence.entry]].origin;
        hung.vertices.include(at, at);
        hung.radius = std::max(hung.radius, std::hypot(at[0] - o.x, at[1] - o.y, at[2] - o.z));
        sum += double(influence.weight);
      }
      largest_ = std::max({largest_, std::abs(at[0]), std::abs(at[1]), std::abs(at[2])});
      lost_weight_ = std::max(lost_weight_, std::abs(sum - 1));
    }
    largest_ *= std::abs(double(baked_.scale));
  }

  void measure_rest(ClipWalk& walk) {
    BakedClip rest;  // which a bake begins with
    rest.frame_count = 2;
    bounds_.rest = finished(walk.box_of(rest, INFINITY));
    tolerance_ = kTolerance * double(length(bounds_.rest.high - bounds_.rest.low));
    rest_ = ranges_over(baked_, rest);
  }

  void measure_all() {
    std::vector<std::span<const MovementRange>> blended, additions;
    for (size_t i = 0; i < ranges_.size(); ++i) (baked_.clips[i].additive ? additions : blended).push_back(ranges_[i]);
    bounds_.blended = blended.empty() ? bounds_.rest : reach(merged(blended));
    blended.push_back(rest_);
    bounds_.layered = additions.empty() ? bounds_.blended : reach(added(merged(blended), merged(additions)));
  }

  /// What is found frame by frame, where the clip's own reach is no nearer.
  Box alone(ClipWalk& walk, size_t clip) {
    if (baked_.clips[clip].additive) return bounds_.layered;
    WideBox box = walk.box_of(baked_.clips[clip], tolerance_);
    const WideBox most = reach_of(baked_, ranges_[clip], vertices_);
    for (int axis = 0; axis < 3; ++axis) {
      box.low[axis] = std::max(box.low[axis], most.low[axis]);
      box.high[axis] = std::min(box.high[axis], most.high[axis]);
    }
    return finished(box);
  }

  Box pair(size_t a, size_t b) {
    if (baked_.clips[a].additive || baked_.clips[b].additive) return bounds_.layered;
    const std::span<const MovementRange> both[] = {ranges_[a], ranges_[b]};
    return reach(merged(both));
  }

  Box reach(const Ranges& ranges) { return finished(reach_of(baked_, ranges, vertices_)); }

  /// With what floats and weights lose.
  Box finished(WideBox box) {
    if (box.is_empty()) return {};
    double largest = largest_;
    for (int i = 0; i < 3; ++i) largest = std::max({largest, std::abs(box.low[i]), std::abs(box.high[i])});
    box.include(box.low, box.high, largest * (kFloatShare + lost_weight_));
    const Box result = {{float(box.low[0]), float(box.low[1]), float(box.low[2])},
                        {float(box.high[0]), float(box.high[1]), float(box.high[2])}};
    is_finite_ = is_finite_ && is_finite(result.low) && is_finite(result.high);
    return result;
  }

  const BakedCharacter& baked_;
  std::vector<Hung> hung_;
  std::vector<WideBox> vertices_;
  double largest_ = 0;      // coordinate of a vertex
  double lost_weight_ = 0;  // the most that a vertex's weights are from adding to 1
  double tolerance_ = 0;
  std::vector<Ranges> ranges_;
  Ranges rest_;
  CharacterBounds bounds_;
  bool is_finite_ = true;
};

}  // namespace

Result<CharacterBounds> measure_bounds(const Character& character, const BakedCharacter& baked) try {
  if (Status status = validate(character.mesh, character.skin.palette_size()); !status) return status.error();
  if (Status status = validate(baked); !status) return status.error();
  if (Status status = validate(baked, character); !status) return status.error();
  return Measurer(character, baked).measure();
} catch (const std::bad_alloc&) {
  return out_of_memory();
}

Box bounds_of(const CharacterBounds& bounds, const BakedCharacter& baked, const Playback& playback) {
  size_t clips[kMaxLayers], count = 0;
  for (const Layer& layer : playback.layers) {
    if (!(layer.weight > 0) || layer.clip >= baked.clips.size()) continue;
    if (baked.clips[layer.clip].additive) return bounds.layered;
    clips[count++] = layer.clip;
  }
  if (count == 0) return bounds.rest;
  if (count == 1) return bounds.clips[clips[0]];
  if (count > 2 || bounds.pairs.empty()) return bounds.blended;
  const size_t low = std::min(clips[0], clips[1]), high = std::max(clips[0], clips[1]);
  return bounds.pairs[high * (high + 1) / 2 + low];
}

}  // namespace sinew
