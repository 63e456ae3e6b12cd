// Linear blend skinning. A workgroup owns a chunk of a mesh; a thread decodes one vertex of it, keeps that in registers,
// and skins it for some instances, one after the other.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "shared/skinning.h"

layout(local_size_x_id = kConstantGroupSize) in;
layout(constant_id = kConstantInstancesPerThread) const uint kInstancesPerThread = 8;
layout(constant_id = kConstantInfluences) const uint kInfluences = 0;
layout(constant_id = kConstantTexelPalettes) const uint kTexelPalettes = 0;
layout(constant_id = kConstantFormat) const uint kFormat = kFormat16;

layout(set = 0, binding = kBindingMeshes, std430) readonly buffer Meshes { uvec4 meshes[]; };
layout(set = 0, binding = kBindingPalettes, std430) readonly buffer Palettes { vec4 palette_rows[]; };
layout(set = 0, binding = kBindingPaletteTexels) uniform samplerBuffer palette_texels;
layout(set = 0, binding = kBindingJobs, std430) readonly buffer Jobs { uvec4 jobs[]; };
// The output, once for each width that a format stores.
layout(set = 0, binding = kBindingSkinned, std430) writeonly buffer Skinned { uint skinned[]; };
layout(set = 0, binding = kBindingSkinned, std430) writeonly buffer Skinned2 { uvec2 skinned2[]; };
layout(set = 0, binding = kBindingSkinned, std430) writeonly buffer Skinned4 { uvec4 skinned4[]; };
layout(push_constant) uniform Push { SkinPushConstants push; };

#include "shared/octahedron.glsl"

struct Matrix3x4 {
  vec4 rows[3];
};

struct BoundVertex {
  vec3 position, normal;
  uint influences;  // element of the first group
};

vec4 palette_row(uint row) { return kTexelPalettes != 0 ? texelFetch(palette_texels, int(row)) : palette_rows[row]; }

float weight_of(uint influence) { return float(influence >> 16) / 65535.0; }
uint first_row_of(uint influence) { return 3 * (influence & 0xffffu); }

void add_entry(inout Matrix3x4 sum, float weight, uint first_row) {
  [[unroll]] for (uint row = 0; row < 3; ++row) sum.rows[row] += weight * palette_row(first_row + row);
}

const Matrix3x4 kZero = Matrix3x4(vec4[3](vec4(0.0), vec4(0.0), vec4(0.0)));

// Of vertices that have a known number of influences at most; the missing weigh nothing.
Matrix3x4 blend_few(uvec4 influences[2], uint palette) {
  Matrix3x4 sum = kZero;
  [[unroll]] for (uint i = 0; i < kInfluences; ++i) {
    uint influence = influences[i / kInfluencesPerGroup][i % kInfluencesPerGroup];
    add_entry(sum, weight_of(influence), palette + first_row_of(influence));
  }
  return sum;
}

Matrix3x4 blend_any(BoundVertex bound, uint group_stride, uint groups, uint palette) {
  Matrix3x4 sum = kZero;
  for (uint group = 0; group < groups; ++group) {
    uvec4 influences = meshes[bound.influences + group * group_stride];
    for (uint i = 0; i < kInfluencesPerGroup; ++i) {
      if (influences[i] == 0) return sum;
      add_entry(sum, weight_of(influences[i]), palette + first_row_of(influences[i]));
    }
  }
  return sum;
}

// By cofactors, signed so that mirroring keeps outward outward; what is flattened away stays as it was. Of any length.
vec3 transform_normal(Matrix3x4 m, vec3 normal) {
  vec3 x = m.rows[0].xyz, y = m.rows[1].xyz, z = m.rows[2].xyz;
  vec3 yz = cross(y, z);
  vec3 n = vec3(dot(yz, normal), dot(cross(z, x), normal), dot(cross(x, y), normal));
  n = dot(x, yz) < 0.0 ? -n : n;
  return any(notEqual(n, vec3(0.0))) ? n : normal;
}

vec3 transform_point(Matrix3x4 m, vec3 point) {
  vec4 p = vec4(point, 1.0);
  return vec3(dot(m.rows[0], p), dot(m.rows[1], p), dot(m.rows[2], p));
}

struct Box {
  vec3 low, extent;
};

Box read_box(uint element) {
  return Box(uintBitsToFloat(meshes[element].xyz), uintBitsToFloat(meshes[element + 1].xyz));
}

// The position's share of the box, in 65,535ths; what is outside goes to its side.
uvec2 pack_position(vec3 position, Box box) {
  vec3 share = (position - box.low) / box.extent;
  return uvec2(packUnorm2x16(share.xy), packUnorm2x16(vec2(share.z, 0.0)));
}

// `word` is where the vertex begins.
void store(uint word, vec3 position, vec3 normal, Box box) {
  if (kFormat == kFormat16) {
    skinned4[word / 4] = uvec4(floatBitsToUint(position), encode_normal(normal));
  } else if (kFormat == kFormat24) {
    uvec3 unit = floatBitsToUint(normalize(normal));
    skinned2[word / 2] = floatBitsToUint(position.xy);
    skinned2[word / 2 + 1] = uvec2(floatBitsToUint(position.z), unit.x);
    skinned2[word / 2 + 2] = unit.yz;
  } else {
    uvec2 packed = pack_position(position, box);
    skinned[word] = packed.x;
    skinned[word + 1] = packed.y;
    skinned[word + 2] = encode_normal(normal);
  }
}

void main() {
  uvec4 packed_job = jobs[push.first_job + gl_WorkGroupID.y];
  SkinJob job = SkinJob(packed_job.x, packed_job.y, packed_job.z, packed_job.w);
  uvec4 head = meshes[job.chunk_element], tail = meshes[job.chunk_element + 1];
  SkinChunk chunk = SkinChunk(head.x, head.y, head.z, head.w, tail.x, tail.y, tail.z, 0);
  if (gl_LocalInvocationID.x >= chunk.chunk_vertices) return;

  uint element = chunk.first_element + gl_LocalInvocationID.x;
  uvec4 words = meshes[element];
  BoundVertex bound = BoundVertex(uintBitsToFloat(words.xyz), decode_normal(words.w), element + chunk.mesh_vertices);
  uvec4 influences[2] = uvec4[2](meshes[bound.influences], uvec4(0));
  if (kInfluences > kInfluencesPerGroup) influences[1] = meshes[bound.influences + chunk.mesh_vertices];
  Box box = Box(vec3(0.0), vec3(1.0));
  if (kFormat == kFormat12) box = read_box(chunk.box_element);
  uint first_instance = gl_WorkGroupID.x * kInstancesPerThread;
  uint vertex = chunk.first_vertex + gl_LocalInvocationID.x;

  [[unroll]] for (uint i = 0; i < kInstancesPerThread; ++i) {
    uint instance = first_instance + i;
    if (instance >= job.instance_count) return;
    uint palette = job.first_row + instance * chunk.palette_stride;
    Matrix3x4 m = kInfluences != 0 ? blend_few(influences, palette)
                                   : blend_any(bound, chunk.mesh_vertices, chunk.influence_groups, palette);
    uint word = job.first_word + (instance * chunk.mesh_vertices + vertex) * (kFormat / 4);
    store(word, transform_point(m, bound.position), transform_normal(m, bound.normal), box);
  }
}
