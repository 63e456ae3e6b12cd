// The classic way, to compare with: every draw skins every vertex again, from the same data as skin.comp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/skinning.h"
#include "shared/crowd.h"
#include "shared/surface.glsl"

layout(set = kSetMaterial, binding = kBindingStaticMesh, std430) readonly buffer StaticMesh { uvec4 mesh[]; };
layout(set = kSetPalettes, binding = kBindingVertexPalettes, std430) readonly buffer Palettes { vec4 palette_rows[]; };
layout(push_constant) uniform Push { DrawPushConstants push; };

// The rows of the blended matrix.
void blend(uint vertex, out vec4 rows[3]) {
  rows = vec4[3](vec4(0.0), vec4(0.0), vec4(0.0));
  for (uint group = 0; group < push.influence_groups; ++group) {
    uvec4 influences = mesh[(1 + group) * push.vertex_count + vertex];
    for (uint i = 0; i < kInfluencesPerGroup; ++i) {
      if (influences[i] == 0) return;
      float weight = float(influences[i] >> 16) / 65535.0;
      uint first_row = 3 * (base + (influences[i] & 0xffffu));
      for (uint row = 0; row < 3; ++row) rows[row] += weight * palette_rows[first_row + row];
    }
  }
}

vec3 bend_normal(vec4 rows[3], vec3 normal) {
  vec3 x = vec3(rows[0].x, rows[1].x, rows[2].x);
  vec3 y = vec3(rows[0].y, rows[1].y, rows[2].y);
  vec3 z = vec3(rows[0].z, rows[1].z, rows[2].z);
  vec3 bent = cross(y, z) * normal.x + cross(z, x) * normal.y + cross(x, y) * normal.z;
  if (dot(x, cross(y, z)) < 0.0) bent = -bent;
  float square = dot(bent, bent);
  return square > 0.0 ? bent * inversesqrt(square) : normal;
}

void main() {
  uint vertex = uint(gl_VertexIndex);
  vec4 rows[3];
  blend(vertex, rows);
  uvec4 bound = mesh[vertex];
  vec4 p = vec4(uintBitsToFloat(bound.xyz), 1.0);
  vec3 position = vec3(dot(rows[0], p), dot(rows[1], p), dot(rows[2], p));
  place(position, bend_normal(rows, decode_normal(unpackSnorm2x16(bound.w))), vertex);
}
