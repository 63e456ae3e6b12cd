#include "sinew/character.h"

#include <new>

#include "error.h"

namespace sinew {
namespace {

Status validate_materials(const Character& character) {
  if (character.materials.empty()) return invalid("character '" + character.name + "': it has no material");
  for (const Material& material : character.materials) {
    if (material.base_color_image < -1 || material.base_color_image >= int32_t(character.images.size())) {
      return invalid("material '" + material.name + "': it names an image that is not there");
    }
  }
  for (const MeshPart& part : character.mesh.parts) {
    if (part.material >= character.materials.size()) {
      return invalid("mesh: part '" + part.name + "' names a material that is not there");
    }
  }
  for (const Image& image : character.images) {
    const uint64_t pixels = uint64_t(image.width) * image.height, bytes = image.rgba.size();  // four times may wrap
    if (bytes == 0 || bytes % 4 != 0 || bytes / 4 != pixels) {
      return invalid("image '" + image.name + "': its pixels do not fit its size");
    }
  }
  return {};
}

}  // namespace

Status validate(const Character& character) try {
  if (Status status = validate(character.skeleton); !status) return status;
  if (Status status = validate(character.skin, character.skeleton); !status) return status;
  if (Status status = validate(character.mesh, character.skin.palette_size()); !status) return status;
  for (const Clip& clip : character.clips) {
    if (Status status = validate(clip, character.skeleton.joint_count()); !status) return status;
  }
  return validate_materials(character);
} catch (const std::bad_alloc&) {
  return out_of_memory();
}

}  // namespace sinew
