// Materials and images: the surface of mesh parts, as glTF 2.0 describes it (metallic-roughness).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/api.h"
#include "sinew/asset/math.h"

namespace sinew {

/// An image: rows from top to bottom, 4 bytes per pixel (red, green, blue, alpha). The texture that names an image says
/// what its bytes are: red, green and blue are in sRGB where it is a base color or an emissive texture, and linear in
/// all others; alpha is always linear. One image may be used both ways.
struct Image {
  std::string name;
  uint32_t width = 0, height = 0;
  std::vector<uint8_t> rgba;  // 4 * width * height bytes, no padding
  bool operator==(const Image&) const = default;
};

/// How a texture goes on outside of texture coordinates 0 to 1.
enum class Wrap : uint8_t { kRepeat = 0, kMirror = 1, kClamp = 2 };

/// How texels are read that lie beside each other, or (mip) in two levels of a mip chain. kNone: no mip chain.
enum class Filter : uint8_t { kLinear = 0, kNearest = 1, kNone = 2 };

/// A use of an image: where it is read, and how.
struct Texture {
  int32_t image = -1;   // in Character::images; -1: no texture, the rest does not matter
  uint32_t uv_set = 0;  // 0: Mesh::uvs; 1: Mesh::second_uvs
  Vec2 offset{0, 0};    // the transform of texture coordinates: see transformed()
  Vec2 scale{1, 1};
  float rotation = 0;  // radians; the image turns counterclockwise
  Wrap wrap_u = Wrap::kRepeat, wrap_v = Wrap::kRepeat;
  Filter magnify = Filter::kLinear, minify = Filter::kLinear;  // not kNone
  Filter mip = Filter::kLinear;
  bool operator==(const Texture&) const = default;
};

/// Where the image of `texture` is read for the coordinates `uv` of the mesh: they are scaled, then rotated, then
/// moved, as in KHR_texture_transform.
SINEW_API Vec2 transformed(const Texture& texture, Vec2 uv);

/// What the alpha of a material does. Alpha is that of base_color * texture * vertex color.
enum class AlphaMode : uint8_t {
  kOpaque = 0,  // nothing
  kMask = 1,    // below alpha_cutoff there is no surface
  kBlend = 2,   // the share that covers what is behind; colors are not premultiplied
};

/// The surface of mesh parts. Factors are linear, and multiplied with what the texture has; without a texture they
/// stand alone. Draw parts of AlphaMode::kBlend after all others, without writing depth.
struct Material {
  std::string name;
  Vec4 base_color{1, 1, 1, 1};  // multiplied with the vertex color too
  Texture base_color_texture = {};
  float metallic = 0;                       // 0 to 1
  float roughness = 1;                      // 0 to 1: perceptual, the square is the alpha of microfacet models
  Texture metallic_roughness_texture = {};  // metallic in blue, roughness in green
  Texture normal_texture = {};              // rgb * 2 - 1: in the frame tangent, bitangent, normal. See Mesh::tangents
  float normal_scale = 1;                   // of x and y of the normal
  Texture occlusion_texture = {};           // red: the share of indirect light that arrives
  float occlusion_strength = 1;             // 0 to 1: the light is 1 + strength * (red - 1)
  Vec3 emissive{0, 0, 0};  // light that the surface gives; 0 or more, and 1 is white. Above 1: brighter
  Texture emissive_texture = {};
  AlphaMode alpha_mode = AlphaMode::kOpaque;
  float alpha_cutoff = 0.5f;  // for AlphaMode::kMask; 0 or more
  bool double_sided = false;  // false: triangles are seen from the front, where their corners run counterclockwise
  bool unlit = false;         // true: the base color is seen as it is, without light, shadow and emission

  static constexpr size_t kTextureCount = 5;
  std::array<Texture*, kTextureCount> textures() {
    return {&base_color_texture, &metallic_roughness_texture, &normal_texture, &occlusion_texture, &emissive_texture};
  }
  std::array<const Texture*, kTextureCount> textures() const {
    return {&base_color_texture, &metallic_roughness_texture, &normal_texture, &occlusion_texture, &emissive_texture};
  }
  bool operator==(const Material&) const = default;
};

}  // namespace sinew
