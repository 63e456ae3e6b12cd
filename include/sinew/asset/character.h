// The character: everything that a file says about one animated model. It is validated once, so that inner loops need
// no checks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/api.h"
#include "sinew/asset/clip.h"
#include "sinew/asset/material.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/result.h"
#include "sinew/asset/skeleton.h"
#include "sinew/asset/skin.h"

namespace sinew {

/// The axes and units of model space: those of the file. Import converts nothing; see convert_space(). Both axes have
/// unit length and are perpendicular.
struct ModelSpace {
  Vec3 up{0, 1, 0};
  Vec3 front{0, 0, 1};        // the direction that a character faces by the format's convention; a file may differ
  float meters_per_unit = 1;  // from 1e-12 to 1e12
  bool operator==(const ModelSpace&) const = default;
};

/// Checks axes and units as ModelSpace has them, within 1e-3. Errors: kInvalidData, kOutOfMemory.
SINEW_API Status validate(const ModelSpace& space);

/// One animated model. Indices of clips, materials and images are positions in these vectors.
struct Character {
  std::string name;
  ModelSpace space;
  Skeleton skeleton;
  Skin skin;
  Mesh mesh;
  std::vector<Clip> clips;
  std::vector<Material> materials;  // at least one
  std::vector<Image> images;
  bool operator==(const Character&) const = default;
};

/// Checks that every part is valid, that the parts fit together, and that vertices of the rest pose are within
/// kMaxCoordinate. Call it on a character that you build yourself: most other calls assume a valid one. Errors:
/// kInvalidData with the item at fault in the message, kOutOfMemory.
SINEW_API Status validate(const Character& character);

/// For each vertex of `mesh`, the character's or that of a level of detail: where the base color texture of its part is
/// read, with the set and the transform of the texture. For hosts that draw no other texture. `mesh` and `materials`
/// must be valid. Error: kOutOfMemory.
SINEW_API Result<std::vector<Vec2>> base_color_uvs(const Mesh& mesh, std::span<const Material> materials);

/// The matrix that maps model space `source` to model space `target`: a rotation of the axes and a scale of the units,
/// no translation. `up`, `front` and `meters_per_unit` follow the rules of convert_space().
SINEW_API Matrix3x4d target_from_source(const ModelSpace& source, const ModelSpace& target = {});

/// Rotates and scales the character into the space `target`, for hosts that want meters and y up whatever the file has.
/// Changes only Skeleton::model_from_root and constant palette entries: vertices, local poses and clips stay the same.
/// Baked clips, bounds and root tracks made before the call are of the old space. `up` and `front` need not have unit
/// length; `front` is made perpendicular to `up`. `meters_per_unit` must be positive. Character::space becomes `target`
/// with unit axes.
SINEW_API void convert_space(Character& character, const ModelSpace& target = {});

}  // namespace sinew
