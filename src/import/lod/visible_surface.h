// What is seen of a character from outside: points of its surface with their colors. Small levels of detail take their
// colors from it, and as much room in pictures as the finest mesh has.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "lod/surface_distance.h"
#include "sinew/asset/character.h"

namespace sinew::internal {

/// The axes and the diagonals of a cube, both ways; unit length.
std::array<Vec3, 14> view_directions();

/// A point that is seen, of a triangle of the mesh. All points stand for equal areas of a picture.
struct VisiblePoint {
  uint32_t triangle = 0;
  float share_b = 0, share_c = 0;
  Vec3 color;           // linear: of material, texture and vertex color
  uint8_t alpha = 255;  // the same, of opaque materials; 255 of all others
  uint32_t material = 0;
};

/// The masks that small levels keep: make_levels() of sinew/import/lod.h.
inline constexpr size_t kLevelMasks = 4;

/// The mask of a point; kLevelMasks or more: none.
inline size_t mask_of(const VisiblePoint& point) { return size_t{254} - point.alpha; }

/// A mesh seen along fourteen directions, from all sides, without perspective.
struct VisibleSurface {
  std::vector<VisiblePoint> points;
  double area = 0;  // that it covers, as the mean of the directions; in squared units of the positions
};

/// Looks at the mesh of `character` with these positions of its vertices. What its materials cut out by alpha, and
/// backs of triangles that are seen from the front only, are not seen. Without images textures are white.
VisibleSurface look_at(const Character& character, std::span<const Vec3> positions);

/// VisibleSurface::area of triangles that are seen from both sides.
double covered_area(const Surface& surface);

}  // namespace sinew::internal
