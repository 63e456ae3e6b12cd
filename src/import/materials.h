// Materials on their way from a file to a character: sets of texture coordinates, alpha modes, invalid
// values, images.
#pragma once

#include <algorithm>
#include <cstdint>
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

// The alpha modes of materials, by what their parts show.

/// Makes materials opaque that mask or blend but have no transparent place: exporters often write such materials, and
/// opaque surfaces need no order and hide what is behind them. All meshes must have a material.
void simplify_alpha(Scene& scene);

// Materials that a file makes invalid.

/// Replaces factors that are not finite or out of range by their defaults, and leaves out textures whose transform is
/// not finite, each with a warning: the character has a valid surface.
void repair_materials(Scene& scene, std::vector<std::string>& warnings);

/// Leaves out the images that no material uses: reading a material may take several images for one.
void drop_unused_images(Scene& scene);

/// Textures of materials whose mesh parts have no second uvs read the first ones.
void drop_unused_sets(const Mesh& mesh, std::vector<Material>& materials);

}  // namespace sinew::internal
