// Adding morph targets to a vertex in mesh space, in skin.comp and in vertex shaders. The shader that includes it
// declares the buffer `meshes`, includes shared/blend.glsl and defines uint morph_tangent(uint difference), the packed
// tangent of a difference, or 0.

// See shared/skinning.h.
vec3 unpack_difference(uint word) {
  int n = int(word);
  ivec3 numbers = ivec3(bitfieldExtract(n, 0, 10), bitfieldExtract(n, 10, 10), bitfieldExtract(n, 20, 10));
  return vec3(numbers) * (2.0 / 511.0 / float(1u << (2u * (word >> 30))));
}

// The element of a vertex's difference, or 0 if the ref does not move the vertex. `bit` is the vertex in the block.
uint difference_of(uvec4 ref, uint bit) {
  uint word = bit < 32u ? ref.x : ref.y, mask = 1u << (bit & 31u);
  if ((word & mask) == 0u) return 0u;
  return ref.z + uint(bitCount(word & (mask - 1u))) + (bit < 32u ? 0u : uint(bitCount(ref.x)));
}

// Adds the targets whose weight is not 0. `mesh` is the first element of the mesh, `blocks` its first MorphBlock.
// `weights` is the row of the instance's first weights.
void add_morphs(uint mesh, uint blocks, uint vertex, uint weights, inout vec3 position, inout vec3 normal,
                inout vec3 tangent) {
  uvec4 block = meshes[mesh + blocks + vertex / kMorphBlockVertices];
  vec3 bound_normal = normal;
  for (uint quad = 0; quad < block.y; ++quad) {
    uint refs = mesh + block.x + quad * kTargetsPerQuad;
    vec4 quad_weights = palette_row(weights + meshes[refs].w);
    if (quad_weights == vec4(0.0)) continue;
    for (uint i = 0; i < kTargetsPerQuad; ++i) {
      if (quad_weights[i] == 0.0) continue;
      uint difference = difference_of(meshes[refs + i], vertex % kMorphBlockVertices);
      if (difference == 0u) continue;
      uvec4 words = meshes[mesh + difference];
      position += quad_weights[i] * uintBitsToFloat(words.xyz);
      normal += quad_weights[i] * unpack_difference(words.w);
      tangent += quad_weights[i] * unpack_difference(morph_tangent(difference));
    }
  }
  if (normal == vec3(0.0)) normal = bound_normal;
}
