#include "bounding_extent.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "joint_delta.h"
#include "sinew/animation/evaluator.h"

namespace sinew::internal {
namespace {

constexpr double kAnyArc = std::numbers::pi / 2;
// Quaternions within this arc of a center are at most 90 degrees apart: any of them can be the reference that aligns
// the signs of the others, and their blend stays within the arc.
constexpr double kMaxBlendArc = std::numbers::pi / 4 - 1e-6;

using Quaternion = double[4];

void normalize(Quaternion& q) {
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

void include_scale(const double (&k)[6], DeltaRange& range) {
  const auto [low, high] = eigenvalue_range(k);
  range.min_scale = std::min(range.min_scale, std::max(low, 0.0));
  range.max_scale = std::max({range.max_scale, std::abs(low), std::abs(high)});
}

/// Rounding between frames adds up to half a unit to each value; quaternions between frames are no shorter than 0.5.
void include_rounding(const BakedCharacter& baked, const BakedClip& clip, std::vector<DeltaRange>& ranges) {
  for (size_t node = 0; node < ranges.size(); ++node) {
    const QuantizationUnits units = quantization_units(baked, clip, node);
    DeltaRange& range = ranges[node];
    range.arc = std::min(range.arc + units.rotation, kAnyArc);
    range.translation.include(range.translation.low, range.translation.high, units.translation);
    range.min_scale = std::max(range.min_scale - units.scale, 0.0), range.max_scale += units.scale;
  }
}

/// Widens the arc so that it includes `q`. In a bake, neighboring frames have quaternions with aligned signs, so a
/// rotation between two frames is within the arc of both.
void include_rotation(const Quaternion& q, bool additive, DeltaRange& range) {
  range.arc = std::max(range.arc, arc_between(q, range.center));
  if (!additive && range.arc > kMaxBlendArc) range.arc = kAnyArc;
}

/// Sets each center to the normalized sum of the node's rotations.
void find_centers(const BakedCharacter& baked, const BakedClip& clip, std::vector<DeltaRange>& ranges) {
  std::vector<JointDelta> deltas(ranges.size());
  for (uint32_t frame = 0; frame < clip.times.frame_count; ++frame) {
    read_frame(baked, clip, frame, deltas);
    for (size_t node = 0; node < ranges.size(); ++node) {
      if (frame == 0) std::fill(std::begin(ranges[node].center), std::end(ranges[node].center), 0.0);
      accumulate(deltas[node].rotation, ranges[node].center);
    }
  }
  for (DeltaRange& range : ranges) normalize(range.center);
}

/// All directions within an angle, in radians, of a middle direction.
class Cone {
 public:
  explicit Cone(double angle) : any_(angle >= std::numbers::pi), cosine_(std::cos(angle)), sine_(std::sin(angle)) {}

  /// The largest projection of a vector onto the cone's directions. `along`: onto the middle direction.
  double max_projection(double length, double along) const {
    if (any_ || along >= length * cosine_) return length;
    return along * cosine_ + std::sqrt(std::max(length * length - along * along, 0.0)) * sine_;
  }

  /// The same for a box around `center`, as an upper bound. `direction`: the middle direction.
  double max_projection(const double (&center)[3], const double (&half)[3], const double (&direction)[3]) const {
    const double* d = direction;
    const double length = std::sqrt(center[0] * center[0] + center[1] * center[1] + center[2] * center[2]);
    double result = max_projection(length, center[0] * d[0] + center[1] * d[1] + center[2] * d[2]);
    for (int i = 0; i < 3; ++i) result += max_projection(half[i], half[i] * std::abs(d[i]));
    return result;
  }

 private:
  bool any_;
  double cosine_, sine_;
};

/// The poses a node may have. In its space, the axes of model space are known up to an angle and a scale factor.
struct JointPoseBound {
  double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double angle = 0;
  double min_scale = 1, max_scale = 1;
  double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};  // of its origin, in model space

  /// Writes the corners of a box in model space around `box`. `box` and the node's `origin` are in the node's space.
  void extend(const BoxD& box, Vec3 origin, double (&from)[3], double (&to)[3]) const {
    const double o[3] = {origin.x, origin.y, origin.z};
    double center[3], half[3];
    for (int i = 0; i < 3; ++i) {
      center[i] = (box.low[i] + box.high[i]) / 2 - o[i];
      half[i] = (box.high[i] - box.low[i]) / 2;
    }
    const Cone cone(angle);
    for (int i = 0; i < 3; ++i) {
      const double(&axis)[3] = axes[i];
      const double up = cone.max_projection(center, half, axis);
      const double down = cone.max_projection(center, half, {-axis[0], -axis[1], -axis[2]});
      to[i] = high[i] + up * (up > 0 ? max_scale : min_scale);
      from[i] = low[i] - down * (down > 0 ? max_scale : min_scale);
    }
  }

  void rotate(const DeltaRange& range) {
    const Matrix3x4d r = compose({{range.center[0], range.center[1], range.center[2], range.center[3]}}, {});
    for (auto& axis : axes) {
      const double a[3] = {axis[0], axis[1], axis[2]};
      for (int c = 0; c < 3; ++c) axis[c] = a[0] * r.m[0][c] + a[1] * r.m[1][c] + a[2] * r.m[2][c];
    }
    // A scale that is not uniform also tilts directions, by at most this angle.
    const double stretch_tilt =
        std::asin(std::min((range.max_scale - range.min_scale) / (range.max_scale + range.min_scale), 1.0));
    const bool mirrors = !(range.min_scale > 0);
    angle += mirrors ? std::numbers::pi : 2 * range.arc + (range.max_scale > range.min_scale ? stretch_tilt : 0);
    min_scale *= range.min_scale, max_scale *= range.max_scale;
  }
};

/// The smallest and the largest weight of a morph target that any layers of baked clips can give.
struct WeightRange {
  double low = 0, high = 0;
};

std::vector<WeightRange> weight_ranges(const BakedCharacter& baked) {
  const auto include = [](WeightRange& range, double value) {
    range.low = std::min(range.low, value), range.high = std::max(range.high, value);
  };
  std::vector<WeightRange> blended(baked.target_count()), added(baked.target_count());
  for (size_t clip = 0; clip < baked.clip_weights.size(); ++clip) {
    const BakedWeights& weights = baked.clip_weights[clip];
    std::vector<WeightRange>& ranges = baked.clips[clip].additive ? added : blended;
    for (size_t i = 0; i < size_t(weights.times.frame_count) * weights.target_count; ++i) {
      const uint32_t target = baked.weight_targets[weights.first_target + i % weights.target_count];
      include(ranges[target], double(baked.weight_values[weights.first_value + i]));
    }
  }
  for (size_t t = 0; t < blended.size(); ++t) {
    blended[t].low += double(baked.rest_weights[t]) + kMaxLayers * added[t].low;
    blended[t].high += double(baked.rest_weights[t]) + kMaxLayers * added[t].high;
  }
  return blended;
}

/// Positions and influences: what bounds depend on.
void append(const Mesh& mesh, Mesh& to) {
  const auto first = uint32_t(to.influences.size());
  to.positions.insert(to.positions.end(), mesh.positions.begin(), mesh.positions.end());
  to.influences.insert(to.influences.end(), mesh.influences.begin(), mesh.influences.end());
  for (size_t v = 1; v < mesh.first_influence.size(); ++v)
    to.first_influence.push_back(first + mesh.first_influence[v]);
}

}  // namespace

void BoxD::include(const double (&from)[3], const double (&to)[3], double margin) {
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = std::min(low[axis], from[axis] - margin);
    high[axis] = std::max(high[axis], to[axis] + margin);
  }
}

