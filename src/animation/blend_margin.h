// How far dual-quaternion skinning can carry vertices away from where linear blending puts them.
//
// The bound is our own derivation. A vertex has influences i of weight w_i, which add to 1. Influence i alone puts it
// to p_i = R_i S_i v + t_i, and q_i is the quaternion of R_i, with the sign that is nearer to that of the heaviest
// influence h. Q is the sum of w_i q_i, and L = sum of w_i p_i is the vertex of linear blending.
//
// 1. Without stretch (S_i = 1). Moving the origin of mesh space to v changes nothing, so the blended vertex is
//    F = sum of w_i vec(p_i q_i conj(Q)) / |Q|^2, with p_i as a pure quaternion. Let r_i = q_i conj(Q) / |Q|^2: the sum
//    of w_i r_i is 1. So L may be taken from every p_i, and F - L = sum of w_i vec((p_i - L) (r_i - 1)). As |r_i - 1| =
//    |q_i - Q| / |Q|, by Cauchy and Schwarz |F - L| <= sqrt(sum of w_i |p_i - L|^2) sqrt(sum of w_i |q_i - Q|^2) / |Q|.
//    The last sum is 1 - |Q|^2. So |F - L| <= T d, where d is the standard deviation of the p_i, T = sqrt(1/|Q|^2 - 1).
// 2. Let a be the largest angle between q_h and a q_i; it is at most pi / 2. Let X be the mean of the other q_i. Its
// part
//    along q_h is at least cos(a). It is no shorter than x, where x (1 - w_h) is twice their heaviest weight less all
//    of them. So |Q|^2 >= w_h^2 + 2 w_h (1 - w_h) cos(a) + (1 - w_h)^2 max(x, cos(a))^2, an equation for two
//    influences. If D is the largest distance of a p_i from p_h, then d^2 is largest, as a convex function, where all
//    distances are D. There d^2 <= D^2 (1 - w_h - (1 - w_h)^2 x^2): the same triangle inequality for the directions
//    from p_h.
//    Besides, w_i is at most c_i over some vertices, and the w_i without w_h add to 1 - w_h. So |Q| >= 1 - sum of
//    w_i (1 - cos(a_i)), and d^2 <= sum of w_i D_i^2, with angles and distances of their own: both sums are largest
//    where the largest of their terms have all the weight that they can have.
// 3. With stretch, the above holds for p'_i = R_i u + t_i instead of p_i, where u_i = S_i v and u is their mean. With s
//    the standard deviation of the u_i, the p'_i deviate by at most d + s, and their mean L' is sum of
//    w_i (R_i - R_h) (u - u_i) away from L, so at most 2 sin(a) s. Together |F - L| <= T (d + s) + 2 sin(a) s.
//
// L lies in any convex shape around the p_i. So the boxes of all p_i, grown by this distance, hold F.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "bounding_extent.h"
#include "sinew/asset/baked_character.h"
#include "sinew/asset/mesh.h"

