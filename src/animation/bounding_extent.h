// How far a character reaches when all that is known of each node is the range its delta lies in.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "joint_delta.h"
#include "sinew/asset/baked_character.h"

namespace sinew {

/// A box in double precision; empty until something is included.
struct BoxD {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};

  void include(const double (&least)[3], const double (&most)[3], double margin = 0);
  bool is_empty() const { return !(low[0] <= high[0]); }
};

/// Every delta that a node has in some frames, between them, and blended from them by any weights.
struct DeltaRange {
  double center[4] = {0, 0, 0, 1};  // a rotation's quaternion...
  double arc = 0;                   // ... and how far from it, or its negative, others are: up to pi / 2, which is any
  BoxD translation;
  double min_scale = 1,
         max_scale = 1;  // of the stretch's factors along any axis; min_scale 0 where it flattens or mirrors
};

/// The values of one frame, as the deltas of every node.
void read_frame(const BakedCharacter& baked, const BakedClip& clip, uint32_t frame, std::span<JointDelta> deltas);

/// How large one unit of a node's 16-bit values is: as an arc, a distance and a factor.
struct QuantizationUnits {
  double rotation = 0, translation = 0, scale = 0;
};
QuantizationUnits quantization_units(const BakedCharacter& baked, const BakedClip& clip, size_t node);

/// The range of each node over a clip's frames. Additive clips: of any share of what they add.
std::vector<DeltaRange> delta_ranges(const BakedCharacter& baked, const BakedClip& clip);

/// The range of each node over all of `sets`, at least one, and their blends.
std::vector<DeltaRange> merged(std::span<const std::span<const DeltaRange>> sets);

/// The range of each node when up to kMaxLayers of what `additions` allow are added to `base`.
std::vector<DeltaRange> added(std::span<const DeltaRange> base, std::span<const DeltaRange> additions);

/// What holds the vertices of every entry: `vertices` has the box in mesh space of each node's entry, empty where it
/// has none.
BoxD bounding_extent(const BakedCharacter& baked, std::span<const DeltaRange> ranges, std::span<const BoxD> vertices);

}  // namespace sinew
