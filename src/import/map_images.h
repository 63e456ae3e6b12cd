// What the materials of formats before glTF need to become materials of glTF.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sinew/asset/material.h"

namespace sinew::internal {

/// The roughness of a Phong or Blinn-Phong exponent n: (2 / (n + 2))^(1/4). The square of the roughness is then the
/// width alpha of the microfacet model whose highlight has the same size: alpha^2 = 2 / (n + 2). Exponents that are
/// negative or not finite give 1. Source: B. Walter et al., "Microfacet Models for Refraction through Rough Surfaces",
/// 2007.
float roughness_of_exponent(double exponent);

/// Whether an image holds normals, and not heights: most of its pixels are unit vectors that point outward. Formats say
/// "bump map" for both.
bool holds_normals(const Image& image);

/// Makes one image of two: roughness in green, metallic in blue. The same two give the same image.
class MetallicRoughness {
 public:
  /// The index of the image in `images`, to which it may be added. An index of -1 stands for an image of ones; both
  /// must not be -1. The larger image decides the size.
  int32_t packed(int32_t metallic, int32_t roughness, std::vector<Image>& images);

 private:
  std::map<std::pair<int32_t, int32_t>, int32_t> known_;
};

}  // namespace sinew::internal
