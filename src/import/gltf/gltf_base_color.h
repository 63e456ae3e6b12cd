// The color of a glTF material, wherever the material has it.
#pragma once

#include "gltf/tinygltf.h"
#include "sinew/asset/math.h"

namespace sinew::internal {

struct BaseColor {
  Vec4 factor{1, 1, 1, 1};
  int texture = -1, tex_coord = 0;  // of tinygltf; -1: none
};

/// The base color; of KHR_materials_pbrSpecularGlossiness the diffuse color; of a material whose base color is black
/// the color that it emits, if any.
BaseColor base_color_of(const tinygltf::Material& material);

}  // namespace sinew::internal
