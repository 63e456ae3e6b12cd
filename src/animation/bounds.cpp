#include "sinew/animation/bounds.h"

#include <algorithm>
#include <cmath>

#include "asset/exceptions.h"
#include "baked_sample.h"
#include "blend_margin.h"
#include "bounding_extent.h"

namespace sinew {

using namespace internal;
namespace {

constexpr double kTolerance = 0.002;             // of the rest pose's diagonal: largest margin without subdivision
constexpr double kMaxParts = 32;                 // of a subdivided interval between two frames
constexpr double kMaxSubdividedPoses = 1 << 22;  // of nodes, in all clips: then intervals are not subdivided
constexpr uint64_t kMaxKeptRanges = 1 << 20;     // of nodes, in all clips: 100 MB
constexpr uint64_t kMaxPairedRanges = 1 << 22;   // pairs of clips times nodes: a second of work
constexpr double kFloatShare = 1e-5;             // of the largest coordinate: rounding of float sums

/// Upper bounds of a node's motion from one frame to the next; time runs from 0 to 1. `size`, `speed` and
/// `second_derivative`: the norms of rotation * scale and of its derivatives. `distance`: from the parent's origin to
/// the node's origin. `shift`: the speed of the node's origin relative to the parent.
struct NodeMotion {
  double size = 1, speed = 0, second_derivative = 0;
  double distance = 0, shift = 0;
};

/// The same for the product of all nodes from the root to a node, and for that node's origin in model space.
struct MotionBound {
  double size = 1, speed = 0, second_derivative = 0;
  double origin_speed = 0, origin_second_derivative = 0;
};

/// By the product rule. The second derivative of a node's own translation is 0: it moves along a line.
MotionBound combine(const MotionBound& parent, const NodeMotion& node) {
  MotionBound bound;
  bound.size = parent.size * node.size;
  bound.speed = parent.speed * node.size + parent.size * node.speed;
  bound.second_derivative =
      parent.second_derivative * node.size + 2 * parent.speed * node.speed + parent.size * node.second_derivative;
  bound.origin_speed = parent.origin_speed + parent.speed * node.distance + parent.size * node.shift;
  bound.origin_second_derivative =
      parent.origin_second_derivative + parent.second_derivative * node.distance + 2 * parent.speed * node.shift;
  return bound;
}

/// An upper bound of the norm of a symmetric matrix xx yy zz xy xz yz.
double norm_of(const double (&k)[6]) {
  const double xy = std::abs(k[3]), xz = std::abs(k[4]), yz = std::abs(k[5]);
  return std::max({std::abs(k[0]) + xy + xz, std::abs(k[1]) + xy + yz, std::abs(k[2]) + xz + yz});
}

double distance_between(const double (&a)[3], const double (&b)[3]) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// The bounds for the interval from delta `a` to delta `b`. On the line between two quaternions an angle w apart, the
/// direction of the quaternion has an angular speed of at most 2 tan(w / 2). Its angular acceleration is at most
/// 2 sin(w) (1 - cos(w)) / cos(w / 2)^4. The rotation has twice as much of both.
NodeMotion node_motion(const JointDelta& a, const JointDelta& b, const double (&parent_origin)[3]) {
  double ab = 0, aa = 0, bb = 0;
  for (int c = 0; c < 4; ++c) {
    ab += a.rotation[c] * b.rotation[c], aa += a.rotation[c] * a.rotation[c], bb += b.rotation[c] * b.rotation[c];
  }
  const double cosine = std::clamp(ab / std::sqrt(aa * bb), -1.0, 1.0), sine = std::sqrt(1 - cosine * cosine);
  const double angular_speed = 4.01 * sine / (1 + cosine);  // stored quaternions are not quite of length 1
  const double angular_acceleration = 16.1 * sine * (1 - cosine) / ((1 + cosine) * (1 + cosine));
  double change[6];
  for (int i = 0; i < 6; ++i) change[i] = b.scale[i] - a.scale[i];
  const double scale = std::max(norm_of(a.scale), norm_of(b.scale)), scale_change = norm_of(change);
  NodeMotion motion;
  motion.size = scale;
  motion.speed = angular_speed * scale + scale_change;
  motion.second_derivative =
      (angular_speed * angular_speed + angular_acceleration) * scale + 2 * angular_speed * scale_change;
  motion.distance =
      std::max(distance_between(a.translation, parent_origin), distance_between(b.translation, parent_origin));
  motion.shift = distance_between(a.translation, b.translation);
  return motion;
}

/// The same bounds for the rounding of a node's values: `speed` and `shift` are the rounding errors. Quaternions
/// between frames are no shorter than 0.7.
NodeMotion rounding_of(const NodeMotion& motion, const QuantizationUnits& units) {
  NodeMotion rounding = motion;
  rounding.speed = 1.5 * units.rotation * motion.size + units.scale;
  rounding.shift = units.translation;
  return rounding;
}

void mix(std::span<const JointDelta> a, std::span<const JointDelta> b, double share, std::span<JointDelta> between) {
  const auto towards = [&](double from, double to) { return from + (to - from) * share; };
  for (size_t i = 0; i < between.size(); ++i) {
    JointDelta& m = between[i];
    for (int c = 0; c < 4; ++c) m.rotation[c] = towards(a[i].rotation[c], b[i].rotation[c]);
    for (int c = 0; c < 3; ++c) m.translation[c] = towards(a[i].translation[c], b[i].translation[c]);
    for (int c = 0; c < 6; ++c) m.scale[c] = towards(a[i].scale[c], b[i].scale[c]);
  }
}

/// The box around the transformed box `vertices`.
BoxD moved(const BoxD& vertices, const Matrix3x4d& matrix) {
  BoxD box;
  for (int r = 0; r < 3; ++r) {
    double center = matrix.m[r][3], half = 0;
    for (int c = 0; c < 3; ++c) {
      center += matrix.m[r][c] * (vertices.low[c] + vertices.high[c]) / 2;
      half += std::abs(matrix.m[r][c]) * (vertices.high[c] - vertices.low[c]) / 2;
    }
    box.low[r] = center - half, box.high[r] = center + half;
  }
  return box;
}

/// Computes the box of a clip's poses, frame by frame.
class ClipWalk {
 public:
  ClipWalk(const BakedCharacter& baked, std::span<const AttachedVertices> attached, const BlendGroups& blends)
      : baked_(baked),
        attached_(attached),
        before_(attached.size()),
        after_(attached.size()),
        between_(attached.size()),
        skinning_(attached.size()),
        blend_(blends, baked),
        motion_bounds_(attached.size()),
        rounding_bounds_(attached.size()),
        margins_(attached.size()),
        rounding_(attached.size()),
        slack_(attached.size()),
        last_boxes_(attached.size()),
        boxes_(attached.size()),
        units_(attached.size()) {}

