// The coarsest levels of detail: a few closed shapes, each around what one joint moves. Edge collapse cannot make them:
// it keeps islands and seams.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/asset/math.h"

namespace sinew::internal {

/// What a point looks like, for comparisons: equal distances are about equally visible.
using Look = std::array<float, 7>;

/// A point of a surface, and the joint that moves it. All points cover as much of a picture.
struct LimbPoint {
  Vec3 at;
  uint32_t joint = 0;
  Look look{};
};

/// What the shapes are: both cover as much of a picture as a round limb of the same thickness.
enum class LimbShape : uint8_t {
  kPrism,  // three-sided, thinner towards one end: 8 triangles
  kWedge,  // a long tetrahedron, whose edges at both ends are perpendicular: 4 triangles
};

/// Triangles whose vertices follow one joint each.
struct LimbMesh {
  std::vector<Vec3> positions;
  std::vector<uint32_t> joints;  // of each vertex
  std::vector<uint32_t> indices;
};

/// Puts shapes around the points of each joint, which reach to the joint: limbs hang together. `origins` are the places
/// of joints; those behind its end have none. Where a shape would be farther than `max_distance` from one of its
/// points, there are two shapes in its place, and so on: a sword gets one of its own. Likewise where the two ends of a
/// shape look different: hair and jacket do not become one color.
LimbMesh make_limbs(std::span<const LimbPoint> points, std::span<const Vec3> origins, LimbShape shape,
                    double max_distance);

}  // namespace sinew::internal
