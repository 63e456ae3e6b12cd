// Octahedral encoding of normals and tangents, in the layout of sinew/asset/skinned_vertex.h. The included header
// decodes.

#include "../include/sinew/vulkan/skinned_vertex.glsl"

// `n` may have any length except 0.
vec2 to_octahedron(vec3 n) {
  vec2 p = n.xy / (abs(n.x) + abs(n.y) + abs(n.z));
  return n.z < 0.0 ? sinew_fold(p) : p;
}
uint encode_normal(vec3 n) { return packSnorm2x16(to_octahedron(n)); }

// The lowest bit of y stores the handedness: 1 for -1. y is rounded to the nearest integer with this bit. `t` may have
// any length except 0.
uint encode_tangent(vec3 t, bool left_handed) {
  vec2 p = to_octahedron(t);
  int bit = int(left_handed), y = 2 * int(round(min(p.y * 16383.5 - 0.5 * float(bit), 16383.0))) + bit;
  return packSnorm2x16(vec2(p.x, 0.0)) | uint(y) << 16;
}
