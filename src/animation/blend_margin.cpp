#include "blend_margin.h"

#include <algorithm>
#include <numbers>

#include "joint_delta.h"

namespace sinew::internal {
namespace {

constexpr double kMaxAngle = std::numbers::pi / 2;  // signs are aligned to the heaviest influence
constexpr double kAngleSlack = 1e-5;                // rounding of the palette to float
constexpr uint32_t kMaxPartners = 64;               // of a heaviest influence; more: the group is open
constexpr uint32_t kMaxPath = 64;                   // nodes between two partners; more: the group is open

using Quaternion = double[4];

void multiply_units(const Quaternion& a, const Quaternion& b, Quaternion& c) {
  const double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
  const double y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
  const double z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
  const double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
  const double size = std::sqrt(x * x + y * y + z * z + w * w);
  c[0] = x / size, c[1] = y / size, c[2] = z / size, c[3] = w / size;
}

double angle_of(double cosine, double sizes) { return std::acos(std::clamp(cosine / std::sqrt(sizes), -1.0, 1.0)); }

/// Calls `visit(corner)` for the corners of a box.
template <class Visit>
void for_each_corner(const BoxD& box, Visit visit) {
  for (int i = 0; i < 8; ++i) {
    const double corner[3] = {i & 1 ? box.high[0] : box.low[0], i & 2 ? box.high[1] : box.low[1],
                              i & 4 ? box.high[2] : box.low[2]};
    visit(corner);
  }
}

void transform(const Matrix3x4d& m, const double (&p)[3], double (&q)[3]) {
  for (int r = 0; r < 3; ++r) q[r] = m.m[r][0] * p[0] + m.m[r][1] * p[1] + m.m[r][2] * p[2] + m.m[r][3];
}

double distance(const double (&a)[3], const double (&b)[3]) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return std::sqrt(x * x + y * y + z * z);
}

/// The largest distance of a point of the box from the origin.
double reach_of(const BoxD& box) {
  double reach = 0;
  for_each_corner(
      box, [&](const double(&corner)[3]) { reach = std::max(reach, std::hypot(corner[0], corner[1], corner[2])); });
  return reach;
}

// --- groups ---

class Grouping {
 public:
  Grouping(const BakedCharacter& baked, std::span<const uint32_t> node_of)
      : baked_(baked), node_of_(node_of), depths_(baked.nodes.size()), by_node_(baked.nodes.size()) {
    for (size_t node = 0; node < depths_.size(); ++node) {
      const int32_t parent = baked.nodes[node].parent;
      depths_[node] = parent < 0 ? 0 : depths_[size_t(parent)] + 1;
    }
  }

  void add(std::span<const Influence> influences, const BoxD& at) {
    if (influences.size() < 2) return;
    Found& found = by_node_[node_of_[influences[0].entry]];
    double sum = 0, rest = 0, second = 0;
    for (const Influence influence : influences) sum += double(influence.weight);
    for (const Influence influence : influences.subspan(1)) {
      rest += double(influence.weight) / sum, second = std::max(second, double(influence.weight) / sum);
      add_partner(node_of_[influence.entry], at, double(influence.weight) / sum, found);
    }
    found.group.reach = std::max(found.group.reach, reach_of(at));
    const double left = std::max(2 * second - rest, 0.0);
    const double heaviest = double(influences[0].weight) / sum;
    const auto bucket = size_t(heaviest * double(found.group.weights.size()));
    BlendWeights& weights = found.group.weights[std::min(bucket, found.group.weights.size() - 1)];
    weights.least = std::min(weights.least, heaviest), weights.others = std::min(weights.others, left);
    weights.deviation = std::max(weights.deviation, std::sqrt(std::max(rest - left * left, 0.0)));
  }

  BlendGroups finish() {
    BlendGroups result;
    for (uint32_t node = 0; node < by_node_.size(); ++node) {
      const Found& found = by_node_[node];
      if (found.group.reach < 0) continue;
      BlendGroup group = found.group;
      group.node = node, group.first_pair = uint32_t(result.pairs.size());
      for (const BlendPair& partner : found.partners) add_pair(node, partner, group, result);
      if (group.is_open) result.pairs.resize(group.first_pair), group.pair_count = 0;
      result.groups.push_back(group);
    }
    return result;
  }

