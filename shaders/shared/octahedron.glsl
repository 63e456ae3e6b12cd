// Octahedral encoding of normals and tangents, in the layout of sinew/asset/skinned_vertex.h.

// Unlike sign() it is never 0: 0 would lose an axis in fold().
float sign_of(float value) { return value < 0.0 ? -1.0 : 1.0; }
vec2 fold(vec2 p) { return (1.0 - abs(p.yx)) * vec2(sign_of(p.x), sign_of(p.y)); }

// The result has unit length.
vec3 from_octahedron(vec2 p) {
  float z = 1.0 - abs(p.x) - abs(p.y);
  return normalize(vec3(z < 0.0 ? fold(p) : p, z));
}
vec3 decode_normal(uint encoded) { return from_octahedron(unpackSnorm2x16(encoded)); }

// `n` may have any length except 0.
vec2 to_octahedron(vec3 n) {
  vec2 p = n.xy / (abs(n.x) + abs(n.y) + abs(n.z));
  return n.z < 0.0 ? fold(p) : p;
}
uint encode_normal(vec3 n) { return packSnorm2x16(to_octahedron(n)); }

// The lowest bit of y stores the handedness: 1 for -1. y is rounded to the nearest integer with this bit. `t` may have
// any length except 0.
uint encode_tangent(vec3 t, bool left_handed) {
  vec2 p = to_octahedron(t);
  int bit = int(left_handed), y = 2 * int(round(min(p.y * 16383.5 - 0.5 * float(bit), 16383.0))) + bit;
  return packSnorm2x16(vec2(p.x, 0.0)) | uint(y) << 16;
}
bool is_left_handed(uint tangent) { return (tangent & 0x10000u) != 0; }
