// The color of a glTF material, wherever the material has it.
#pragma once

#include "sinew/asset/math.h"

namespace tinygltf {
struct Material;
}

namespace sinew::internal {

/// KHR_texture_transform: scales, then rotates, then moves texture coordinates.
struct TextureTransform {
  Vec2 offset{0, 0}, scale{1, 1};
  float rotation = 0;  // radians, counter-clockwise where v points down
};

Vec2 apply(const TextureTransform& transform, Vec2 uv);

struct BaseColor {
  Vec4 factor{1, 1, 1, 1};
  int texture = -1, tex_coord = 0;  // of tinygltf; -1: none
  TextureTransform transform = {};
};

/// The base color; of KHR_materials_pbrSpecularGlossiness the diffuse color; of a material whose base color is black
/// the color that it emits, if any.
BaseColor base_color_of(const tinygltf::Material& material);

}  // namespace sinew::internal
