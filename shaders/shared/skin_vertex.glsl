// One vertex of skin.comp: what a thread reads once, and the vertex for an instance.

// A vertex in mesh space, before skinning.
struct BoundVertex {
  vec3 position, normal, tangent;
  bool left_handed;  // the tangent's handedness is -1
};

// What a thread reads once, for all its instances.
struct Source {
  SkinChunk chunk;
  BoundVertex bound;
  uint vertex;             // in the mesh
  uint first_quad;         // the element of the first influence quad, in the page of meshes
  uvec4 influences[2];     // the first two quads, of kernels for a fixed number
  Box box;
};

// A palette entry from its first row. With kPartArithmetic nothing is loaded: the rows are made-up numbers from 0.25 on.
vec4[3] entry(uint row) {
  if (kPart != kPartArithmetic) return palette_entry(row);
  vec4 made_up = uintBitsToFloat(row + uvec4(0x3e800000, 0x3e900000, 0x3ea00000, 0x3eb00000));
  return vec4[3](made_up, made_up.yzwx, made_up.zwxy);
}

// The blended matrix of a vertex, for at most kInfluences influences. Missing influences have weight 0 and
// repeat the entry of the first influence. An entry that the vertex does not use may hold NaN, and NaN * 0 is NaN.
// `palette` is the first row of the palette.
Matrix3x4 blend_fixed(uvec4 influences[2], uint palette) {
  BlendSum sum = kNothing;
  [[unroll]] for (uint i = 0; i < kInfluences; ++i) {
    uint influence = influences[i / kInfluencesPerQuad][i % kInfluencesPerQuad];
    float weight = kInfluences == 1 ? 1.0 : weight_of(influence);
    add_entry(sum, weight, entry(palette + first_row_of(influence)));
  }
  return matrix_of(sum);
}

Matrix3x4 blend(Source source, uint palette) {
  if (kInfluences != 0) return blend_fixed(source.influences, palette);
  return blend_any(source.first_quad, source.chunk.mesh_vertices, source.chunk.influence_quads, palette);
}

// By the matrix itself: a tangent lies in the surface. If the result is 0, the tangent does not change.
vec3 transform_tangent(Matrix3x4 m, vec3 tangent) {
  vec3 t = transform_direction(m, tangent);
  return any(notEqual(t, vec3(0.0))) ? t : tangent;
}

// A rigid matrix rotates normals. The sum of several is not rigid, but it does not mirror, see PaletteKind.
SkinnedVertex skinned_vertex(BoundVertex bound, Matrix3x4 m) {
  bool rotates = kRigid != 0 && (kInfluences == 1 || kDualQuaternions != 0), inward = kRigid == 0 && mirrors(m);
  SkinnedVertex vertex;
  vertex.position = transform_point(m, bound.position);
  vertex.normal = rotates ? transform_direction(m, bound.normal) : transform_normal(m, bound.normal);
  vertex.inward = inward;
  vertex.tangent = 0;
  if (kTangents != 0) {
    vertex.tangent = encode_tangent(transform_tangent(m, bound.tangent), bound.left_handed != inward);
  }
  return vertex;
}

// The vertex of a thread for one instance, as 32-bit words.
uint[kMaxWords] skin(Source source, uint palette) {
  if (kPart == kPartStores) return words_of_nothing(source.vertex);
  Matrix3x4 m = blend(source, palette);
  if (kPart == kPartGathers) return words_of_rows(m.rows);
  BoundVertex bound = source.bound;
  if (kMorphs != 0) {
    uint mesh = source.chunk.first_element - source.chunk.first_vertex;
    add_morphs(mesh, source.chunk.morph_blocks, source.vertex, palette + source.chunk.weights_row, bound.position,
               bound.normal, bound.tangent);
  }
  return words_of(skinned_vertex(bound, m), source.box);
}

Box read_box(uint element) {
  return Box(uintBitsToFloat(meshes[element].xyz), uintBitsToFloat(meshes[element + 1].xyz));
}

SkinChunk read_chunk(uint element) {
  uvec4 head = meshes[element], tail = meshes[element + 1], morph = uvec4(0);
  if (kMorphs != 0) morph = meshes[element + 2];
  return SkinChunk(head.x, head.y, head.z, head.w, tail.x, tail.y, tail.z, tail.w, morph.x, morph.y, morph.z, morph.w);
}

// `at` is the vertex in the chunk.
Source read_source(SkinChunk chunk, uint at) {
  Source source;
  source.chunk = chunk;
  uint element = chunk.first_element + at;
  uvec4 words = meshes[element];
  uint tangent = 0;
  if (kTangents != 0) tangent = mesh_words[chunk.first_tangent + at];
  vec4 bound_tangent = sinew_decode_tangent(tangent);
  source.bound = BoundVertex(uintBitsToFloat(words.xyz), sinew_decode_normal(words.w), bound_tangent.xyz,
                             bound_tangent.w < 0.0);
  source.vertex = chunk.first_vertex + at;
  source.first_quad = element + chunk.mesh_vertices;
  source.influences = uvec4[2](meshes[source.first_quad], uvec4(0));
  if (kInfluences > kInfluencesPerQuad) source.influences[1] = meshes[source.first_quad + chunk.mesh_vertices];
  source.box = Box(vec3(0.0), vec3(1.0));
  if (kFormat == kFormatPacked) source.box = read_box(chunk.box_element);
  return source;
}