  /// The clip must not be additive. An interval with a margin above `tolerance`, in model units, is subdivided.
  BoxD box_of(const BakedClip& clip, double tolerance) {
    for (size_t node = 0; node < units_.size(); ++node) units_[node] = quantization_units(baked_, clip, node);
    blend_.begin_clip(units_);
    BoxD box;
    read_frame(baked_, clip, 0, before_);
    for (uint32_t frame = 1; frame < clip.times.frame_count; ++frame) {
      read_frame(baked_, clip, frame, after_);
      if (is_before_jump(clip.times, frame - 1)) {  // nothing between both sides is shown
        before_.swap(after_);
        continue;
      }
      const double parts = std::ceil(std::sqrt(measure_margins() / tolerance));
      include_interval(parts >= 1 && poses_left_ > 0 ? std::min(parts, kMaxParts) : 1, box);
      before_.swap(after_);
    }
    return box;
  }

 private:
  /// Computes how far vertices may leave the line between their positions in both frames. Returns the largest margin.
  double measure_margins() {
    MotionBound root;
    root.size = std::abs(baked_.scale);
    double max_margin = 0;
    for (size_t node = 0; node < attached_.size(); ++node) {
      const int32_t parent = baked_.nodes[node].parent;
      const Vec3 o = parent < 0 ? Vec3{} : baked_.nodes[size_t(parent)].origin;
      const NodeMotion motion = node_motion(before_[node], after_[node], {o.x, o.y, o.z});
      const MotionBound& bound = motion_bounds_[node] =
          combine(parent < 0 ? root : motion_bounds_[size_t(parent)], motion);
      const MotionBound& rounding = rounding_bounds_[node] =
          combine(parent < 0 ? root : rounding_bounds_[size_t(parent)], rounding_of(motion, units_[node]));
      const double radius = attached_[node].radius;
      margins_[node] = (bound.origin_second_derivative + bound.second_derivative * radius) / 8;
      rounding_[node] = rounding.origin_speed + rounding.speed * radius;
      if (!attached_[node].vertices.is_empty()) max_margin = std::max(max_margin, margins_[node]);
    }
    return max_margin;
  }