 private:
  struct Found {
    BlendGroup group{0, 0, 0, {}, -1, false};  // reach -1: without vertices
    std::vector<BlendPair> partners;
  };

  static void add_partner(uint32_t other, const BoxD& at, double weight, Found& found) {
    if (found.group.is_open) return;
    auto pair = std::ranges::find_if(found.partners, [&](const BlendPair& partner) { return partner.other == other; });
    if (pair == found.partners.end()) {
      found.group.is_open = found.partners.size() == kMaxPartners;
      if (found.group.is_open) return found.partners.clear();
      pair = found.partners.insert(pair, BlendPair{0, other, -1, {}, 0, 0});
    }
    pair->vertices.include(at.low, at.high);
    pair->max_weight = std::max(pair->max_weight, weight);
  }

  void add_pair(uint32_t node, BlendPair pair, BlendGroup& group, BlendGroups& result) const {
    pair.node = node;
    if (group.is_open || !find_ancestor(pair)) {
      group.is_open = true;
      return;
    }
    pair.reach = reach_of(pair.vertices);
    result.pairs.push_back(pair);
    ++group.pair_count;
  }

  /// False if the path between both nodes is longer than kMaxPath.
  bool find_ancestor(BlendPair& pair) const {
    auto a = int32_t(pair.node), b = int32_t(pair.other);
    for (uint32_t step = 0; a != b; ++step) {
      if (step == kMaxPath) return false;
      int32_t& lower = b < 0 || (a >= 0 && depths_[size_t(a)] >= depths_[size_t(b)]) ? a : b;
      lower = baked_.nodes[size_t(lower)].parent;
    }
    pair.ancestor = a;
    return true;
  }

  const BakedCharacter& baked_;
  std::span<const uint32_t> node_of_;
  std::vector<uint32_t> depths_;
  std::vector<Found> by_node_;
};

/// The least |Q|^2 of some vertices. It grows with both members of `weights`, so their least values give it.
double squared_size(const BlendWeights& weights, double cosine) {
  const double a = weights.least, rest = 1 - a, others = std::max(weights.others, rest * cosine);
  return a * a + 2 * a * rest * cosine + others * others;
}

/// A value with the most weight that it can have.
struct Limited {
  double value = 0, weight = 0;
};

/// The largest sum of value times weight, where weights add to `total` at most. `terms` descend by value.
double largest_sum(std::span<const Limited> terms, double total) {
  double sum = 0;
  for (const Limited& term : terms) {
    const double weight = std::min(term.weight, total);
    sum += term.value * weight, total -= weight;
  }
  return sum;
}

struct Terms {
  std::vector<Limited> turns, squares;  // 1 - cos(a_i) and D_i^2
  double angle = 0, distance = 0, stretch = 0;

  Terms(std::span<const BlendPair> pairs, std::span<const BlendSpread> spreads) {
    for (size_t i = 0; i < spreads.size(); ++i) {
      const double weight = pairs.empty() ? 1 : pairs[i].max_weight;
      const double own = std::min(spreads[i].angle, kMaxAngle) + kAngleSlack;
      turns.push_back({1 - std::cos(own), weight});
      squares.push_back({spreads[i].distance * spreads[i].distance, weight});
      angle = std::max(angle, own), distance = std::max(distance, spreads[i].distance);
      stretch = std::max(stretch, spreads[i].stretch);
    }
    for (auto* terms : {&turns, &squares})
      std::sort(terms->begin(), terms->end(), [](const Limited& a, const Limited& b) { return a.value > b.value; });
  }
};

/// What is known of all poses in some ranges: a pose in their middle, and how far others may be from it.
class RangePose {
 public:
  RangePose(const BakedCharacter& baked, std::span<const DeltaRange> ranges)
      : baked_(baked), ranges_(ranges), middles_(ranges.size()), stretches_(ranges.size()) {
    for (size_t i = 0; i < ranges.size(); ++i) {
      const DeltaRange& range = ranges[i];
      const int32_t parent = baked.nodes[i].parent;
      middles_[i] = middle_of(range, baked.nodes[i].origin);
      Stretch& stretch = stretches_[i];
      if (parent >= 0) stretch = stretches_[size_t(parent)];
      if (parent < 0) stretch.low = stretch.high = std::abs(double(baked.scale)), stretch.mirrors = baked.scale < 0;
      stretch.append(range.min_scale, range.max_scale, range.max_scale - range.min_scale);
      if (baked.scales()) highest_ = std::max(highest_, stretch.high);
    }
  }

