// Linear blend and dual-quaternion skinning. A workgroup skins one chunk of a mesh. A thread decodes one vertex of the
// chunk, keeps it in registers, and skins it for several instances, one after the other. The buffers are `restrict`, so
// that a compiler may load the palette of the next instance before it stores the vertex of this one.
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
layout(constant_id = kConstantRigid) const uint kRigid = 0;
layout(constant_id = kConstantSnormInstruction) const uint kSnormInstruction = 0;

layout(set = 0, binding = kBindingMeshes, std430) restrict readonly buffer Meshes { uvec4 meshes[]; };
layout(set = 0, binding = kBindingMeshes, std430) restrict readonly buffer MeshWords { uint mesh_words[]; };
layout(set = 0, binding = kBindingPalettes, std430) restrict readonly buffer Palettes { vec4 palette_rows[]; };
layout(set = 0, binding = kBindingPaletteTexels) uniform textureBuffer palette_texels;
layout(set = 0, binding = kBindingJobs, std430) restrict readonly buffer Jobs { uvec4 jobs[]; };
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

// The blended matrix of a vertex, for at most kInfluences influences. Missing influences have weight 0 and
// repeat the entry of the first influence. An entry that the vertex does not use may hold NaN, and NaN * 0 is NaN.
Matrix3x4 blend_fixed(uvec4 influences[2], uint palette) {
  BlendSum sum = kNothing;
  [[unroll]] for (uint i = 0; i < kInfluences; ++i) {
    uint influence = influences[i / kInfluencesPerQuad][i % kInfluencesPerQuad];
    float weight = kInfluences == 1 ? 1.0 : weight_of(influence);
    add_entry(sum, weight, palette + first_row_of(influence));
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

void skin(Source source, uint palette, uint first_store) {
  Matrix3x4 m = blend(source, palette);
  BoundVertex bound = source.bound;
  if (kMorphs != 0) {
    uint mesh = source.chunk.first_element - source.chunk.first_vertex;
    add_morphs(mesh, source.chunk.morph_blocks, source.vertex, palette + source.chunk.weights_row, bound.position,
               bound.normal, bound.tangent);
  }
  store(first_store + source.vertex * kStoresPerVertex, skinned_vertex(bound, m), source.box);
}

Box read_box(uint element) {
  return Box(uintBitsToFloat(meshes[element].xyz), uintBitsToFloat(meshes[element + 1].xyz));
}

SkinChunk read_chunk(uint element) {
  uvec4 head = meshes[element], tail = meshes[element + 1], morph = uvec4(0);
  if (kMorphs != 0) morph = meshes[element + 2];
  return SkinChunk(head.x, head.y, head.z, head.w, tail.x, tail.y, tail.z, tail.w, morph.x, morph.y, morph.z, morph.w);
}

Source read_source(SkinChunk chunk) {
  Source source;
  source.chunk = chunk;
  uint element = chunk.first_element + gl_LocalInvocationID.x;
  uvec4 words = meshes[element];
  uint tangent = 0;
  if (kTangents != 0) tangent = mesh_words[chunk.first_tangent + gl_LocalInvocationID.x];
  vec4 bound_tangent = sinew_decode_tangent(tangent);
  source.bound = BoundVertex(uintBitsToFloat(words.xyz), sinew_decode_normal(words.w), bound_tangent.xyz,
                             bound_tangent.w < 0.0);
  source.vertex = chunk.first_vertex + gl_LocalInvocationID.x;
  source.first_quad = element + chunk.mesh_vertices;
  source.influences = uvec4[2](meshes[source.first_quad], uvec4(0));
  if (kInfluences > kInfluencesPerQuad) source.influences[1] = meshes[source.first_quad + chunk.mesh_vertices];
  source.box = Box(vec3(0.0), vec3(1.0));
  if (kFormat == kFormatPacked) source.box = read_box(chunk.box_element);
  return source;
}

// Whether a compiler can unroll the loop over instances: it has no loop inside.
const bool kUnroll = kInfluences != 0 && kMorphs == 0;

// A full share is unrolled: it has no branches. The others loop.
void main() {
  uvec4 packed_job = jobs[push.first_job + gl_WorkGroupID.y];
  SkinJob job = SkinJob(packed_job.x, packed_job.y, packed_job.z, packed_job.w);
  SkinChunk chunk = read_chunk(job.chunk_element);
  uint first_instance = gl_WorkGroupID.x * push.instances_per_thread;
  if (first_instance >= job.instance_count || gl_LocalInvocationID.x >= chunk.chunk_vertices) return;

  Source source = read_source(chunk);
  tangent_words = chunk.morph_tangents - chunk.first_difference;
  uint count = min(push.instances_per_thread, job.instance_count - first_instance);
  uint palette = job.first_row + first_instance * chunk.palette_stride;
  uint stride = chunk.mesh_vertices * kStoresPerVertex;  // of an instance in the output, in stores
  uint first_store = job.first_word / kStoreWords + first_instance * stride;
  if (kUnroll && count == kInstancesPerThread) {
    [[unroll]] for (uint i = 0; i < kInstancesPerThread; ++i) {
      skin(source, palette, first_store);
      palette += chunk.palette_stride, first_store += stride;
    }
  } else {
    [[dont_unroll]] for (; count > 0; --count) {
      skin(source, palette, first_store);
      palette += chunk.palette_stride, first_store += stride;
    }
  }
}
