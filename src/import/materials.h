// Materials on their way from a file to a character: what formats before glTF need, alpha modes, invalid values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scene.h"
#include "sinew/asset/material.h"

namespace sinew::internal {

// Which sets of texture coordinates of a file become the two of a mesh.

/// The sets that the textures of one material use. `Set` is what a file names a set with.
template <class Set>
class UvSets {
 public:
  /// What Texture::uv_set becomes. The first two sets that are asked for become 0 and 1; nothing for a third.
  std::optional<uint32_t> number_of(const Set& set) {
    const auto found = std::find(sets_.begin(), sets_.end(), set);
    if (found != sets_.end()) return uint32_t(found - sets_.begin());
    if (sets_.size() == 2) return std::nullopt;
    sets_.push_back(set);
    return uint32_t(sets_.size()) - 1;
  }

  /// True the first time that number_of() gave nothing and this is asked: a material is counted once.
  bool loses_first() { return !std::exchange(loses_, true); }

  /// By their number, at most two.
  const std::vector<Set>& sets() const { return sets_; }

 private:
  std::vector<Set> sets_;
  bool loses_ = false;
};

// What the materials of formats before glTF need to become materials of glTF.

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

// The alpha modes of materials, by what their parts show.

/// Makes materials opaque that mask or blend but have no transparent place: exporters often write such materials, and
/// opaque surfaces need no order and hide what is behind them. All meshes must have a material.
void simplify_alpha(Scene& scene);

// Materials that a file makes invalid.

/// Replaces factors that are not finite or out of range by their defaults, and leaves out textures whose transform is
/// not finite, each with a warning: the character has a valid surface.
void repair_materials(Scene& scene, std::vector<std::string>& warnings);

/// Textures of materials whose mesh parts have no second uvs read the first ones.
void drop_unused_sets(const Mesh& mesh, std::vector<Material>& materials);

}  // namespace sinew::internal
