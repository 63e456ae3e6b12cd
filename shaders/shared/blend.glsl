// Skinning in a vertex shader: reads the same static mesh and palettes as skin.comp. skinned_vertex.vert and
// skinned_depth.vert include it.

layout(set = kSetMaterial, binding = kBindingStaticMesh, std430) readonly buffer StaticMesh { uvec4 mesh[]; };
layout(set = kSetPalettes, binding = kBindingVertexPalettes, std430) readonly buffer Palettes { vec4 palette_rows[]; };
layout(set = kSetPalettes, binding = kBindingVertexPaletteTexels) uniform textureBuffer palette_texels;
layout(constant_id = kConstantTexelPalettes) const uint kTexelPalettes = 0;
layout(push_constant) uniform Push { DrawPushConstants push; };

vec4 palette_row(uint row) { return kTexelPalettes != 0 ? texelFetch(palette_texels, int(row)) : palette_rows[row]; }

// Computes the rows of the weighted sum of a vertex's matrices. `base` is the first entry of the instance's palette.
void blend(uint vertex, uint base, out vec4 rows[3]) {
  rows = vec4[3](vec4(0.0), vec4(0.0), vec4(0.0));
  for (uint quad = 0; quad < push.influence_quads; ++quad) {
    uvec4 influences = mesh[(1 + quad) * push.vertex_count + vertex];
    for (uint i = 0; i < kInfluencesPerQuad; ++i) {
      if (influences[i] < kMinInfluence) return;
      float weight = float(influences[i] >> 16) / 65535.0;
      uint first_row = 3 * (base + (influences[i] & 0xffffu));
      for (uint row = 0; row < 3; ++row) rows[row] += weight * palette_row(first_row + row);
    }
  }
}

vec3 skinned_position(vec4 rows[3], uvec4 bound) {
  vec4 p = vec4(uintBitsToFloat(bound.xyz), 1.0);
  return vec3(dot(rows[0], p), dot(rows[1], p), dot(rows[2], p));
}