  BlendSpread spread_of(const BlendPair& pair) const {
    BlendSpread spread;
    double a[4], b[4];
    const double arcs = rotation_below(pair.ancestor, pair.node, a) + rotation_below(pair.ancestor, pair.other, b);
    spread.angle = angle_of(std::abs(dot(a, b)), 1) + arcs;
    for_each_corner(pair.vertices, [&](const double(&corner)[3]) {
      double at[3], other[3];
      const double off = move_below(pair.ancestor, pair.node, corner, at);
      spread.distance =
          std::max(spread.distance, off + move_below(pair.ancestor, pair.other, corner, other) + distance(at, other));
    });
    spread.distance *= pair.ancestor < 0 ? std::abs(double(baked_.scale)) : stretches_[size_t(pair.ancestor)].high;
    if (baked_.scales()) add_stretch(stretches_[pair.node], stretches_[pair.other], pair.reach, spread);
    return spread;
  }

  double highest() const { return highest_; }

 private:
  static double middle_scale(const DeltaRange& range) {
    return range.min_scale > 0 ? (range.min_scale + range.max_scale) / 2 : 0;
  }

  static Matrix3x4d middle_of(const DeltaRange& range, Vec3 origin) {
    JointDelta delta;
    std::copy(range.center, range.center + 4, delta.rotation);
    for (int i = 0; i < 3; ++i) {
      delta.translation[i] = (range.translation.low[i] + range.translation.high[i]) / 2;
      delta.scale[i] = middle_scale(range);
    }
    return compose(delta, origin);
  }

  /// Writes the middle rotation of a node relative to `ancestor`. Returns the largest arc from it.
  double rotation_below(int32_t ancestor, uint32_t node, Quaternion& rotation) const {
    double arc = 0, product[4] = {0, 0, 0, 1};
    for (auto i = int32_t(node); i != ancestor; i = baked_.nodes[size_t(i)].parent) {
      multiply_units(ranges_[size_t(i)].center, product, product);
      arc += ranges_[size_t(i)].arc;
    }
    std::copy(product, product + 4, rotation);
    return arc;
  }

  /// Moves a point from the mesh space of a node's vertices to the space of `ancestor`, with the middle pose. Returns
  /// how far other poses may move it from there.
  double move_below(int32_t ancestor, uint32_t node, const double (&point)[3], double (&at)[3]) const {
    double off = 0;
    std::copy(point, point + 3, at);
    for (auto i = int32_t(node); i != ancestor; i = baked_.nodes[size_t(i)].parent) {
      const DeltaRange& range = ranges_[size_t(i)];
      const Vec3 o = baked_.nodes[size_t(i)].origin;
      const double middle = middle_scale(range), arc = std::min(range.arc, kMaxAngle);
      const double radius = std::hypot(at[0] - o.x, at[1] - o.y, at[2] - o.z);
      const double(&low)[3] = range.translation.low, (&high)[3] = range.translation.high;
      off = range.max_scale * off + (2 * std::sin(arc) * middle + range.max_scale - middle) * radius +
            distance(low, high) / 2;
      const double before[3] = {at[0], at[1], at[2]};
      transform(middles_[size_t(i)], before, at);
    }
    return off;
  }

  const BakedCharacter& baked_;
  std::span<const DeltaRange> ranges_;
  std::vector<Matrix3x4d> middles_;
  std::vector<Stretch> stretches_;
  double highest_ = 0;  // scale factor of a node; 0: none scales
};

}  // namespace

