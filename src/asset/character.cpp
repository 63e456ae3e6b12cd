#include "sinew/asset/character.h"

#include <cmath>

#include "error.h"
#include "exceptions.h"
#include "number_text.h"

namespace sinew {

using namespace internal;
namespace {

bool is_unit(Vec3 axis) { return std::abs(length(axis) - 1) < 1e-3f; }  // false for NaN

Status validate_materials(const Character& character) {
  if (character.materials.empty()) return invalid("character '" + character.name + "': it has no material");
  for (const Material& material : character.materials) {
    if (material.base_color_image < -1 || material.base_color_image >= int32_t(character.images.size())) {
      return invalid("material '" + material.name + "': it names an image that is not there");
    }
    if (!std::isfinite(material.alpha_cutoff) || material.alpha_cutoff < 0) {
      return invalid("material '" + material.name + "': its alpha cutoff is negative or not finite");
    }
  }
  for (const MeshPart& part : character.mesh.parts) {
    if (part.material >= character.materials.size()) {
      return invalid("mesh: part '" + part.name + "' names a material that is not there");
    }
  }
  for (const Image& image : character.images) {
    const uint64_t pixels = uint64_t(image.width) * image.height, bytes = image.rgba.size();  // pixels * 4 may overflow
    if (bytes == 0 || bytes % 4 != 0 || bytes / 4 != pixels) {
      return invalid("image '" + image.name + "': its pixels do not fit its size");
    }
  }
  return {};
}

/// The rest pose's palette: the matrix from mesh space to model space of each entry.
std::vector<Matrix3x4d> rest_palette(const Character& character) {
  const Skeleton& skeleton = character.skeleton;
  std::vector<Matrix3x4d> joints, palette;
  for (uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    const int32_t parent = skeleton.parents[joint];
    joints.push_back((parent == kNoJoint ? skeleton.model_from_root : joints[size_t(parent)]) *
                     to_matrix(skeleton.rest_pose[joint]));
  }
  for (const PaletteEntry& entry : character.skin.entries) {
    palette.push_back(entry.joint == kNoJoint ? entry.joint_from_mesh
                                              : joints[size_t(entry.joint)] * entry.joint_from_mesh);
  }
  return palette;
}

/// Vertices in mesh space, moved by the rest weights of the morph targets.
std::vector<Vec3> rest_positions(const Mesh& mesh) {
  std::vector<Vec3> positions = mesh.positions;
  for (const MorphTarget& target : mesh.targets) {
    for (size_t i = 0; i < target.vertices.size() && target.rest_weight != 0; ++i) {
      Vec3& position = positions[target.vertices[i]];
      position = position + target.positions[i] * target.rest_weight;
    }
  }
  return positions;
}

Status validate_rest(const Character& character) {
  const std::vector<Matrix3x4d> palette = rest_palette(character);
  const Mesh& mesh = character.mesh;
  const std::vector<Vec3> positions = rest_positions(mesh);
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    for (const Influence influence : mesh.influences_of(v)) {
      if (is_within(transform_point(palette[influence.entry], positions[v]), kMaxCoordinate)) continue;
      return invalid("mesh: at rest, vertex " + std::to_string(v) + " is not within 1e9 units of the origin");
    }
  }
  return {};
}

}  // namespace

Status validate(const ModelSpace& space) SINEW_TRY {
  if (!is_unit(space.up) || !is_unit(space.front))
    return invalid("space: its up and front axes are not of unit length");
  if (!(std::abs(dot(space.up, space.front)) < 1e-3f)) {
    return invalid("space: its up and front axes are not perpendicular");
  }
  if (!(space.meters_per_unit >= 1e-12f && space.meters_per_unit <= 1e12f)) {
    return invalid("space: its unit, " + number_text(space.meters_per_unit) + " m, is not from 1e-12 to 1e12 m");
  }
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status validate(const Character& character) SINEW_TRY {
  if (Status status = validate(character.space); !status) return status;
  if (Status status = validate(character.skeleton); !status) return status;
  if (Status status = validate(character.skin, character.skeleton); !status) return status;
  if (Status status = validate(character.mesh, character.skin.palette_size()); !status) return status;
  if (Status status = validate_rest(character); !status) return status;
  for (const Clip& clip : character.clips) {
    if (Status status = validate(clip, character.skeleton.joint_count(), character.mesh.target_count()); !status)
      return status;
  }
  return validate_materials(character);
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
