// Directions folded onto an octahedron, as sinew/skinned_vertex.h has them.

float sign_of(float value) { return value < 0.0 ? -1.0 : 1.0; }  // never 0: the fold must not lose an axis
vec2 fold(vec2 p) { return (1.0 - abs(p.yx)) * vec2(sign_of(p.x), sign_of(p.y)); }

vec3 decode_normal(uint encoded) {
  vec2 p = unpackSnorm2x16(encoded);
  float z = 1.0 - abs(p.x) - abs(p.y);
  return normalize(vec3(z < 0.0 ? fold(p) : p, z));
}

// Of any length but 0.
uint encode_normal(vec3 n) {
  vec2 p = n.xy / (abs(n.x) + abs(n.y) + abs(n.z));
  return packSnorm2x16(n.z < 0.0 ? fold(p) : p);
}
