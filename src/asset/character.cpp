#include "sinew/asset/character.h"

#include <cmath>

#include "error.h"
#include "exceptions.h"
#include "plain_text.h"

namespace sinew {

using namespace internal;
namespace {

bool is_unit(Vec3 axis) { return std::abs(length(axis) - 1) < 1e-3f; }  // false for NaN

/// What is wrong with a texture of a material; empty: nothing.
std::string fault_of(const Texture& texture, const Character& character) {
  if (texture.image < -1 || texture.image >= int32_t(character.images.size()))
    return "it names an image that is not there";
  if (texture.image < 0) return "";
  if (texture.uv_set > 1) return "it names set " + std::to_string(texture.uv_set) + " of uvs, but a mesh has 0 and 1";
  if (texture.uv_set == 1 && character.mesh.second_uvs.empty() && character.mesh.vertex_count() > 0)
    return "it names the second uvs, which the mesh has not";
  const Texture& t = texture;
  if (!is_finite(Vec3{t.offset.x, t.offset.y, t.rotation}) || !is_finite(Vec3{t.scale.x, t.scale.y, 0}))
    return "the transform of a texture is not finite";
  const bool known = t.wrap_u <= Wrap::kClamp && t.wrap_v <= Wrap::kClamp && t.magnify <= Filter::kNearest &&
                     t.minify <= Filter::kNearest && t.mip <= Filter::kNone;
  return known ? "" : "the sampler of a texture has an unknown mode";
}

/// The same for its factors.
std::string fault_of(const Material& material) {
  const auto is_share = [](float value) { return value >= 0 && value <= 1; };  // false for NaN
  const Vec4 base = material.base_color;
  const Vec3 light = material.emissive;
  if (!is_finite(Vec3{base.x, base.y, base.z}) || !std::isfinite(base.w)) return "its base color is not finite";
  if (!is_share(material.metallic)) return "its metallic factor is not from 0 to 1";
  if (!is_share(material.roughness)) return "its roughness factor is not from 0 to 1";
  if (!std::isfinite(material.normal_scale)) return "its normal scale is not finite";
  if (!is_share(material.occlusion_strength)) return "its occlusion strength is not from 0 to 1";
  if (!is_finite(light) || light.x < 0 || light.y < 0 || light.z < 0) return "its emission is negative or not finite";
  if (!std::isfinite(material.alpha_cutoff) || material.alpha_cutoff < 0)
    return "its alpha cutoff is negative or not finite";
  return "";
}

Status validate_materials(const Character& character) {
  if (character.materials.empty()) return invalid("character '" + character.name + "': it has no material");
  for (const Material& material : character.materials) {
    std::string fault = fault_of(material);
    for (const Texture* texture : material.textures()) {
      if (fault.empty()) fault = fault_of(*texture, character);
    }
    if (!fault.empty()) return invalid("material '" + material.name + "': " + fault);
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
