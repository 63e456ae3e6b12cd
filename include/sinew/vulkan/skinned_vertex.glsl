// Skinned vertices in the shaders of a host: decoding, and the vertex of the mesh. Include it after #version and
// #extension GL_GOOGLE_include_directive : require. The attributes are those of sinew::vulkan::vertex_input(), the
// formats those of sinew/asset/skinned_vertex.h.
#ifndef SINEW_VULKAN_SKINNED_VERTEX_GLSL
#define SINEW_VULKAN_SKINNED_VERTEX_GLSL

// Unlike sign() it is never 0: 0 would lose an axis in sinew_fold().
float sinew_sign(float value) { return value < 0.0 ? -1.0 : 1.0; }
vec2 sinew_fold(vec2 p) { return (1.0 - abs(p.yx)) * vec2(sinew_sign(p.x), sinew_sign(p.y)); }

// The normal of kPacked and kOctahedral: the attribute, or the 32 bits of the vertex in memory. It has unit length.
vec3 sinew_decode_normal(vec2 encoded) {
  float z = 1.0 - abs(encoded.x) - abs(encoded.y);
  return normalize(vec3(z < 0.0 ? sinew_fold(encoded) : encoded, z));
}
vec3 sinew_decode_normal(uint encoded) { return sinew_decode_normal(unpackSnorm2x16(encoded)); }

// The tangent: x y z have unit length, w is 1 or -1. The bitangent is cross(normal, tangent.xyz) * tangent.w.
vec4 sinew_decode_tangent(uint encoded) {
  return vec4(sinew_decode_normal(encoded), (encoded & 0x10000u) != 0u ? -1.0 : 1.0);
}

// The position of kPacked. `low` and `high` are the corners of the box given to add_mesh().
vec3 sinew_decode_position(vec3 encoded, vec3 low, vec3 high) { return low + encoded * (high - low); }

// For vertices in a storage buffer, as 32-bit words: two numbers of 16 bits each, converted by multiplication as vertex
// input does (unpackUnorm2x16() and unpackSnorm2x16() may divide). A vertex has
// vertex_bytes / 4 words:
//
//   kPacked       words 0 and 1: sinew_decode_position(vec3(sinew_unorm(w0), sinew_unorm(w1).x), low, high)
//                 word 2: sinew_decode_normal(sinew_snorm(w2))
//   kOctahedral   words 0 to 2: the position as floats; word 3: sinew_decode_normal(sinew_snorm(w3))
//   kFloat        words 0 to 5: position and normal as floats
//   tangents      one more word at the end: sinew_decode_tangent()
vec2 sinew_unorm(uint word) { return vec2(word & 0xFFFFu, word >> 16) * (1.0 / 65535.0); }
vec2 sinew_snorm(uint word) {
  return max(vec2(bitfieldExtract(int(word), 0, 16), bitfieldExtract(int(word), 16, 16)) * (1.0 / 32767.0), -1.0);
}

// The vertex of the mesh, for what all instances share, such as texture coordinates in a storage buffer. A draw of
// instance i of a range has vertexOffset = i * vertex_count, and gl_VertexIndex includes it.
uint sinew_mesh_vertex(int vertex_index, uint vertex_count) { return uint(vertex_index) % vertex_count; }

#endif