namespace sinew::internal {

/// Some of a group's vertices, with similar weights.
struct BlendWeights {
  double least = 1;      // w_h
  double others = 1;     // x (1 - w_h), the smallest of point 2
  double deviation = 0;  // d / D, the largest of point 2; 0: no vertices
};

/// Vertices with one heaviest influence, and how far they may leave linear blending.
struct BlendGroup {
  uint32_t node = 0;  // of the heaviest influence
  uint32_t first_pair = 0, pair_count = 0;
  std::array<BlendWeights, 16> weights;  // by w_h, in equal steps from 0 to 1
  double reach = 0;                      // the largest distance of the vertices from the origin of mesh space
  bool is_open = false;  // too many or too distant partners: any angle, any distance within the whole box
};

/// Two nodes that move the same vertices: the heaviest influence of these and another one.
struct BlendPair {
  uint32_t node = 0, other = 0;
  int32_t ancestor = -1;  // the nearest node that both are below, or one of them; -1: model space
  BoxD vertices;          // in mesh space
  double max_weight = 0;  // of the other influence: c_i
  double reach = 0;       // the largest distance of these vertices from the origin of mesh space
};

/// The vertices of a mesh that dual quaternions blend. Empty with linear blending.
struct BlendGroups {
  std::vector<BlendGroup> groups;
  std::vector<BlendPair> pairs;
};

/// `positions`: for each vertex a box in mesh space. `node_of`: for each palette entry its node.
BlendGroups group_blends(const Mesh& mesh, const BakedCharacter& baked, std::span<const BoxD> positions,
                         std::span<const uint32_t> node_of);

/// What the two nodes of a pair may be apart: an angle of quaternions, a distance, and one of stretched vertices.
struct BlendSpread {
  double angle = 0, distance = 0, stretch = 0;
};

/// The distance of point 3. `spreads`: of each pair of the group; of an open group, one that holds all.
double blend_margin(const BlendGroup& group, std::span<const BlendPair> pairs, std::span<const BlendSpread> spreads);

/// Raises margins[node] for every node that moves a vertex of a group. `spread_of(pair_index)` gives the BlendSpread of
/// a pair, and `open_spread(group)` that of an open group.
template <class SpreadOf, class OpenSpread>
void raise_margins(const BlendGroups& blends, std::span<double> margins, SpreadOf spread_of, OpenSpread open_spread) {
  std::vector<BlendSpread> spreads;
  const auto raise = [](double& value, double margin) { value = value >= margin ? value : margin; };
  for (const BlendGroup& group : blends.groups) {
    spreads.clear();
    if (group.is_open) spreads.push_back(open_spread(group));
    for (uint32_t i = 0; i < group.pair_count; ++i) spreads.push_back(spread_of(group.first_pair + i));
    const auto pairs = std::span(blends.pairs).subspan(group.first_pair, group.pair_count);
    const double margin = blend_margin(group, pairs, spreads);
    for (size_t i = 0; group.is_open && i < margins.size(); ++i) raise(margins[i], margin);
    raise(margins[group.node], margin);
    for (const BlendPair& pair : pairs) raise(margins[pair.other], margin);
  }
}

/// How the matrices of a node stretch: eigenvalues, and how far their product turns more than its rotations.
struct Stretch {
  double low = 1, high = 1;  // positive
  double tilt = 0;           // radians
  bool mirrors = false, is_flat = false;

  /// Appends a symmetric matrix with absolute eigenvalues from `low` to `high`; `spread`: their range at one time.
  void append(double low_value, double high_value, double spread);
};

/// What stretches add to the spread of two nodes.
void add_stretch(const Stretch& a, const Stretch& b, double reach, BlendSpread& spread);

/// The margins between two poses of a clip that follow each other.
class BlendWalk {
 public:
  BlendWalk(const BlendGroups& blends, const BakedCharacter& baked);

  bool is_needed() const { return !blends_.groups.empty(); }
  void begin_clip(std::span<const QuantizationUnits> units);

  /// The next pose. `deltas` and `skinning` have one element per node. `is_first`: there is none before.
  void next(std::span<const JointDelta> deltas, std::span<const Matrix3x4d> skinning, bool is_first);

  /// For each node how far vertices may leave the box of linear blending, from the last pose to this one. `slack`: for
  /// each node how far its vertices may leave the line between both poses. `diagonal`: of the box around all vertices.
  std::span<const double> margins(std::span<const double> slack, double diagonal);

 private:
  struct Node {
    double rotation[4] = {0, 0, 0, 1};  // of all nodes from the root
    double turn = 0;                    // the arcs of the nodes from the root since the last pose
    Stretch stretch;                    // from the last pose to this one
  };
  BlendSpread spread_of(uint32_t pair_index, std::span<const double> slack, double diagonal) const;
  void append_stretch(size_t node, const JointDelta& before, const JointDelta& after);

  const BlendGroups& blends_;
  const BakedCharacter& baked_;
  std::vector<QuantizationUnits> units_;
  std::vector<Node> nodes_;
  std::vector<JointDelta> last_deltas_;
  std::vector<BlendSpread> last_pairs_, pairs_;  // at the last pose, at this one
  std::vector<double> margins_;
};

/// The same for all poses whose deltas lie in `ranges`. `diagonal`: of the box that holds the vertices of linear
/// blending. Throws std::bad_alloc.
std::vector<double> blend_margins(const BlendGroups& blends, const BakedCharacter& baked,
                                  std::span<const DeltaRange> ranges, double diagonal);

}  // namespace sinew::internal
