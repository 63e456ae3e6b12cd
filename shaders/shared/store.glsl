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

// For kernels of which a part is left out.
uint[kMaxWords] words_of_nothing(uint vertex) {
  return uint[kMaxWords](vertex, vertex, vertex, vertex, vertex, vertex, vertex);
}
uint[kMaxWords] words_of_rows(vec4 rows[3]) {
  uvec4 bits = floatBitsToUint(rows[0]) ^ floatBitsToUint(rows[1]) ^ floatBitsToUint(rows[2]);
  return uint[kMaxWords](bits.x, bits.y, bits.z, bits.w, 0, 0, 0);
}

// Writes one store.
void store_words(uint at, uint words[kMaxWords], uint w) {
  if (kStoreWords == 4) {
    skinned4[at] = uvec4(words[w], words[w + 1], words[w + 2], words[w + 3]);
  } else if (kStoreWords == 2) {
    skinned2[at] = uvec2(words[w], words[w + 1]);
  } else {
    skinned[at] = words[w];
  }
}

// A kernel that measures gathers or arithmetic stores almost never: the condition keeps the compiler from removing what
// it measures.
const bool kMeasuresNoStores = kPart == kPartGathers || kPart == kPartArithmetic;

// Writes a vertex to the output, from the store `first` on.
void store(uint first, uint words[kMaxWords]) {
  if (kMeasuresNoStores) {
    uint all = 0;
    [[unroll]] for (uint w = 0; w < kVertexWords; ++w) all ^= words[w];
    if (all != 0x9e3779b9u) return;
  }
  [[unroll]] for (uint i = 0; i < kStoresPerVertex; ++i) store_words(first + i, words, i * kStoreWords);
}

// Staged stores. A thread's stores of 4 or 8 bytes lie a vertex apart from its neighbor's, so that each touches every
// sector of memory again. Staged in shared memory, neighbors write what lies side by side. Vertices of 16 bytes need
// none of it. There are two slots, for even and odd instances: between two uses of a slot lies the barrier of the other,
// so that one barrier an instance is enough.
const uint kStagedWords = kStoreWords == 4 || kMeasuresNoStores ? 0 : kStagedStores * kStoreWords;  // of a store
const bool kStages = kStagedWords != 0;
const uint kSlots = 2;
const uint kStagedOfSlot = gl_WorkGroupSize.x * kStoresPerVertex;
shared uint staged[kStagedWords == 1 ? kSlots * kStagedOfSlot : 1];
shared uvec2 staged2[kStagedWords == 2 ? kSlots * kStagedOfSlot : 1];

// Puts the vertex of this thread into a slot.
void stage(uint slot, uint words[kMaxWords]) {
  uint first = slot * kStagedOfSlot + gl_LocalInvocationID.x * kStoresPerVertex;
  [[unroll]] for (uint i = 0; i < kStoresPerVertex; ++i) {
    if (kStoreWords == 2) {
      staged2[first + i] = uvec2(words[2 * i], words[2 * i + 1]);
    } else {
      staged[first + i] = words[i];
    }
  }
}

// Writes the first `count` stores of a slot to the output, from the store `first` on. `full`: the slot
// has the vertex of every thread, and nothing is checked.
void store_staged(uint slot, uint first, uint count, bool full) {
  [[unroll]] for (uint i = 0; i < kStoresPerVertex; ++i) {
    uint at = i * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    if (!full && at >= count) continue;
    if (kStoreWords == 2) {
      skinned2[first + at] = staged2[slot * kStagedOfSlot + at];
    } else {
      skinned[first + at] = staged[slot * kStagedOfSlot + at];
    }
  }
}
