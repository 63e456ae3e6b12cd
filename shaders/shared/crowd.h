// What the program and its crowd shaders share: bindings, vertex attributes, uniforms, push constants. Data only.
#ifndef SINEW_SHADERS_SHARED_CROWD_H
#define SINEW_SHADERS_SHARED_CROWD_H

#ifdef __cplusplus
#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec4.hpp>
namespace sinew::shared {
using glm::mat4;
using glm::vec4;
using uint = std::uint32_t;
#define SINEW_CONST inline constexpr uint
#define SINEW_FLOAT inline constexpr float
#else
#define SINEW_CONST const uint
#define SINEW_FLOAT const float
#endif

// Descriptor sets and their bindings. One set for each frame slot:
SINEW_CONST kSetFrame = 0;
SINEW_CONST kBindingFrame = 0;       // FrameUniforms
SINEW_CONST kBindingShadowMaps = 1;  // depth image, one layer for each map

// One set for each material of each mesh:
SINEW_CONST kSetMaterial = 1;
SINEW_CONST kBindingUvs = 0;         // storage: one vec2 for each vertex of the mesh: where the base color is read;
                                     // then its colors, if it has any; then its uv sets, if maps are read
SINEW_CONST kBindingBaseColor = 1;   // image
SINEW_CONST kBindingStaticMesh = 2;  // storage: see skinning.h; for skinning in the vertex shader
SINEW_CONST kBindingColors = 3;      // storage: one rgba8 for each vertex of the mesh; for kColorsOfVertices
SINEW_CONST kBindingMaterial = 4;    // MaterialUniforms
// Images of materials with maps, in the order of MaterialUniforms::rows:
SINEW_CONST kBindingMetallicRoughness = 5;
SINEW_CONST kBindingNormalMap = 6;
SINEW_CONST kBindingOcclusion = 7;
SINEW_CONST kBindingEmissive = 8;
SINEW_CONST kMapCount = 4;
SINEW_CONST kBindingRegions = 9;  // image: shares of skin, hair, top and trousers

// One set for each page that vertex shaders read: of skinned vertices, or for skinning in the vertex shader of
// palettes.
SINEW_CONST kSetPage = 2;
SINEW_CONST kBindingVertices = 0;             // storage: skinned vertices, as 32-bit words
SINEW_CONST kBindingVertexPalettes = 0;       // storage: 3 vec4 for each palette entry
SINEW_CONST kBindingVertexPaletteTexels = 1;  // the same as texels; kConstantTexelPalettes chooses

// Locations of vertex attributes. From kAttributeOrigin on: the members of InstanceAttributes, in their order.
SINEW_CONST kAttributePosition = 0;
SINEW_CONST kAttributeNormal = 1;  // this and the position: see sinew/asset/skinned_vertex.h
SINEW_CONST kAttributeOrigin = 2;
SINEW_CONST kAttributeTurn = 3;
SINEW_CONST kAttributeTint = 4;
SINEW_CONST kAttributeFirstElement = 5;
SINEW_CONST kAttributeFeet = 6;
SINEW_CONST kAttributePreviousVertices = 7;  // the address of the instance's previous vertices; 0: none
SINEW_CONST kAttributeMoved = 8;             // by which the instance has moved since the frame before; world space
SINEW_CONST kAttributeTangent = 9;           // of a skinned vertex with tangents, encoded

// A vertex of stand.vert.
SINEW_CONST kAttributeStandPosition = 0;
SINEW_CONST kAttributeStandNormal = 1;
SINEW_CONST kAttributeStandColor = 2;

// A line of lines.vert: the attributes of one instance.
SINEW_CONST kAttributeLineFrom = 0;
SINEW_CONST kAttributeLineTo = 1;
SINEW_CONST kAttributeLineColor = 2;
SINEW_CONST kAttributeLineWidth = 3;

// The soft shadow of an instance, in multiples of its radius. Its half width is 1.
SINEW_FLOAT kShadowHalfLength = 1.9f;
SINEW_FLOAT kShadowStart = 0.9f;  // from the instance to the end towards the sun

// Specialization constant: the number of shadow maps. Some shaders also have those of skinning.h: its id follows
// theirs.
SINEW_CONST kConstantShadowMaps = 14;
SINEW_CONST kMaxShadowMaps = 4;
SINEW_CONST kMaxLamps = 12;  // that light a frame
// Specialization constant: where crowd.frag takes colors from.
SINEW_CONST kConstantColors = 15;
SINEW_CONST kColorsOfMaterials = 0;  // in the light of the scene, with the colors of the person
SINEW_CONST kColorsOfInstances = 1;  // rgba8 in their place
SINEW_CONST kColorsOfVertices = 2;   // kBindingColors
// Specialization constants of a surface: the value of AlphaMode, and whether both sides of triangles are seen.
SINEW_CONST kConstantAlphaMode = 16;
SINEW_CONST kConstantDoubleSided = 17;
SINEW_CONST kConstantMaps = 18;  // 1: the material has other textures than that of the base color
SINEW_CONST kAlphaMask = 1;
SINEW_CONST kAlphaBlend = 2;
SINEW_FLOAT kShadowFade = 0.85f;  // share of a map's end distance at which it begins to fade into the next map

// How crowd.frag shades a surface: DrawPushConstants::shading.
SINEW_CONST kShadingLit = 0;
SINEW_CONST kShadingUnlit = 1;  // the color without light and shadow
SINEW_CONST kShadingFaces = 2;  // lit, with normals half way to those of the triangles

// Where the regions of a surface are, which have other colors in each person: MaterialUniforms::regions.
SINEW_CONST kRegionsNone = 0;
SINEW_CONST kRegionsOfTexture = 1;   // kBindingRegions, read where the base color is
SINEW_CONST kRegionsOfVertices = 2;  // in the uv sets of small levels: sinew/import/lod.h
SINEW_CONST kPaletteSize = 32;       // the most colors of a region

// The uniforms of one material of one mesh.
struct MaterialUniforms {
  vec4 factors;              // metallic, roughness, normal scale (0: no normal map), occlusion strength
  vec4 emissive;             // rgb
  vec4 rows[2 * kMapCount];  // two for each map: its u and v are dot(row.xyz, vec3(uv, 1)); w of the first: the uv set
  uint first_uvs;            // elements of kBindingUvs: uv set 0 of the first vertex, and uv set 1
  uint first_second_uvs;
  uint regions;
  uint unused;
  // What an instance chooses from. kRegionsOfTexture: the color of the surface times that of skin, its brightness times
  // all others. kRegionsOfVertices: what is added, times the luminance in the region.
  vec4 skin[kPaletteSize];
  vec4 hair[kPaletteSize];
  vec4 top[kPaletteSize];
  vec4 trousers[kPaletteSize];
};

// InstanceAttributes::feet.
SINEW_CONST kFeetBits = 13;
SINEW_CONST kFeetSteps = 128;     // of a meter
SINEW_CONST kStretchSteps = 384;  // of the height

// The attributes of one drawn instance: a vertex of its model goes through DrawPushConstants::upright_from_model, is
// turned and scaled, and moved to the origin. Floats all: as exact as a matrix.
struct InstanceAttributes {
  float origin[3];     // of upright space, in world space; meters
  float turn[2];       // cosine and sine of the heading, times the scale
  uint tint;           // colors of regions, 6 bits each: skin, hair, top, trousers; then 0: all those of the material
  uint first_element;  // of the posed mesh: its first vertex in the buffer; skin*.vert: its first palette entry
  uint feet;           // kFeetBits each: x and z of the feet less those of the origin, for the soft shadow, signed, in
                       // steps of a meter; then, signed, by how many steps it is taller than its scale alone makes it
};

// The uniforms of one pass: the view of the camera, or of one shadow map, which differs in clip_from_world.
struct FrameUniforms {
  mat4 clip_from_world;
  mat4 world_from_clip;
  vec4 eye;                                // world space
  vec4 sun;                                // world space, towards the sun; xyz has unit length
  mat4 shadow_from_world[kMaxShadowMaps];  // to the clip space of each map, the nearest map first
  vec4 shadow_end;                         // for each map: the distance from the eye up to which it is used, meters
  vec4 shadow_texel;                       // for each map: the size of a texel, meters
  float fog_density;                       // per meter
  float crowd_radius;                      // radius of the area where the crowd stands, meters
  float picture_width, picture_height;     // pixels
  mat4 previous_clip_from_world;           // of the camera in the frame before
  vec4 sun_light;                          // rgb: that a surface facing the sun receives; w: exposure
  vec4 zenith, horizon;                    // rgb of the sky that is seen
  vec4 sky_light, ground_light;            // rgb that surfaces facing up and down receive
  vec4 lamps[2 * kMaxLamps];               // of each: position and reach, meters; color
  vec4 lamp_count;                         // x
  vec4 grid;                               // x: meters between lines of a grid on the ground; 0: paved ground
                                           // y, z: the middle of the crowd, x and z in meters
};

// A line between two points of world space. Equal points give a dot.
struct LineAttributes {
  float from[3], to[3];
  uint color;   // rgba8: sRGB, and linear alpha
  float width;  // pixels
};

// The push constants of the draws of one material.
struct DrawPushConstants {
  vec4 base_color;
  uint vertex_count;           // of the mesh; for skinning in the vertex shader
  uint influence_quads;        // likewise, see skinning.h
  uint morph_blocks;           // likewise; 0: the mesh has no morph targets
  uint weights_row;            // likewise
  float alpha_cutoff;          // below it a mask has no surface, and what blends no shadow
  uint first_color;            // element of kBindingUvs: rgba16 of the first vertex; 0: all vertices are white
  uint shading;                // kShading...
  uint first_vertex;           // of the draw, in its buffer
  vec4 box_low, box_high;      // of positions with kFormatPacked: x y z; the w are 0
  vec4 upright_from_model[3];  // rows
};

// The push constants of the draws of soft shadows.
struct ShadowPushConstants {
  float radius;  // of an instance of scale 1, meters
};

#ifdef __cplusplus
}  // namespace sinew::shared
#endif
#undef SINEW_CONST
#undef SINEW_FLOAT

#endif
