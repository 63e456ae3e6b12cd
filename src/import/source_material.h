// Materials of formats before glTF: what COLLADA, FBX and the formats that Assimp reads say of a surface, and how it
// becomes a material of glTF.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lost_features.h"
#include "scene.h"
#include "sinew/asset/material.h"

namespace sinew::internal {

/// A texture as a file connects it to a property of a material.
struct SourceTexture {
  bool exists = false;   // the file names one, whether its image is read or not
  int32_t image = -1;    // of the scene; -1: none
  std::string uv_set{};  // what the file calls its texture coordinates
  Wrap wrap_u = Wrap::kRepeat, wrap_v = Wrap::kRepeat;
  bool uses_alpha = false;  // the file says that its alpha is the opacity
};

/// A material as files describe it. A texture replaces the number of its property; in Material, as in glTF, the two are
/// multiplied.
struct SourceMaterial {
  std::string name{};
  bool unlit = false;
  Vec3 color{1, 1, 1};
  double opacity = 1;  // 1: nothing is behind
  float metallic = 0;
  float roughness = 1;
  Vec3 emission{0, 0, 0};
  float emission_weight = 1;  // in place of `emission` for its texture
  SourceTexture color_texture{}, opacity_texture{}, metallic_texture{}, roughness_texture{}, normal_texture{},
      occlusion_texture{}, emission_texture{};
  bool has_others = false;  // textures of what no material here has, such as specular color
};

/// The last rows of the table of lost features of a reader whose materials are converted, in the order of MaterialLost.
inline constexpr LostFeature kMaterialRows[] = {
    {"texture-transform", "texture", "it is moved, turned or scaled, which is not read"},
    {"texture-set", "material", "one of its textures uses texture coordinates that are not kept, left out"},
    {"bump-map", "material", "its bump map has heights and no normals, which is not read"},
    {"other-images", "material", "it has images of what no material here has, such as specular color: not read"},
    {"opacity-image", "material", "its opacity is an image of its own, which is not read"},
    {"opacity", "material", "its opacity is not between 0 and 1, taken for 1"},
};
enum class MaterialLost : size_t { kTextureTransform, kTextureSet, kBumpMap, kOtherImages, kOpacityImage, kOpacity };

/// The table of a reader: its own rows, then those of materials.
template <size_t kCount>
constexpr auto with_material_rows(const LostFeature (&own)[kCount]) {
  std::array<LostFeature, kCount + std::size(kMaterialRows)> rows;
  std::copy(std::begin(kMaterialRows), std::end(kMaterialRows), std::copy(own, own + kCount, rows.begin()));
  return rows;
}

inline void add(LostFeatures& lost, MaterialLost row, std::string_view name) {
  lost.add(lost.row_count() - std::size(kMaterialRows) + size_t(row), name);
}

/// The scene's material for one of a file.
struct ConvertedMaterial {
  int32_t material = -1;               // in the scene
  std::vector<std::string> uv_sets{};  // what the file calls the sets of texture coordinates, by Texture::uv_set
  bool has_normal_map = false;
};

/// Converts the materials of one file. Borrows the scene, to which materials and packed images are added, and the lost
/// features.
///
/// A material has two sets of texture coordinates; textures with a third are left out. Of what files say about
/// transparency, this is trusted: an opacity between 0 and 1 blends; an image that is also the image of the opacity, or
/// that the file flags as such, masks. An opacity of 0 is taken for 1: exporters often write it for opaque materials.
/// All materials are double-sided: these formats, or their exporters, wind triangles either way and do not say which
/// sides are meant.
class MaterialConversion {
 public:
  /// The table of `lost` is of with_material_rows().
  MaterialConversion(Scene& scene, LostFeatures& lost) : scene_(scene), lost_(lost) {}

  ConvertedMaterial add(const SourceMaterial& source);

 private:
  class Builder;
  int32_t packed(int32_t metallic, int32_t roughness);
  bool holds_normals(int32_t image);

  Scene& scene_;
  LostFeatures& lost_;
  std::map<std::pair<int32_t, int32_t>, int32_t> packed_;  // by the images of metallic and roughness
  std::map<int32_t, bool> holds_normals_;                  // by image
};

/// The roughness of a Phong or Blinn-Phong exponent n: (2 / (n + 2))^(1/4). The square of the roughness is then the
/// width alpha of the microfacet model whose highlight has the same size: alpha^2 = 2 / (n + 2). Exponents that are
/// negative or not finite give 1. Source: B. Walter et al., "Microfacet Models for Refraction through Rough Surfaces",
/// 2007.
float roughness_of_exponent(double exponent);

}  // namespace sinew::internal
