// References to textures of a glTF file, and what else of its materials needs a look at extensions.
#pragma once

#include "gltf/tinygltf.h"
#include "sinew/asset/material.h"
#include "sinew/asset/math.h"

namespace sinew::internal {

/// A texture of the file, the set of texture coordinates that it uses, and their transform.
struct TextureReference {
  int texture = -1;  // of tinygltf; -1: none
  int set = 0;
  Texture use = {};  // offset, scale and rotation; the rest is not filled
};

/// Throws ImportFailure if a member of KHR_texture_transform is not what it should be. `info` is a TextureInfo of
/// tinygltf, or of one of the other two kinds.
TextureReference texture_reference(int texture, int set, const tinygltf::ExtensionMap& extensions);
template <class Info>
TextureReference texture_reference(const Info& info) {
  return texture_reference(info.index, info.texCoord, info.extensions);
}

/// Wrapping and filters of a sampler, written into `use`. Unknown values leave the defaults.
void read_sampler(const tinygltf::Sampler& sampler, Texture& use);

/// The base color of a material; of KHR_materials_pbrSpecularGlossiness, its diffuse color.
struct BaseColor {
  Vec4 factor{1, 1, 1, 1};
  TextureReference texture = {};
};
BaseColor base_color_of(const tinygltf::Material& material);

/// KHR_materials_pbrSpecularGlossiness, or null.
const tinygltf::Value* specular_glossiness_of(const tinygltf::Material& material);

/// What emissiveFactor is multiplied with: KHR_materials_emissive_strength.
float emissive_strength_of(const tinygltf::Material& material);

/// A number of an extension; `absent` where it has none.
float number_in(const tinygltf::Value& object, const char* name, float absent);

}  // namespace sinew::internal
