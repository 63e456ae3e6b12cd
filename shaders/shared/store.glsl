// How skin.comp writes vertices: in the format kFormat, behind it with kTangents the tangent.

const uint kVertexWords = kFormat / 4 + kTangents;
const uint kMaxWords = kFormat24 / 4 + 1;

// The output, once for each width that a vertex is stored in.
layout(set = 0, binding = kBindingSkinned, std430) writeonly buffer Skinned { uint skinned[]; };
layout(set = 0, binding = kBindingSkinned, std430) writeonly buffer Skinned2 { uvec2 skinned2[]; };
layout(set = 0, binding = kBindingSkinned, std430) writeonly buffer Skinned4 { uvec4 skinned4[]; };

struct SkinnedVertex {
  vec3 position, normal;  // the normal of any length but 0
  uint tangent;           // encoded
};

struct Box {
  vec3 low, extent;
};

// The position's share of the box, in 65,535ths; what is outside goes to its side.
uvec2 pack_position(vec3 position, Box box) {
  vec3 share = (position - box.low) / box.extent;
  return uvec2(packUnorm2x16(share.xy), packUnorm2x16(vec2(share.z, 0.0)));
}

// The first kVertexWords count.
uint[kMaxWords] words_of(SkinnedVertex vertex, Box box) {
  uvec3 p = floatBitsToUint(vertex.position);
  uint t = vertex.tangent;
  if (kFormat == kFormat16) return uint[kMaxWords](p.x, p.y, p.z, encode_normal(vertex.normal), t, 0, 0);
  if (kFormat == kFormat12) {
    uvec2 packed = pack_position(vertex.position, box);
    return uint[kMaxWords](packed.x, packed.y, encode_normal(vertex.normal), t, 0, 0, 0);
  }
  uvec3 n = floatBitsToUint(normalize(vertex.normal));
  return uint[kMaxWords](p.x, p.y, p.z, n.x, n.y, n.z, t);
}

// As wide as the places where vertices begin allow; `first` is that of this one.
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