std::pair<double, double> eigenvalue_range(const double (&k)[6]) {
  const double xy = std::abs(k[3]), xz = std::abs(k[4]), yz = std::abs(k[5]);
  return {std::min({k[0] - xy - xz, k[1] - xy - yz, k[2] - xz - yz}),
          std::max({k[0] + xy + xz, k[1] + xy + yz, k[2] + xz + yz})};
}

QuantizationUnits quantization_units(const BakedCharacter& baked, const BakedClip& clip, size_t node) {
  const BakedQuantization* range = &baked.quantizations_of(clip)[node * baked.blocks_per_node];
  QuantizationUnits units;
  units.rotation =
      std::hypot(std::hypot(range->scale[0], range->scale[1]), std::hypot(range->scale[2], range->scale[3]));
  units.translation = std::hypot(range->scale[4], range->scale[5], range->scale[6]);
  for (int c = 0; baked.scales() && c < 6; ++c) units.scale += double(std::abs(range[1].scale[c]));
  return units;
}

void read_frame(const BakedCharacter& baked, const BakedClip& clip, uint32_t frame, std::span<JointDelta> deltas) {
  const int16_t* values = baked.values_of(clip.first_frame + frame);
  const BakedQuantization* range = baked.quantizations_of(clip).data();
  const auto value = [&](size_t c) { return range->center[c] + double(range->scale[c]) * values[c]; };
  for (JointDelta& delta : deltas) {
    for (size_t c = 0; c < 4; ++c) delta.rotation[c] = value(c);
    for (size_t c = 0; c < 3; ++c) delta.translation[c] = value(4 + c);
    ++range, values += kChannelsPerBlock;
    if (!baked.scales()) continue;
    for (size_t c = 0; c < 6; ++c) delta.scale[c] = value(c);
    ++range, values += kChannelsPerBlock;
  }
}