  void include_interval(double parts, BoxD& box) {
    if (parts > 1) poses_left_ -= parts * double(attached_.size());
    for (double part = 0; part <= parts; ++part) {
      mix(before_, after_, part / parts, between_);
      BoxD all;
      for (size_t node = 0; node < attached_.size(); ++node) {
        const int32_t parent = baked_.nodes[node].parent;
        const Matrix3x4d delta = compose(between_[node], baked_.nodes[node].origin);
        skinning_[node] = (parent < 0 ? root_ : skinning_[size_t(parent)]) * delta;
        if (attached_[node].vertices.is_empty()) continue;
        slack_[node] = margins_[node] / (parts * parts) + rounding_[node];
        boxes_[node] = moved(attached_[node].vertices, skinning_[node]);
        all.include(boxes_[node].low, boxes_[node].high, slack_[node]);
      }
      box.include(all.low, all.high);
      if (blend_.is_needed()) include_blends(part == 0, all, box);
    }
  }

  /// Extends `box` by what dual quaternions can reach since the last pose. `all`: the box of this pose.
  void include_blends(bool is_first, const BoxD& all, BoxD& box) {
    blend_.next(between_, skinning_, is_first);
    BoxD both = all;
    if (!is_first) both.include(last_all_.low, last_all_.high);
    const std::span<const double> margins = blend_.margins(slack_, both.diagonal());
    for (size_t node = 0; node < margins.size(); ++node) {
      if (attached_[node].vertices.is_empty()) continue;
      const double margin = slack_[node] + margins[node];
      box.include(boxes_[node].low, boxes_[node].high, margin);
      if (!is_first) box.include(last_boxes_[node].low, last_boxes_[node].high, margin);
    }
    last_boxes_.swap(boxes_), last_all_ = all;
  }

  const BakedCharacter& baked_;
  const double scale_ = baked_.scale;
  const Matrix3x4d root_ = {{{scale_, 0, 0, 0}, {0, scale_, 0, 0}, {0, 0, scale_, 0}}};
  std::span<const AttachedVertices> attached_;
  std::vector<JointDelta> before_, after_, between_;
  std::vector<Matrix3x4d> skinning_;
  BlendWalk blend_;
  std::vector<MotionBound> motion_bounds_, rounding_bounds_;
  std::vector<double> margins_, rounding_, slack_;
  std::vector<BoxD> last_boxes_, boxes_;  // of each node's vertices, at the last pose and at this one
  BoxD last_all_;
  double poses_left_ = kMaxSubdividedPoses;
  std::vector<QuantizationUnits> units_;
};

using Ranges = std::vector<DeltaRange>;

class Measurer {
 public:
  Measurer(const Character& character, const BakedCharacter& baked) : baked_(baked) {
    attach(character.mesh);
    for (const AttachedVertices& attached : attached_) vertices_.push_back(attached.vertices);
  }

  Result<CharacterBounds> measure() {
    ClipWalk walk(baked_, attached_, blends_);
    measure_rest(walk);
    measure_all();
    for (size_t clip = 0; clip < baked_.clips.size(); ++clip) {
      bounds_.clips.push_back(clip_box(walk, clip));
      for (size_t other = 0; has_pairs() && other <= clip; ++other) bounds_.pairs.push_back(pair(other, clip));
    }
    if (!is_finite_) return Error{ErrorCode::kInvalidData, "bounds: the bake reaches beyond what floats hold"};
    return std::move(bounds_);
  }

 private:
  bool has_pairs() const {
    const uint64_t clips = baked_.clips.size();
    return clips <= kMaxPairedClips && clips * (clips + 1) / 2 * baked_.nodes.size() <= kMaxPairedRanges;
  }

  void attach(const Mesh& mesh) {
    const std::vector<BoxD> positions = morphed_positions(mesh, baked_);
    const std::vector<uint32_t> node_of = nodes_of_entries(baked_);
    attached_ = attach_vertices(mesh, baked_, positions);
    for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
      const BoxD& at = positions[v];
      double sum = 0;
      for (const Influence influence : mesh.influences_of(v)) sum += double(influence.weight);
      for (int i = 0; i < 3; ++i) largest_ = std::max({largest_, std::abs(at.low[i]), std::abs(at.high[i])});
      lost_weight_ = std::max(lost_weight_, std::abs(sum - 1));
    }
    largest_ *= std::abs(double(baked_.scale));
    blends_ = group_blends(mesh, baked_, positions, node_of);
  }

