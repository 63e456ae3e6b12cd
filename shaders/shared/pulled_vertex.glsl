// A skinned vertex from a storage buffer, in each format of skinning.h, in place of vertex input: one
// instanced draw serves all instances of a range. Needs DrawPushConstants as `push`, and the attribute first_element.

#include "../include/sinew/vulkan/skinned_vertex.glsl"

layout(constant_id = kConstantFormat) const uint kFormat = kFormatOctahedral;
layout(constant_id = kConstantTangents) const uint kTangents = 0;
const uint kVertexWords = kFormat / 4 + kTangents;

layout(set = kSetPage, binding = kBindingVertices, std430) restrict readonly buffer Page { uint page_words[]; };

// The first word of this vertex. An instanced draw has no vertexOffset: gl_VertexIndex is the vertex of the mesh.
uint vertex_word() { return (first_element + uint(gl_VertexIndex)) * kVertexWords; }

vec3 pulled_position() {
  uint w = vertex_word();
  if (kFormat == kFormatPacked) {
    vec3 share = vec3(sinew_unorm(page_words[w]), sinew_unorm(page_words[w + 1]).x);
    return sinew_decode_position(share, push.box_low.xyz, push.box_high.xyz);
  }
  return uintBitsToFloat(uvec3(page_words[w], page_words[w + 1], page_words[w + 2]));
}

vec3 pulled_normal() {
  uint w = vertex_word();
  if (kFormat == kFormatPacked) return sinew_decode_normal(sinew_snorm(page_words[w + 2]));
  if (kFormat == kFormatOctahedral) return sinew_decode_normal(sinew_snorm(page_words[w + 3]));
  return uintBitsToFloat(uvec3(page_words[w + 3], page_words[w + 4], page_words[w + 5]));
}

// The last word of a vertex that has one.
vec4 pulled_tangent() { return sinew_decode_tangent(page_words[vertex_word() + kVertexWords - 1u]); }