BlendGroups group_blends(const Mesh& mesh, const BakedCharacter& baked, std::span<const BoxD> positions,
                         std::span<const uint32_t> node_of) {
  if (mesh.blend == Blend::kLinear) return {};
  Grouping grouping(baked, node_of);
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) grouping.add(mesh.influences_of(v), positions[v]);
  return grouping.finish();
}

// --- the bound ---

double blend_margin(const BlendGroup& group, std::span<const BlendPair> pairs, std::span<const BlendSpread> spreads) {
  const Terms terms(pairs, spreads);
  double largest = 0;
  for (const BlendWeights& weights : group.weights) {
    if (weights.deviation == 0) continue;
    const double rest = 1 - weights.least, along = std::max(1 - largest_sum(terms.turns, rest), 0.0);
    const double size = std::max(squared_size(weights, std::cos(terms.angle)), along * along);
    const double turned = std::sqrt(std::max(1 / size - 1, 0.0));
    const double distance = std::min(weights.deviation * terms.distance, std::sqrt(largest_sum(terms.squares, rest)));
    const double stretched = weights.deviation * terms.stretch;
    largest = std::max(largest, turned * (distance + stretched) + 2 * std::sin(terms.angle) * stretched);
  }
  return largest;
}

void Stretch::append(double low_value, double high_value, double spread) {
  low *= std::max(low_value, 0.0), high *= high_value;
  is_flat = is_flat || !(low_value > 0);
  if (spread > 0 && low_value > 0) tilt += std::asin(spread / (2 * low_value + spread));
}

/// The rotation of the polar decomposition of a product of symmetric positive matrices that tilt directions by at most
/// `tilt`: it tilts three perpendicular directions by at most as much, and its trace is 1 + 2 cos(angle).
static double angle_of_tilt(double tilt) {
  return tilt < kMaxAngle ? std::acos(std::clamp((3 * std::cos(tilt) - 1) / 2, -1.0, 1.0)) : std::numbers::pi;
}

void add_stretch(const Stretch& a, const Stretch& b, double reach, BlendSpread& spread) {
  const double high = std::max(a.high, b.high), low = std::min(a.low, b.low);
  const bool any = a.is_flat || b.is_flat || a.mirrors != b.mirrors;
  spread.angle = any ? kMaxAngle : spread.angle + (angle_of_tilt(a.tilt) + angle_of_tilt(b.tilt)) / 2;
  spread.stretch = reach * (any ? a.high + b.high : high - low);
}

/// Any angle, any distance within the box around all vertices. `high`: the largest scale factor of a node; 0: none
/// scales.
static BlendSpread open_spread(const BlendGroup& group, double high, double diagonal) {
  return {kMaxAngle, diagonal, 2 * high * group.reach};
}

// --- between two poses of a clip ---

BlendWalk::BlendWalk(const BlendGroups& blends, const BakedCharacter& baked)
    : blends_(blends), baked_(baked), last_pairs_(blends.pairs.size()), pairs_(blends.pairs.size()) {
  if (!is_needed()) return;
  nodes_.resize(baked.nodes.size()), last_deltas_.resize(baked.nodes.size()), margins_.resize(baked.nodes.size());
}

void BlendWalk::begin_clip(std::span<const QuantizationUnits> units) { units_.assign(units.begin(), units.end()); }

