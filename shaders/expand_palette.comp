// Expands compact palettes (sinew/asset/compact_matrix.h) to matrices, or to split matrices for dual quaternions. A
// thread expands one matrix, or copies four of the morph weights behind the palette.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/skinning.h"

layout(local_size_x_id = kConstantWorkgroupSize) in;
layout(set = 0, binding = kBindingPalettes, std430) restrict readonly buffer Compact { uvec4 compact_matrices[]; };
layout(set = 0, binding = kBindingSkinned, std430) restrict writeonly buffer Palettes { vec4 palette_rows[]; };
layout(push_constant) uniform Push { ExpandPushConstants push; };

#include "shared/dual_quaternion.glsl"

// Of the other three components of a unit quaternion, x y z w; `left_out` is the largest.
vec4 quaternion_of(vec3 others, uint left_out) {
  float largest = sqrt(max(1.0 - dot(others, others), 0.0));
  if (left_out == 0u) return vec4(largest, others);
  if (left_out == 1u) return vec4(others.x, largest, others.yz);
  if (left_out == 2u) return vec4(others.xy, largest, others.z);
  return vec4(others, largest);
}

void main() {
  uint index = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  uint entries = push.palette_size + push.weight_rows;
  uint instance = index / entries, entry = index % entries;
  if (instance >= push.instance_count) return;
  if (entry >= push.palette_size) {
    uint weights = entry - push.palette_size, behind = (push.palette_size + 3u) & ~3u;  // see palette_stride()
    palette_rows[push.first_row + instance * push.row_stride + 3 * behind + weights] =
        uintBitsToFloat(compact_matrices[push.first_element + instance * push.element_stride + behind + weights]);
    return;
  }
  uvec4 words = compact_matrices[push.first_element + instance * push.element_stride + entry];
  ivec3 components = bitfieldExtract(ivec3(words.xyz), 0, 20);
  ivec3 upper = ivec3(bitfieldExtract(int(words.w), 0, 8), bitfieldExtract(int(words.w), 8, 8),
                      bitfieldExtract(int(words.w), 16, 8));
  int exponent = int(words.w >> 26) - 24;
  vec3 translation = vec3((upper << 12) | ivec3(words.xyz >> 20)) * exp2(float(exponent - 19));
  vec4 q = quaternion_of(vec3(components) * (sqrt(0.5) / 524287.0), bitfieldExtract(words.w, 24, 2));
  uint row = push.first_row + instance * push.row_stride + 3 * entry;
  if (push.split != 0) {
    palette_rows[row] = q * push.scale;
    palette_rows[row + 1] = vec4(translation, 0.0);
    palette_rows[row + 2] = vec4(0.0);
    return;
  }
  mat3 rows = transpose(matrix_of(q)) * push.scale;
  palette_rows[row] = vec4(rows[0], translation.x);
  palette_rows[row + 1] = vec4(rows[1], translation.y);
  palette_rows[row + 2] = vec4(rows[2], translation.z);
}
