// Linear blend and dual-quaternion skinning. A workgroup skins one chunk of a mesh. A thread decodes one vertex of the
// chunk, keeps it in registers, and skins it for several instances, one after the other. The buffers are `restrict`, so
// that a compiler may load the palette of the next instance before it stores the vertex of this one.
//
// Two choices put shared memory between the threads and the buffers: kStagedStores for vertices, kSharedPalettes for
// palettes. The loop over instances then has a barrier. Shared memory has two halves, for even and odd instances: between
// two uses of a half lies the barrier of the other, so that one barrier an instance is enough.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require
#include "shared/skinning.h"

layout(local_size_x_id = kConstantWorkgroupSize, local_size_y_id = kConstantShares) in;
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
layout(constant_id = kConstantSharedPalettes) const uint kSharedPalettes = 0;
layout(constant_id = kConstantPart) const uint kPart = kPartAll;

layout(set = 0, binding = kBindingMeshes, std430) restrict readonly buffer Meshes { uvec4 meshes[]; };
layout(set = 0, binding = kBindingMeshes, std430) restrict readonly buffer MeshWords { uint mesh_words[]; };
layout(set = 0, binding = kBindingPalettes, std430) restrict readonly buffer Palettes { vec4 palette_rows[]; };
layout(set = 0, binding = kBindingPaletteTexels) uniform textureBuffer palette_texels;
layout(set = 0, binding = kBindingJobs, std430) restrict readonly buffer Jobs { uvec4 jobs[]; };
layout(push_constant) uniform Push { SkinPushConstants push; };

// Shared memory has two slots for each share, its halves. An instance is counted from the first of the share.
const uint kSlots = 2 * gl_WorkGroupSize.y;
uint slot_of(uint instance) { return 2 * gl_LocalInvocationID.y + instance % 2; }

#include "shared/octahedron.glsl"
#include "shared/blend.glsl"
#include "shared/shared_palettes.glsl"

// The word of a difference's tangent is this plus the difference's element; set by main().
uint tangent_words = 0;
uint morph_tangent(uint difference) { return kTangents != 0 ? mesh_words[tangent_words + difference] : 0; }

#include "shared/morph.glsl"
#include "shared/store.glsl"
#include "shared/skin_vertex.glsl"

const bool kHasBarriers = kStages || kCopiesPalettes;  // in the loop over instances

// The instances of a thread that are left.
struct Share {
  uint count;
  uint palette;      // the first row of the next instance's palette
  uint first_store;  // of the next instance's vertices in the output
  uint stride;       // from an instance to the next in the output, in stores
};

// Skins the next instance, which is `instance` of the share. `full`: every thread of the workgroup has a vertex, and this
// instance.
void skin_next(Source source, inout Share share, uint instance, bool full) {
  uint slot = slot_of(instance), stride = source.chunk.palette_stride;
  bool complete = full || !kHasBarriers;  // each thread that is here has a vertex and an instance
  bool has_vertex = complete || gl_LocalInvocationID.x < source.chunk.chunk_vertices;
  bool has_instance = complete || share.count > 0;
  if (kCopiesPalettes && share.count > 1) copy_row(source.copied_row, share.palette + stride, slot_of(instance + 1));
  if (has_instance) {
    uint words[kMaxWords] = skin(source, share.palette, slot);
    if (kStages) {
      stage(slot, words);
    } else if (has_vertex) {
      store(share.first_store + source.vertex * kStoresPerVertex, words);
    }
  }
  if (kHasBarriers) barrier();
  if (!has_instance) return;
  if (kStages) {
    store_staged(slot, share.first_store + source.chunk.first_vertex * kStoresPerVertex,
                 source.chunk.chunk_vertices * kStoresPerVertex, full);
  }
  --share.count, share.palette += stride, share.first_store += share.stride;
}

// Whether a compiler can unroll the loop over instances: it has no loop inside.
const bool kUnroll = kInfluences != 0 && kMorphs == 0;

// With barriers all threads of a workgroup stay to the end, for as many instances as any of them has. Those without a
// vertex skin the last vertex of the chunk, and do not store it. `instances` are those of the workgroup. What is full
// is unrolled: it has no branches.
void skin_all(Source source, Share share, uint instances) {
  bool full = kUnroll && share.count == kInstancesPerThread;
  uint most = share.count;
  if (kHasBarriers) {
    full = kUnroll && source.chunk.chunk_vertices == gl_WorkGroupSize.x &&
           push.instances_per_thread == kInstancesPerThread && instances >= kInstancesPerThread * gl_WorkGroupSize.y;
    most = min(push.instances_per_thread, instances);  // the first share has the most
  }
  if (kCopiesPalettes) {
    if (share.count > 0) copy_row(source.copied_row, share.palette, slot_of(0));
    barrier();
  }
  if (full) {
    share.count = kInstancesPerThread;
    [[unroll]] for (uint i = 0; i < kInstancesPerThread; ++i) skin_next(source, share, i, true);
  } else {
    [[dont_unroll]] for (uint i = 0; i < most; ++i) skin_next(source, share, i, false);
  }
}

void main() {
  uvec4 packed_job = jobs[push.first_job + gl_WorkGroupID.y];
  SkinJob job = SkinJob(packed_job.x, packed_job.y, packed_job.z, packed_job.w);
  SkinChunk chunk = read_chunk(job.chunk_element);
  uint group_instance = gl_WorkGroupID.x * gl_WorkGroupSize.y * push.instances_per_thread;
  uint first_instance = group_instance + gl_LocalInvocationID.y * push.instances_per_thread;
  bool has_instance = first_instance < job.instance_count;
  uint at = gl_LocalInvocationID.x;  // in the chunk
  if (kHasBarriers) {
    if (group_instance >= job.instance_count) return;
    at = min(at, chunk.chunk_vertices - 1);
  } else if (!has_instance || at >= chunk.chunk_vertices) {
    return;
  }

  Source source = read_source(chunk, at);
  tangent_words = chunk.morph_tangents - chunk.first_difference;
  uint stride = chunk.mesh_vertices * kStoresPerVertex;
  Share share = Share(has_instance ? min(push.instances_per_thread, job.instance_count - first_instance) : 0,
                      job.first_row + first_instance * chunk.palette_stride,
                      job.first_word / kStoreWords + first_instance * stride, stride);
  skin_all(source, share, job.instance_count - group_instance);
}
