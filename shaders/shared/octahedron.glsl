// Directions folded onto an octahedron, as sinew/skinned_vertex.h has them.

float sign_of(float value) { return value < 0.0 ? -1.0 : 1.0; }  // never 0: the fold must not lose an axis
vec2 fold(vec2 p) { return (1.0 - abs(p.yx)) * vec2(sign_of(p.x), sign_of(p.y)); }

vec3 decode_normal(uint encoded) {
  vec2 p = unpackSnorm2x16(encoded);
  float z = 1.0 - abs(p.x) - abs(p.y);
  return normalize(vec3(z < 0.0 ? fold(p) : p, z));
}

// Directions of any length but 0.
vec2 unfolded(vec3 n) {
  vec2 p = n.xy / (abs(n.x) + abs(n.y) + abs(n.z));
  return n.z < 0.0 ? fold(p) : p;
}
uint encode_normal(vec3 n) { return packSnorm2x16(unfolded(n)); }

// y becomes the nearest number whose last bit is `left`: a handedness of -1.
uint encode_tangent(vec3 t, bool left) {
  vec2 p = unfolded(t);
  int bit = int(left), y = 2 * int(round(min(p.y * 16383.5 - 0.5 * float(bit), 16383.0))) + bit;
  return packSnorm2x16(vec2(p.x, 0.0)) | uint(y) << 16;
}
bool is_left_handed(uint tangent) { return (tangent & 0x10000u) != 0; }
