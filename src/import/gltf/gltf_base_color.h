// The color of a glTF material, wherever the material has it.
#pragma once

#include "gltf/tinygltf.h"
#include "sinew/asset/math.h"

namespace sinew::internal {

/// Which texture coordinates a texture uses, and how: KHR_texture_transform scales, then rotates, then moves them.
struct TextureCoordinates {
  int set = 0;
  Vec2 offset{0, 0}, scale{1, 1};
  float rotation = 0;  // radians, counter-clockwise where v points down

  Vec2 transformed(Vec2 uv) const;
  bool operator==(const TextureCoordinates& other) const;
};

struct BaseColor {
  Vec4 factor{1, 1, 1, 1};
  int texture = -1;  // of tinygltf; -1: none
  TextureCoordinates coordinates = {};
};

/// Of a reference to a texture: its set, and its extensions. Throws ImportFailure if a member of KHR_texture_transform
/// is not what it should be.
TextureCoordinates texture_coordinates(int set, const tinygltf::ExtensionMap& extensions);

/// The base color; of KHR_materials_pbrSpecularGlossiness the diffuse color; of a material whose base color is black
/// the color that it emits, if any.
BaseColor base_color_of(const tinygltf::Material& material);

}  // namespace sinew::internal
