// Skinning in the vertex shader, to compare with skin.comp: every draw skins every vertex again, from the same data.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#include "shared/skinning.h"
#include "shared/crowd.h"
#include "shared/place.glsl"
#include "shared/surface.glsl"
#include "shared/blend.glsl"

// By the cofactors of the matrix, like transform_normal() in skin.comp. The result has unit length.
vec3 transform_normal(vec4 rows[3], vec3 normal) {
  vec3 x = vec3(rows[0].x, rows[1].x, rows[2].x);
  vec3 y = vec3(rows[0].y, rows[1].y, rows[2].y);
  vec3 z = vec3(rows[0].z, rows[1].z, rows[2].z);
  vec3 n = cross(y, z) * normal.x + cross(z, x) * normal.y + cross(x, y) * normal.z;
  if (dot(x, cross(y, z)) < 0.0) n = -n;
  float square = dot(n, n);
  return square > 0.0 ? n * inversesqrt(square) : normal;
}

void main() {
  uint vertex = uint(gl_VertexIndex);
  vec4 rows[3];
  blend(vertex, base, rows);
  uvec4 bound = mesh[vertex];
  emit_vertex(skinned_position(rows, bound), transform_normal(rows, decode_normal(unpackSnorm2x16(bound.w))), vertex);
}
