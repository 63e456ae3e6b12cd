// Materials and images of a character: sinew_character_material(), sinew_character_image().
#pragma once

#include "sinew/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What the alpha of a material does, which is that of base_color * image * vertex color: nothing; below alpha_cutoff
/// there is no surface; it is the share that covers what is behind. Draw parts that blend after all others.
enum { SINEW_ALPHA_OPAQUE = 0, SINEW_ALPHA_MASK = 1, SINEW_ALPHA_BLEND = 2 };

/// How a texture goes on outside of texture coordinates 0 to 1.
enum { SINEW_WRAP_REPEAT = 0, SINEW_WRAP_MIRROR = 1, SINEW_WRAP_CLAMP = 2 };

/// How texels are read that lie beside each other, or (mip) in two levels of a mip chain. NONE: no mip chain.
enum { SINEW_FILTER_LINEAR = 0, SINEW_FILTER_NEAREST = 1, SINEW_FILTER_NONE = 2 };

/// A use of an image. Coordinates are scaled, then rotated, then moved, as in KHR_texture_transform. The member of a
/// struct.
typedef struct SinewTexture {
  int32_t image;    // -1: no texture, the rest does not matter
  uint32_t uv_set;  // 0: uvs of the mesh; 1: its second_uvs
  float offset[2], scale[2];
  float rotation;                 // radians; the image turns counterclockwise
  uint32_t wrap_u, wrap_v;        // SINEW_WRAP_...
  uint32_t magnify, minify, mip;  // SINEW_FILTER_...
} SinewTexture;

/// The surface of parts, as in glTF 2.0. Factors are linear, and multiplied with what the texture has; without a
/// texture they stand alone. Red, green and blue of images are in sRGB in the base color and the emissive texture, and
/// linear in the others.
typedef struct SinewMaterial {
  uint32_t size;
  uint32_t alpha_mode;  // SINEW_ALPHA_...
  const char* name;
  float base_color[4];        // not premultiplied; multiplied with the vertex color too
  float alpha_cutoff;         // for SINEW_ALPHA_MASK
  uint32_t double_sided;      // 0: triangles are seen from the front, where their corners run counterclockwise
  uint32_t unlit;             // not 0: the base color is seen as it is, without light, shadow and emission
  float metallic, roughness;  // 0 to 1
  float normal_scale;         // of x and y of the normal texture
  float occlusion_strength;   // 0 to 1
  float emissive[3];          // 0 or more
  SinewTexture base_color_texture;
  SinewTexture metallic_roughness_texture;  // metallic in blue, roughness in green
  SinewTexture normal_texture;              // rgb * 2 - 1; needs tangents
  SinewTexture occlusion_texture;           // red: the share of indirect light that arrives
  SinewTexture emissive_texture;
} SinewMaterial;

/// An image: rows from top to bottom, 4 bytes per pixel: red, green, blue, and alpha, which is linear. The texture that
/// names it says what the colors are: see SinewMaterial.
typedef struct SinewImage {
  uint32_t size;
  uint32_t width, height;
  const char* name;
  const uint8_t* rgba;  // 4 * width * height bytes
} SinewImage;

#ifdef __cplusplus
}
#endif
