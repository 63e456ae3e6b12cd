// How skin.comp writes a vertex: in the format kFormat; if kTangents is 1, the tangent follows.

const uint kVertexWords = kFormat / 4 + kTangents;
// Of one store, in words: the widest that the vertex size keeps aligned.
const uint kStoreWords = kVertexWords % 4 == 0 ? 4 : kVertexWords % 2 == 0 ? 2 : 1;
const uint kStoresPerVertex = kVertexWords / kStoreWords;
const uint kMaxWords = kFormatFloat / 4 + 1;

// The output buffer, declared three times: for stores of 4, 8 and 16 bytes.
layout(set = 0, binding = kBindingSkinned, std430) restrict writeonly buffer Skinned { uint skinned[]; };
layout(set = 0, binding = kBindingSkinned, std430) restrict writeonly buffer Skinned2 { uvec2 skinned2[]; };
layout(set = 0, binding = kBindingSkinned, std430) restrict writeonly buffer Skinned4 { uvec4 skinned4[]; };

struct SkinnedVertex {
  vec3 position, normal;  // the normal has any length except 0
  bool inward;            // the normal points inward: its opposite is written
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
  uint normal = encode_normal(vertex.normal, vertex.inward);
  if (kFormat == kFormatOctahedral) return uint[kMaxWords](p.x, p.y, p.z, normal, t, 0, 0);
  if (kFormat == kFormatPacked) {
    uvec2 packed = pack_position(vertex.position, box);
    return uint[kMaxWords](packed.x, packed.y, normal, t, 0, 0, 0);
  }
  uvec3 n = floatBitsToUint(normalize(vertex.inward ? -vertex.normal : vertex.normal));
  return uint[kMaxWords](p.x, p.y, p.z, n.x, n.y, n.z, t);
}

// Writes a vertex to the output, from the store `first` on.
void store(uint first, SkinnedVertex vertex, Box box) {
  uint words[kMaxWords] = words_of(vertex, box);
  [[unroll]] for (uint i = 0; i < kStoresPerVertex; ++i) {
    uint w = i * kStoreWords;
    if (kStoreWords == 4) {
      skinned4[first + i] = uvec4(words[w], words[w + 1], words[w + 2], words[w + 3]);
    } else if (kStoreWords == 2) {
      skinned2[first + i] = uvec2(words[w], words[w + 1]);
    } else {
      skinned[first + i] = words[w];
    }
  }
}