  void measure_rest(ClipWalk& walk) {
    const BakedClip rest = rest_clip();
    bounds_.rest = finished(walk.box_of(rest, INFINITY));
    tolerance_ = kTolerance * double(length(bounds_.rest.high - bounds_.rest.low));
    rest_ = delta_ranges(baked_, rest);
  }

  bool keeps_ranges() const { return baked_.clips.size() * baked_.nodes.size() <= kMaxKeptRanges; }

  /// Valid until the next call.
  std::span<const DeltaRange> ranges_of(size_t clip) {
    if (!keeps_ranges()) return ranges_[0] = delta_ranges(baked_, baked_.clips[clip]);
    if (ranges_[clip].empty()) ranges_[clip] = delta_ranges(baked_, baked_.clips[clip]);
    return ranges_[clip];
  }

  void measure_all() {
    ranges_.resize(keeps_ranges() ? baked_.clips.size() : 1);
    RangeMerge blended, with_rest, additions;
    const auto for_each_clip = [&](const auto& visit) {
      for (size_t clip = 0; clip < baked_.clips.size(); ++clip) {
        const auto ranges = ranges_of(clip);
        if (baked_.clips[clip].additive) {
          visit(additions, ranges);
          continue;
        }
        visit(blended, ranges), visit(with_rest, ranges);
      }
      visit(with_rest, rest_);
    };
    for_each_clip([](RangeMerge& merge, std::span<const DeltaRange> ranges) { merge.find_centers(ranges); });
    for_each_clip([](RangeMerge& merge, std::span<const DeltaRange> ranges) { merge.include(ranges); });
    bounds_.blended = blended.is_empty() ? bounds_.rest : extent(blended.ranges());
    bounds_.layered = additions.is_empty() ? bounds_.blended : extent(added(with_rest.ranges(), additions.ranges()));
  }

  /// The box of a clip alone: the intersection of its box frame by frame and the extent of its delta ranges.
  Box clip_box(ClipWalk& walk, size_t clip) {
    if (baked_.clips[clip].additive) return bounds_.layered;
    BoxD box = walk.box_of(baked_.clips[clip], tolerance_);
    const BoxD range_box = extent_of(ranges_of(clip));
    for (int axis = 0; axis < 3; ++axis) {
      box.low[axis] = std::max(box.low[axis], range_box.low[axis]);
      box.high[axis] = std::min(box.high[axis], range_box.high[axis]);
    }
    return finished(box);
  }

  Box pair(size_t a, size_t b) {
    if (baked_.clips[a].additive || baked_.clips[b].additive) return bounds_.layered;
    RangeMerge both;
    for (const size_t clip : {a, b}) both.find_centers(ranges_of(clip));
    for (const size_t clip : {a, b}) both.include(ranges_of(clip));
    return extent(both.ranges());
  }

  BoxD extent_of(std::span<const DeltaRange> ranges) const {
    const BoxD linear = bounding_extent(baked_, ranges, vertices_);
    if (blends_.groups.empty()) return linear;
    const std::vector<double> margins = blend_margins(blends_, baked_, ranges, linear.diagonal());
    return bounding_extent(baked_, ranges, vertices_, margins);
  }

  Box extent(std::span<const DeltaRange> ranges) { return finished(extent_of(ranges)); }

  /// Adds a margin for the rounding of floats and for weights that do not add to 1.
  Box finished(BoxD box) {
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
  std::vector<AttachedVertices> attached_;
  std::vector<BoxD> vertices_;
  double largest_ = 0;      // largest coordinate of a vertex, times the bake's scale
  double lost_weight_ = 0;  // largest difference of a vertex's sum of weights from 1
  double tolerance_ = 0;
  BlendGroups blends_;
  std::vector<Ranges> ranges_;  // of each clip, or of one
  Ranges rest_;
  CharacterBounds bounds_;
  bool is_finite_ = true;
};

}  // namespace

Result<CharacterBounds> measure_bounds(const Character& character, const BakedCharacter& baked,
                                       std::span<const Wearable> wearables) SINEW_TRY {
  if (Status status = check_measured(character, baked, wearables); !status) return status.error();
  if (wearables.empty()) return Measurer(character, baked).measure();
  return Measurer(dressed(character, wearables), baked).measure();
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

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
