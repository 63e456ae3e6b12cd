// Linear blend and dual-quaternion skinning. A workgroup skins one chunk of a mesh. A thread decodes one vertex of the chunk, keeps it in
// registers, and skins it for kInstancesPerThread instances, one after the other.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require
#include "shared/skinning.h"

layout(local_size_x_id = kConstantWorkgroupSize) in;
layout(constant_id = kConstantInstancesPerThread) const uint kInstancesPerThread = 8;
layout(constant_id = kConstantInfluences) const uint kInfluences = 0;
layout(constant_id = kConstantTexelPalettes) const uint kTexelPalettes = 0;
layout(constant_id = kConstantFormat) const uint kFormat = kFormatOctahedral;
layout(constant_id = kConstantTangents) const uint kTangents = 0;
layout(constant_id = kConstantMorphs) const uint kMorphs = 0;
layout(constant_id = kConstantDualQuaternions) const uint kDualQuaternions = 0;

layout(set = 0, binding = kBindingMeshes, std430) readonly buffer Meshes { uvec4 meshes[]; };
layout(set = 0, binding = kBindingMeshes, std430) readonly buffer MeshWords { uint mesh_words[]; };
layout(set = 0, binding = kBindingPalettes, std430) readonly buffer Palettes { vec4 palette_rows[]; };
layout(set = 0, binding = kBindingPaletteTexels) uniform textureBuffer palette_texels;
layout(set = 0, binding = kBindingJobs, std430) readonly buffer Jobs { uvec4 jobs[]; };
layout(push_constant) uniform Push { SkinPushConstants push; };

#include "shared/octahedron.glsl"
#include "shared/blend.glsl"

// The word of a difference's tangent is this plus the difference's element; set by main().
uint tangent_words = 0;
uint morph_tangent(uint difference) { return kTangents != 0 ? mesh_words[tangent_words + difference] : 0; }

#include "shared/morph.glsl"
#include "shared/store.glsl"

// A vertex in mesh space, before skinning.
struct BoundVertex {
  vec3 position, normal, tangent;
  bool left_handed;  // the tangent's handedness is -1
  uint influences;   // element of the first influence quad, in the page of meshes
};

// The blended matrix of a vertex, for at most kInfluences influences. Missing influences have weight 0 and
// repeat the entry of the first influence. An entry that the vertex does not use may hold NaN, and NaN * 0 is NaN.
Matrix3x4 blend_fixed(uvec4 influences[2], uint palette) {
  BlendSum sum = kNothing;
  [[unroll]] for (uint i = 0; i < kInfluences; ++i) {
    uint influence = influences[i / kInfluencesPerQuad][i % kInfluencesPerQuad];
    add_entry(sum, weight_of(influence), palette + first_row_of(influence));
  }
  return matrix_of(sum);
}

// By the matrix itself: a tangent lies in the surface. If the result is 0, the tangent does not change.
vec3 transform_tangent(Matrix3x4 m, vec3 tangent) {
  vec3 t = vec3(dot(m.rows[0].xyz, tangent), dot(m.rows[1].xyz, tangent), dot(m.rows[2].xyz, tangent));
  return any(notEqual(t, vec3(0.0))) ? t : tangent;
}

Box read_box(uint element) {
  return Box(uintBitsToFloat(meshes[element].xyz), uintBitsToFloat(meshes[element + 1].xyz));
}

SkinnedVertex skinned_vertex(BoundVertex bound, Matrix3x4 m) {
  SkinnedVertex vertex = SkinnedVertex(transform_point(m, bound.position), transform_normal(m, bound.normal), 0);
  if (kTangents != 0) {
    vertex.tangent = encode_tangent(transform_tangent(m, bound.tangent), bound.left_handed != mirrors(m));
  }
  return vertex;
}

void main() {
  uvec4 packed_job = jobs[push.first_job + gl_WorkGroupID.y];
  SkinJob job = SkinJob(packed_job.x, packed_job.y, packed_job.z, packed_job.w);
  uvec4 head = meshes[job.chunk_element], tail = meshes[job.chunk_element + 1], morph = uvec4(0);
  if (kMorphs != 0) morph = meshes[job.chunk_element + 2];
  SkinChunk chunk = SkinChunk(head.x, head.y, head.z, head.w, tail.x, tail.y, tail.z, tail.w, morph.x, morph.y,
                              morph.z, morph.w);
  if (gl_LocalInvocationID.x >= chunk.chunk_vertices) return;

  uint element = chunk.first_element + gl_LocalInvocationID.x;
  uvec4 words = meshes[element];
  uint tangent = 0;
  if (kTangents != 0) tangent = mesh_words[chunk.first_tangent + gl_LocalInvocationID.x];
  vec4 bound_tangent = sinew_decode_tangent(tangent);
  BoundVertex bound = BoundVertex(uintBitsToFloat(words.xyz), sinew_decode_normal(words.w), bound_tangent.xyz,
                                  bound_tangent.w < 0.0, element + chunk.mesh_vertices);
  uvec4 influences[2] = uvec4[2](meshes[bound.influences], uvec4(0));
  if (kInfluences > kInfluencesPerQuad) influences[1] = meshes[bound.influences + chunk.mesh_vertices];
  Box box = Box(vec3(0.0), vec3(1.0));
  if (kFormat == kFormatPacked) box = read_box(chunk.box_element);
  uint first_instance = gl_WorkGroupID.x * kInstancesPerThread;
  uint vertex = chunk.first_vertex + gl_LocalInvocationID.x;
  uint mesh = chunk.first_element - chunk.first_vertex;
  tangent_words = chunk.morph_tangents - chunk.first_difference;

  [[unroll]] for (uint i = 0; i < kInstancesPerThread; ++i) {
    uint instance = first_instance + i;
    if (instance >= job.instance_count) return;
    uint palette = job.first_row + instance * chunk.palette_stride;
    Matrix3x4 m = kInfluences != 0 ? blend_fixed(influences, palette)
                                   : blend_any(bound.influences, chunk.mesh_vertices, chunk.influence_quads, palette);
    BoundVertex moved = bound;
    if (kMorphs != 0) {
      add_morphs(mesh, chunk.morph_blocks, vertex, palette + chunk.weights_row, moved.position, moved.normal,
                 moved.tangent);
    }
    store(job.first_word + (instance * chunk.mesh_vertices + vertex) * kVertexWords, skinned_vertex(moved, m), box);
  }
}