BakedClip rest_clip() {
  BakedClip rest;
  rest.times.frame_count = 2;
  return rest;
}

std::vector<DeltaRange> delta_ranges(const BakedCharacter& baked, const BakedClip& clip) {
  std::vector<DeltaRange> ranges(baked.nodes.size());
  if (!clip.additive) find_centers(baked, clip, ranges);  // of differences, the center is the identity
  std::vector<JointDelta> deltas(ranges.size());
  const double zero[3] = {0, 0, 0};
  for (uint32_t frame = 0; frame < clip.times.frame_count; ++frame) {
    read_frame(baked, clip, frame, deltas);
    for (size_t node = 0; node < ranges.size(); ++node) {
      DeltaRange& range = ranges[node];
      const JointDelta& delta = deltas[node];
      if (frame == 0 && clip.additive) range.translation.include(zero, zero);
      if (frame == 0 && !clip.additive) range.min_scale = INFINITY, range.max_scale = 0;
      include_rotation(delta.rotation, clip.additive, range);
      range.translation.include(delta.translation, delta.translation);
      include_scale(delta.scale, range);
    }
  }
  include_rounding(baked, clip, ranges);
  return ranges;
}

void RangeMerge::find_centers(std::span<const DeltaRange> set) {
  if (ranges_.empty()) {
    ranges_.assign(set.begin(), set.end());
    return;
  }
  for (size_t node = 0; node < set.size(); ++node) accumulate(set[node].center, ranges_[node].center);
}

void RangeMerge::include(std::span<const DeltaRange> set) {
  for (size_t node = 0; node < set.size(); ++node) {
    DeltaRange& range = ranges_[node];
    const DeltaRange& other = set[node];
    if (!has_centers_) normalize(range.center), range.arc = 0;
    range.arc = std::max(range.arc, arc_between(range.center, other.center) + other.arc);
    if (range.arc > kMaxBlendArc) range.arc = kAnyArc;
    range.translation.include(other.translation.low, other.translation.high);
    range.min_scale = std::min(range.min_scale, other.min_scale);
    range.max_scale = std::max(range.max_scale, other.max_scale);
  }
  has_centers_ = true;
}

std::vector<DeltaRange> added(std::span<const DeltaRange> base, std::span<const DeltaRange> additions) {
  std::vector<DeltaRange> result(base.begin(), base.end());
  for (size_t node = 0; node < result.size(); ++node) {
    DeltaRange& range = result[node];
    const DeltaRange& addition = additions[node];
    range.arc = std::min(range.arc + kMaxLayers * addition.arc, kAnyArc);
    for (int c = 0; c < 3; ++c) {
      range.translation.low[c] += kMaxLayers * addition.translation.low[c];
      range.translation.high[c] += kMaxLayers * addition.translation.high[c];
    }
    range.min_scale *= std::pow(addition.min_scale, kMaxLayers),
        range.max_scale *= std::pow(addition.max_scale, kMaxLayers);
  }
  return result;
}

