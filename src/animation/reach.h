// How far a character reaches when all that is known of each step is the range its movement lies in.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "movement.h"
#include "sinew/asset/baked_character.h"

namespace sinew {

/// A box in double precision; empty until something is included.
struct WideBox {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};

  void include(const double (&least)[3], const double (&most)[3], double margin = 0);
  bool is_empty() const { return !(low[0] <= high[0]); }
};

/// Every movement that a step has in some frames, between them, and blended from them by any weights.
struct MovementRange {
  double centre[4] = {0, 0, 0, 1};  // a rotation's quaternion...
  double arc = 0;                   // ... and how far from it, or its negative, others are: up to pi / 2, which is any
  WideBox place;
  double least = 1, most = 1;  // of the stretch's factors along any axis; least 0 where it flattens or mirrors
};

/// The numbers of one frame, as the movements of every step.
void read_frame(const BakedCharacter& baked, const BakedClip& clip, uint32_t frame, std::span<Movement> movements);

/// How large one unit of a step's 16-bit numbers is: as an arc, a distance and a factor.
struct NumberUnits {
  double rotation = 0, place = 0, stretch = 0;
};
NumberUnits number_units(const BakedCharacter& baked, const BakedClip& clip, size_t step);

/// The range of each step over a clip's frames. Additive clips: of any share of what they add.
std::vector<MovementRange> ranges_over(const BakedCharacter& baked, const BakedClip& clip);

/// The range of each step over all of `sets`, at least one, and their blends.
std::vector<MovementRange> merged(std::span<const std::span<const MovementRange>> sets);

/// The range of each step when up to kMaxLayers of what `additions` allow are added to `base`.
std::vector<MovementRange> added(std::span<const MovementRange> base, std::span<const MovementRange> additions);

/// What holds the vertices of every entry: `vertices` has the box in mesh space of each step's entry, empty where it
/// has none.
WideBox reach_of(const BakedCharacter& baked, std::span<const MovementRange> ranges, std::span<const WideBox> vertices);

}  // namespace sinew
