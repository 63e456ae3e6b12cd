// How skin.comp writes a vertex: in the format kFormat; if kTangents is 1, the tangent follows.

const uint kVertexWords = kFormat / 4 + kTangents;
const uint kMaxWords = kFormatFloat / 4 + 1;

// The output buffer, declared three times: for stores of 4, 8 and 16 bytes.
layout(set = 0, binding = kBindingSkinned, std430) writeonly buffer Skinned { uint skinned[]; };
layout(set = 0, binding = kBindingSkinned, std430) writeonly buffer Skinned2 { uvec2 skinned2[]; };
layout(set = 0, binding = kBindingSkinned, std430) writeonly buffer Skinned4 { uvec4 skinned4[]; };

struct SkinnedVertex {
  vec3 position, normal;  // the normal has any length except 0
  uint tangent;           // encoded, see encode_tangent()
};

struct Box {
  vec3 low, extent;
};

// The position in the box as 16-bit unorm for each axis. A position outside is clamped to the box.
uvec2 pack_position(vec3 position, Box box) {
  vec3 share = (position - box.low) / box.extent;
  return uvec2(packUnorm2x16(share.xy), packUnorm2x16(vec2(share.z, 0.0)));
}

// The vertex as 32-bit words. Only the first kVertexWords are valid.
uint[kMaxWords] words_of(SkinnedVertex vertex, Box box) {
  uvec3 p = floatBitsToUint(vertex.position);
  uint t = vertex.tangent;
  if (kFormat == kFormatOctahedral) return uint[kMaxWords](p.x, p.y, p.z, encode_normal(vertex.normal), t, 0, 0);
  if (kFormat == kFormatPacked) {
    uvec2 packed = pack_position(vertex.position, box);
    return uint[kMaxWords](packed.x, packed.y, encode_normal(vertex.normal), t, 0, 0, 0);
  }
  uvec3 n = floatBitsToUint(normalize(vertex.normal));
  return uint[kMaxWords](p.x, p.y, p.z, n.x, n.y, n.z, t);
}

// Writes a vertex to the output, from the word `first` on. Uses the widest stores that the vertex size keeps aligned.
void store(uint first, SkinnedVertex vertex, Box box) {
  uint words[kMaxWords] = words_of(vertex, box);
  if (kVertexWords % 4 == 0) {
    skinned4[first / 4] = uvec4(words[0], words[1], words[2], words[3]);
  } else if (kVertexWords % 2 == 0) {
    [[unroll]] for (uint i = 0; i < kVertexWords; i += 2) skinned2[(first + i) / 2] = uvec2(words[i], words[i + 1]);
  } else {
    [[unroll]] for (uint i = 0; i < kVertexWords; ++i) skinned[first + i] = words[i];
  }
}
