// What the program and its crowd shaders both read: bindings, vertex attributes and uniforms. Data only.
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

// Descriptor sets, and the bindings in them.
SINEW_CONST kSetFrame = 0;
SINEW_CONST kBindingFrame = 0;       // FrameUniforms
SINEW_CONST kBindingShadowMaps = 1;  // depths, a layer a map

SINEW_CONST kSetMaterial = 1;
SINEW_CONST kBindingUvs = 0;         // vec2 a vertex of the mesh
SINEW_CONST kBindingBaseColor = 1;   // texture
SINEW_CONST kBindingStaticMesh = 2;  // skinned_vertex.vert: as in skinning.h

SINEW_CONST kSetPalettes = 2;                 // skinned_vertex.vert
SINEW_CONST kBindingVertexPalettes = 0;       // as in skinning.h
SINEW_CONST kBindingVertexPaletteTexels = 1;  // the same again; kConstantTexelPalettes says which is read

// Vertex attributes. Those of an instance are InstanceAttributes, in its order.
SINEW_CONST kAttributePosition = 0;
SINEW_CONST kAttributeNormal = 1;          // octahedral
SINEW_CONST kAttributeWorldFromModel = 2;  // three rows
SINEW_CONST kAttributeTint = 5;
SINEW_CONST kAttributeBase = 6;
SINEW_CONST kAttributeShadow = 7;

// A soft shadow, in its radii: half its length, and where it begins behind its middle. It is two radii wide.
SINEW_FLOAT kShadowHalfLength = 1.9f;
SINEW_FLOAT kShadowStart = 0.9f;

// How many shadow maps there are: a specialization constant behind those of skinning.h, which some shaders have too.
SINEW_CONST kConstantShadowMaps = 6;
SINEW_CONST kMaxShadowMaps = 4;
SINEW_FLOAT kShadowFade = 0.85f;  // of a map's end: there it begins to fade into the next

struct InstanceAttributes {
  vec4 world_from_model[3];  // rows
  uint tint;                 // rgba8
  uint base;  // its first vertex in the page of skinned vertices; skinned_vertex.vert: its first entry in the palettes
  float shadow[3];  // x and z of its place on the ground, and a radius; meters
};

// Of a pass over the crowd: that of the camera, or that of a shadow map, which has a clip space of its own.
struct FrameUniforms {
  mat4 clip_from_world;
  mat4 world_from_clip;
  vec4 eye;            // world
  vec4 sun;            // towards it, unit length
  mat4 shadow_from_world[kMaxShadowMaps];  // the clip space of each map, the nearest first
  vec4 shadow_end;                          // meters from the eye to which each map is looked at
  vec4 shadow_texel;                        // meters, of each map
  float fog_density;                        // per meter
  float crowd_radius;                       // meters
};

// Of one material's draws.
struct DrawPushConstants {
  vec4 base_color;
  uint vertex_count;      // skinned_vertex.vert: of the mesh
  uint influence_quads;  // likewise
};

#ifdef __cplusplus
}  // namespace sinew::shared
#endif
#undef SINEW_CONST
#undef SINEW_FLOAT

#endif
