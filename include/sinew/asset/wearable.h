// What instances of a model may wear besides their body: a hat, a shield, hair, each a mesh over the same skeleton.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/asset/mesh.h"

namespace sinew {

/// No wearable: the body.
inline constexpr uint32_t kNoWearable = UINT32_MAX;

/// The wearables of a model are the bits of an outfit: see crowd::Instances::outfits.
inline constexpr uint32_t kMaxWearables = 64;

/// A mesh that an instance may wear, skinned with the palette of the body. No joint is evaluated for it, and what no
/// drawn instance wears is not skinned.
struct Wearable {
  std::string name;  // of one thing: "helmet"; no two wearables of a model have the same
  /// The place that it takes, such as "hat": an instance is meant to wear one of each. The library lets it wear any.
  std::string choice;
  /// One for each level of detail of the model. Influences are of the palette of that level, Model::skin(), and
  /// materials those of the character. Without morph targets; blended as the body. No vertices: it is too small to see
  /// at this level.
  std::vector<Mesh> meshes;
  bool operator==(const Wearable&) const = default;
};

}  // namespace sinew