void BlendWalk::next(std::span<const JointDelta> deltas, std::span<const Matrix3x4d> skinning, bool is_first) {
  last_pairs_.swap(pairs_);
  for (size_t i = 0; i < nodes_.size(); ++i) {
    static const Node kRoot;
    const int32_t parent = baked_.nodes[i].parent;
    const Node& above = parent < 0 ? kRoot : nodes_[size_t(parent)];
    const JointDelta& last = is_first ? deltas[i] : last_deltas_[i];
    multiply_units(above.rotation, deltas[i].rotation, nodes_[i].rotation);
    const double sizes = dot(last.rotation, last.rotation) * dot(deltas[i].rotation, deltas[i].rotation);
    // A rounded value between two frames is off by up to a unit; half of the sum counts.
    nodes_[i].turn = above.turn + angle_of(dot(last.rotation, deltas[i].rotation), sizes) + 2 * units_[i].rotation;
    if (baked_.scales()) append_stretch(i, last, deltas[i]);
  }
  std::copy(deltas.begin(), deltas.end(), last_deltas_.begin());
  for (size_t i = 0; i < pairs_.size(); ++i) {
    const BlendPair& pair = blends_.pairs[i];
    BlendSpread& spread = pairs_[i];
    spread.angle = angle_of(std::abs(dot(nodes_[pair.node].rotation, nodes_[pair.other].rotation)), 1);
    spread.distance = 0;
    for_each_corner(pair.vertices, [&](const double(&corner)[3]) {
      double a[3], b[3];
      transform(skinning[pair.node], corner, a), transform(skinning[pair.other], corner, b);
      spread.distance = std::max(spread.distance, distance(a, b));
    });
  }
  if (is_first) last_pairs_ = pairs_;
}

void BlendWalk::append_stretch(size_t node, const JointDelta& before, const JointDelta& after) {
  const int32_t parent = baked_.nodes[node].parent;
  Stretch& stretch = nodes_[node].stretch;
  stretch = parent < 0 ? Stretch() : nodes_[size_t(parent)].stretch;
  if (parent < 0) stretch.low = stretch.high = std::abs(double(baked_.scale)), stretch.mirrors = baked_.scale < 0;
  double low = INFINITY, high = -INFINITY, spread = 0;
  for (const JointDelta* delta : {&before, &after}) {  // values between both are means of them
    const auto [least, most] = eigenvalue_range(delta->scale);
    low = std::min(low, least), high = std::max(high, most), spread = std::max(spread, most - least);
  }
  const double unit = units_[node].scale;
  low -= unit, high += unit, spread += 2 * unit;
  if (high < 0) stretch.mirrors = !stretch.mirrors, std::swap(low, high), low = -low, high = -high;
  stretch.append(low, std::max(std::abs(low), std::abs(high)), spread);
}

BlendSpread BlendWalk::spread_of(uint32_t pair_index, std::span<const double> slack, double diagonal) const {
  const BlendPair& pair = blends_.pairs[pair_index];
  const BlendSpread &last = last_pairs_[pair_index], &now = pairs_[pair_index];
  const Node &a = nodes_[pair.node], &b = nodes_[pair.other];
  const double above = pair.ancestor < 0 ? 0 : nodes_[size_t(pair.ancestor)].turn;
  BlendSpread spread;
  spread.angle = (last.angle + now.angle + a.turn + b.turn - 2 * above) / 2;
  spread.distance = std::max(last.distance, now.distance) + slack[pair.node] + slack[pair.other];
  spread.distance = std::min(spread.distance, diagonal);
  if (baked_.scales()) add_stretch(a.stretch, b.stretch, pair.reach, spread);
  return spread;
}

std::span<const double> BlendWalk::margins(std::span<const double> slack, double diagonal) {
  std::fill(margins_.begin(), margins_.end(), 0.0);
  double high = 0;
  for (size_t i = 0; baked_.scales() && i < nodes_.size(); ++i) high = std::max(high, nodes_[i].stretch.high);
  raise_margins(
      blends_, margins_, [&](uint32_t pair) { return spread_of(pair, slack, diagonal); },
      [&](const BlendGroup& group) { return open_spread(group, high, diagonal); });
  return margins_;
}

// --- of ranges ---

std::vector<double> blend_margins(const BlendGroups& blends, const BakedCharacter& baked,
                                  std::span<const DeltaRange> ranges, double diagonal) {
  std::vector<double> margins(ranges.size());
  if (blends.groups.empty()) return margins;
  const RangePose pose(baked, ranges);
  raise_margins(
      blends, margins,
      [&](uint32_t pair) {
        BlendSpread spread = pose.spread_of(blends.pairs[pair]);
        spread.distance = std::min(spread.distance, diagonal);
        return spread;
      },
      [&](const BlendGroup& group) { return open_spread(group, pose.highest(), diagonal); });
  return margins;
}

}  // namespace sinew::internal
