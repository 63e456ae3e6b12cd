// Linear blend and dual-quaternion skinning. A workgroup skins one chunk of a mesh. A thread decodes one vertex of the
// chunk, keeps it in registers, and skins it for several instances, one after the other. The buffers are `restrict`, so
// that a compiler may load the palette of the next instance before it stores the vertex of this one.
//
// With kStagedStores vertices pass through shared memory: the loop over instances then has a barrier.
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
layout(constant_id = kConstantStagedStores) const uint kStagedStores = 0;
layout(constant_id = kConstantPart) const uint kPart = kPartAll;

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
#include "shared/skin_vertex.glsl"

// The instances of a thread: how many, and the next one.
struct Instances {
  uint count;
  uint palette;      // the first row of the next instance's palette
  uint first_store;  // of the next instance's vertices in the output
  uint stride;       // from an instance to the next in the output, in stores
};

// Skins the next instance, which is number `i`. `full`: every thread of the workgroup has a vertex.
void skin_next(Source source, inout Instances instances, uint i, bool full) {
  uint words[kMaxWords] = skin(source, instances.palette);
  if (kStages) {
    uint slot = i % kSlots;
    stage(slot, words);
    barrier();
    store_staged(slot, instances.first_store + source.chunk.first_vertex * kStoresPerVertex,
                 source.chunk.chunk_vertices * kStoresPerVertex, full);
  } else {
    store(instances.first_store + source.vertex * kStoresPerVertex, words);
  }
  instances.palette += source.chunk.palette_stride, instances.first_store += instances.stride;
}

// Whether a compiler can unroll the loop over instances: it has no loop inside.
const bool kUnroll = kInfluences != 0 && kMorphs == 0;

// What is full is unrolled: it has no branches.
void skin_all(Source source, Instances instances) {
  bool full = kUnroll && instances.count == kInstancesPerThread &&
              (!kStages || source.chunk.chunk_vertices == gl_WorkGroupSize.x);
  if (full) {
    [[unroll]] for (uint i = 0; i < kInstancesPerThread; ++i) skin_next(source, instances, i, true);
  } else {
    [[dont_unroll]] for (uint i = 0; i < instances.count; ++i) skin_next(source, instances, i, false);
  }
}

void main() {
  uvec4 packed_job = jobs[push.first_job + gl_WorkGroupID.y];
  SkinJob job = SkinJob(packed_job.x, packed_job.y, packed_job.z, packed_job.w);
  SkinChunk chunk = read_chunk(job.chunk_element);
  uint first_instance = gl_WorkGroupID.x * push.instances_per_thread;
  if (first_instance >= job.instance_count) return;
  uint at = gl_LocalInvocationID.x;  // in the chunk
  if (kStages) {
    // All threads stay, because of the barriers. Those without a vertex skin the last one, and do not store it.
    at = min(at, chunk.chunk_vertices - 1);
  } else if (at >= chunk.chunk_vertices) {
    return;
  }

  Source source = read_source(chunk, at);
  tangent_words = chunk.morph_tangents - chunk.first_difference;
  uint stride = chunk.mesh_vertices * kStoresPerVertex;
  Instances instances = Instances(min(push.instances_per_thread, job.instance_count - first_instance),
                                  job.first_row + first_instance * chunk.palette_stride,
                                  job.first_word / kStoreWords + first_instance * stride, stride);
  skin_all(source, instances);
}
