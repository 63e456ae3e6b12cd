// Octahedral encoding of normals and tangents, in the layout of sinew/asset/skinned_vertex.h. The included header
// decodes. The shader that includes it declares the constant kSnormInstruction.

#include "../include/sinew/vulkan/skinned_vertex.glsl"

// `size`, which is not negative, with the sign of `value`. Also where `value` is 0: the fold below must not be lost.
float with_sign(float size, float value) {
  return uintBitsToFloat(floatBitsToUint(size) | (floatBitsToUint(value) & 0x80000000u));
}

// The factor that puts `n` on the octahedron, |x| + |y| + |z| = 1. `n` may have any length except 0.
float octahedron_scale(vec3 n) { return 1.0 / (abs(n.x) + abs(n.y) + abs(n.z)); }

// Unfolds a point of the octahedron: where z is negative, x and y move away from 0 by -z.
vec2 unfold(vec3 p) {
  float fold = max(-p.z, 0.0);
  return p.xy + vec2(with_sign(fold, p.x), with_sign(fold, p.y));
}

// packSnorm2x16() for -1 to 1. Where it is not one instruction, addition to a large float rounds: 1.5 * 2^23 leaves
// the integer in the low bits of the mantissa.
uint pack_snorm(vec2 p) {
  if (kSnormInstruction != 0) return packSnorm2x16(p);
  vec2 rounded = p * 32767.0 + 12582912.0;
  return (floatBitsToUint(rounded.x) & 0xffffu) | floatBitsToUint(rounded.y) << 16;
}

// `n` may have any length except 0. `inward`: it points inward, and its opposite is encoded.
uint encode_normal(vec3 n, bool inward) {
  float scale = octahedron_scale(n);
  return pack_snorm(unfold(n * (inward ? -scale : scale)));
}

// The lowest bit of y stores the handedness: 1 for -1. y is rounded to the nearest integer with this bit. `t` may have
// any length except 0.
uint encode_tangent(vec3 t, bool left_handed) {
  vec2 p = unfold(t * octahedron_scale(t));
  int bit = int(left_handed), y = 2 * int(round(min(p.y * 16383.5 - 0.5 * float(bit), 16383.0))) + bit;
  return (pack_snorm(p) & 0xffffu) | uint(y) << 16;
}