BoxD bounding_extent(const BakedCharacter& baked, std::span<const DeltaRange> ranges, std::span<const BoxD> vertices,
                     std::span<const double> margins) {
  JointPoseBound root;
  root.min_scale = root.max_scale = std::abs(baked.scale);
  if (baked.scale < 0) root.angle = std::numbers::pi;
  std::vector<JointPoseBound> joint_bounds(ranges.size());
  BoxD extent;
  for (size_t node = 0; node < ranges.size(); ++node) {
    const int32_t parent = baked.nodes[node].parent;
    const JointPoseBound& above = parent < 0 ? root : joint_bounds[size_t(parent)];
    JointPoseBound bound = above;
    above.extend(ranges[node].translation, parent < 0 ? Vec3{} : baked.nodes[size_t(parent)].origin, bound.low,
                 bound.high);
    bound.rotate(ranges[node]);
    joint_bounds[node] = bound;
    if (vertices[node].is_empty()) continue;
    double low[3], high[3];
    bound.extend(vertices[node], baked.nodes[node].origin, low, high);
    extent.include(low, high, margins.empty() ? 0 : margins[node]);
  }
  return extent;
}

Status check_measured(const Character& character, const BakedCharacter& baked, std::span<const Wearable> wearables) {
  for (const Wearable& wearable : wearables) {
    const Mesh none;
    const Mesh& mesh = wearable.meshes.empty() ? none : wearable.meshes.front();
    if (Status status = validate(mesh, character.skin.palette_size()); !status) {
      return Error{status.error().code, "wearable '" + wearable.name + "': " + status.error().message};
    }
  }
  if (Status status = validate(character.mesh, character.skin.palette_size()); !status) return status.error();
  if (Status status = validate(baked); !status) return status.error();
  return validate(baked, character);
}

Character dressed(const Character& character, std::span<const Wearable> wearables) {
  Character all;
  all.skeleton = character.skeleton, all.skin = character.skin;
  all.clips = character.clips, all.mesh = character.mesh;
  for (const Wearable& wearable : wearables) append(wearable.meshes.front(), all.mesh);
  return all;
}

std::vector<BoxD> morphed_positions(const Mesh& mesh, const BakedCharacter& baked) {
  std::vector<BoxD> boxes(mesh.vertex_count());
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    const double at[3] = {mesh.positions[v].x, mesh.positions[v].y, mesh.positions[v].z};
    boxes[v].include(at, at);
  }
  const std::vector<WeightRange> ranges = weight_ranges(baked);
  for (size_t t = 0; t < mesh.targets.size(); ++t) {
    const MorphTarget& target = mesh.targets[t];
    for (size_t i = 0; i < target.vertices.size(); ++i) {
      BoxD& box = boxes[target.vertices[i]];
      const double difference[3] = {target.positions[i].x, target.positions[i].y, target.positions[i].z};
      for (int axis = 0; axis < 3; ++axis) {
        const double a = ranges[t].low * difference[axis], b = ranges[t].high * difference[axis];
        box.low[axis] += std::min(a, b), box.high[axis] += std::max(a, b);
      }
    }
  }
  return boxes;
}

std::vector<uint32_t> nodes_of_entries(const BakedCharacter& baked) {
  std::vector<uint32_t> node_of(baked.palette_size);
  for (uint32_t node = 0; node < baked.nodes.size(); ++node) {
    if (baked.nodes[node].entry >= 0) node_of[size_t(baked.nodes[node].entry)] = node;
  }
  return node_of;
}

std::vector<AttachedVertices> attach_vertices(const Mesh& mesh, const BakedCharacter& baked,
                                              std::span<const BoxD> positions) {
  const std::vector<uint32_t> node_of = nodes_of_entries(baked);
  std::vector<AttachedVertices> attached(baked.nodes.size());
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    for (const Influence influence : mesh.influences_of(v)) {
      const uint32_t node = node_of[influence.entry];
      AttachedVertices& own = attached[node];
      own.vertices.include(positions[v].low, positions[v].high);
      own.radius = std::max(own.radius, farthest(positions[v], baked.nodes[node].origin));
    }
  }
  return attached;
}

double farthest(const BoxD& box, Vec3 origin) {
  const auto along = [](double low, double high, double from) {
    return std::max(std::abs(low - from), std::abs(high - from));
  };
  return std::hypot(along(box.low[0], box.high[0], origin.x), along(box.low[1], box.high[1], origin.y),
                    along(box.low[2], box.high[2], origin.z));
}

}  // namespace sinew::internal
