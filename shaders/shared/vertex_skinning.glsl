// Skinning in a vertex shader: the same meshes and palettes as in skin.comp. skin.vert and skin_depth.vert
// include it, after the push constants.

layout(set = kSetMaterial, binding = kBindingStaticMesh, std430) readonly buffer Meshes { uvec4 meshes[]; };
layout(set = kSetPage, binding = kBindingVertexPalettes, std430) readonly buffer Palettes { vec4 palette_rows[]; };
layout(set = kSetPage, binding = kBindingVertexPaletteTexels) uniform textureBuffer palette_texels;
layout(constant_id = kConstantTexelPalettes) const uint kTexelPalettes = 0;
layout(constant_id = kConstantDualQuaternions) const uint kDualQuaternions = 0;

#include "shared/blend.glsl"

uint morph_tangent(uint difference) { return 0u; }  // these shaders skin no tangents
#include "shared/morph.glsl"

// The blended matrix of a vertex. `first_entry` is the first entry of the instance's palette.
Matrix3x4 model_from_mesh(uint vertex, uint first_entry) {
  return blend_any(push.vertex_count + vertex, push.vertex_count, push.influence_quads, kRowsPerEntry * first_entry);
}

vec3 bound_position(uint vertex) { return uintBitsToFloat(meshes[vertex].xyz); }

// Adds the morph targets of an instance to a vertex in mesh space.
void add_morphs(uint vertex, uint first_entry, inout vec3 position, inout vec3 normal) {
  if (push.morph_blocks == 0u) return;
  vec3 tangent = vec3(0.0);
  add_morphs(0u, push.morph_blocks, vertex, 3 * first_entry + push.weights_row, position, normal, tangent);
}
