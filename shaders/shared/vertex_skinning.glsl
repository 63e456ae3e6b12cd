// Skinning in a vertex shader: the same meshes and palettes as in skin.comp. skin.vert and skin_depth.vert
// include it.

layout(set = kSetMaterial, binding = kBindingStaticMesh, std430) readonly buffer Meshes { uvec4 meshes[]; };
layout(set = kSetPalettes, binding = kBindingVertexPalettes, std430) readonly buffer Palettes { vec4 palette_rows[]; };
layout(set = kSetPalettes, binding = kBindingVertexPaletteTexels) uniform textureBuffer palette_texels;
layout(constant_id = kConstantTexelPalettes) const uint kTexelPalettes = 0;
layout(push_constant) uniform Push { DrawPushConstants push; };

#include "shared/blend.glsl"

// The weighted sum of a vertex's matrices. `first_entry` is the first entry of the instance's palette.
Matrix3x4 model_from_mesh(uint vertex, uint first_entry) {
  return blend_any(push.vertex_count + vertex, push.vertex_count, push.influence_quads, 3 * first_entry);
}

vec3 bound_position(uint vertex) { return uintBitsToFloat(meshes[vertex].xyz); }
