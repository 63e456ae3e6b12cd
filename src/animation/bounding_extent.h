// A box around all poses of a character, when only the range of each node's delta is known.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "joint_delta.h"
#include "sinew/asset/baked_character.h"
#include "sinew/asset/character.h"
#include "sinew/asset/wearable.h"

namespace sinew::internal {

/// A box in double precision; empty until include() is called.
struct BoxD {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};

  /// Extends this box by the box from `from` to `to`, which gets `margin` on every side.
  void include(const double (&from)[3], const double (&to)[3], double margin = 0);
  bool is_empty() const { return !(low[0] <= high[0]); }
  double diagonal() const { return std::hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]); }
};

/// A range that holds a node's deltas in some frames, between these frames, and in blends of them with any weights.
struct DeltaRange {
  double center[4] = {0, 0, 0, 1};  // a unit quaternion in the middle of the rotations
  /// The largest angle, in radians, from `center` to a quaternion or its negative. pi / 2: any rotation.
  double arc = 0;
  BoxD translation;
  /// The scale factors along any axis. min_scale is 0 if the scale flattens or mirrors.
  double min_scale = 1, max_scale = 1;
};

/// Reads one frame of a clip, counted from the clip's first frame, as the delta of each node.
void read_frame(const BakedCharacter& baked, const BakedClip& clip, uint32_t frame, std::span<JointDelta> deltas);

/// The size of one unit of a node's 16-bit values: an arc in radians, a distance, and a scale factor.
struct QuantizationUnits {
  double rotation = 0, translation = 0, scale = 0;
};
QuantizationUnits quantization_units(const BakedCharacter& baked, const BakedClip& clip, size_t node);

/// Bounds of the eigenvalues of a symmetric matrix xx yy zz xy xz yz, by the Gershgorin circle theorem: each eigenvalue
/// is within a radius of a diagonal element.
std::pair<double, double> eigenvalue_range(const double (&k)[6]);

/// The rest pose as a clip: the first two frames of a bake.
BakedClip rest_clip();

/// The range of each node over a clip's frames. For an additive clip, over its deltas with any weight from 0 to 1.
std::vector<DeltaRange> delta_ranges(const BakedCharacter& baked, const BakedClip& clip);

/// Merges sets of ranges, of each node one, into ranges that hold them all and their blends. Takes all sets twice, in
/// the same order: first for the centers, then for what is around them. So the sets need not be in memory at once.
class RangeMerge {
 public:
  void find_centers(std::span<const DeltaRange> set);
  void include(std::span<const DeltaRange> set);
  bool is_empty() const { return ranges_.empty(); }
  std::span<const DeltaRange> ranges() const { return ranges_; }

 private:
  std::vector<DeltaRange> ranges_;
  bool has_centers_ = false;
};

/// The range of each node when up to kMaxLayers deltas in the ranges `additions` are added to `base`.
std::vector<DeltaRange> added(std::span<const DeltaRange> base, std::span<const DeltaRange> additions);

/// A box in model space around all vertices. vertices[i] is the box, in mesh space, of the vertices of node i's entry;
/// it is empty for a node without an entry. Each node's vertices get its margin in `margins`; empty: none.
BoxD bounding_extent(const BakedCharacter& baked, std::span<const DeltaRange> ranges, std::span<const BoxD> vertices,
                     std::span<const double> margins = {});

// The vertices that the nodes of a bake move, as bounds and margins need them.

/// The vertices that a node's entry moves.
struct AttachedVertices {
  BoxD vertices;      // in mesh space
  double radius = 0;  // the largest distance from the node's origin
};

/// Whether mesh, wearables and bake are valid, and belong together.
Status check_measured(const Character& character, const BakedCharacter& baked, std::span<const Wearable> wearables);

/// A character of what bounds depend on, in all wearables at once.
Character dressed(const Character& character, std::span<const Wearable> wearables);

/// For each vertex, in mesh space, the box of the positions that morph targets give it.
std::vector<BoxD> morphed_positions(const Mesh& mesh, const BakedCharacter& baked);

/// The node of each palette entry.
std::vector<uint32_t> nodes_of_entries(const BakedCharacter& baked);

/// For each node the vertices of its entry. `positions` is from morphed_positions().
std::vector<AttachedVertices> attach_vertices(const Mesh& mesh, const BakedCharacter& baked,
                                              std::span<const BoxD> positions);

/// The largest distance from `origin` to a point of the box.
double farthest(const BoxD& box, Vec3 origin);

}  // namespace sinew::internal
