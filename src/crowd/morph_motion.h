// How far morph targets move vertices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/asset/character.h"
#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"

namespace sinew::crowd::internal {

/// For each target how far it moves a vertex at weight 1, at most: in mesh space.
std::vector<float> morph_sizes(const Mesh& mesh);

/// Upper bound of how far any vertex is apart under two sets of weights, in mesh space. `sizes`: morph_sizes().
float morph_distance(std::span<const float> sizes, std::span<const float> a, std::span<const float> b);

/// For each palette entry the bounding box of the vertices that it influences, with the weights that `clips` reach at
/// their path_times(); an empty box where there are none.
std::vector<Box> boxes_of_entries(const Character& character, std::span<const uint32_t> clips);

/// Upper bound of the length of a unit vector after the transform.
float max_scale(const Matrix3x4& m);

}  // namespace sinew::crowd::internal
