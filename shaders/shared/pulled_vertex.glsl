// A skinned vertex from a storage buffer, in each format of skinning.h, in place of vertex input: one instanced draw
// serves all instances of a range. Needs DrawPushConstants as `push`, and the attribute first_element.

#include "../include/sinew/vulkan/skinned_vertex.glsl"

layout(constant_id = kConstantFormat) const uint kFormat = kFormatOctahedral;
const uint kVertexWords = kFormat / 4;

layout(set = kSetPage, binding = kBindingVertices, std430) restrict readonly buffer Page { uint page_words[]; };

// The first word of this vertex. An instanced draw has no vertexOffset: gl_VertexIndex is the vertex of the mesh.
uint vertex_word() { return push.first_word + (first_element + uint(gl_VertexIndex)) * kVertexWords; }

// By multiplication, as vertex input converts: unpackUnorm2x16() and unpackSnorm2x16() may divide.
vec2 from_unorm(uint word) { return vec2(word & 0xFFFFu, word >> 16) * (1.0 / 65535.0); }
vec2 from_snorm(uint word) {
  return max(vec2(bitfieldExtract(int(word), 0, 16), bitfieldExtract(int(word), 16, 16)) * (1.0 / 32767.0), -1.0);
}

vec3 pulled_position() {
  uint w = vertex_word();
  if (kFormat == kFormatPacked) {
    vec3 share = vec3(from_unorm(page_words[w]), from_unorm(page_words[w + 1]).x);
    return sinew_decode_position(share, push.box_low.xyz, push.box_high.xyz);
  }
  return uintBitsToFloat(uvec3(page_words[w], page_words[w + 1], page_words[w + 2]));
}

vec3 pulled_normal() {
  uint w = vertex_word();
  if (kFormat == kFormatPacked) return sinew_decode_normal(from_snorm(page_words[w + 2]));
  if (kFormat == kFormatOctahedral) return sinew_decode_normal(from_snorm(page_words[w + 3]));
  return uintBitsToFloat(uvec3(page_words[w + 3], page_words[w + 4], page_words[w + 5]));
}
