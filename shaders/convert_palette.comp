// Converts palettes for dual-quaternion skinning, in place: each matrix becomes a split one. A thread converts one
// matrix.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/skinning.h"

layout(local_size_x_id = kConstantWorkgroupSize) in;
layout(set = 0, binding = kBindingPalettes, std430) buffer Palettes { vec4 palette_rows[]; };
layout(push_constant) uniform Push { ConvertPushConstants push; };

#include "shared/dual_quaternion.glsl"

const float kTolerance = 5e-7;  // of rotation matrices
const float kSingular = 64.0 * kTolerance;
const uint kMaxSteps = 20;  // of Newton's iteration; a rotation needs one

// The determinant times the transpose of the inverse.
mat3 cofactors(mat3 m) { return mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])); }

float size_of(mat3 m) { return sqrt(dot(m[0], m[0]) + dot(m[1], m[1]) + dot(m[2], m[2])); }

float largest_of(mat3 m) {
  vec3 largest = max(abs(m[0]), max(abs(m[1]), abs(m[2])));
  return max(largest.x, max(largest.y, largest.z));
}

// From a rotation matrix; the largest component is computed first, so that none is divided by a small number.
vec4 quaternion_of(mat3 m) {
  vec3 diagonal = vec3(m[0][0], m[1][1], m[2][2]);
  vec3 difference = vec3(m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0]);
  vec3 sum = vec3(m[1][2] + m[2][1], m[2][0] + m[0][2], m[0][1] + m[1][0]);
  float trace = diagonal.x + diagonal.y + diagonal.z;
  if (trace > 0.0) return normalize(vec4(difference, 1.0 + trace));
  if (diagonal.x >= max(diagonal.y, diagonal.z))
    return normalize(vec4(1.0 + diagonal.x - diagonal.y - diagonal.z, sum.z, sum.y, difference.x));
  if (diagonal.y >= diagonal.z)
    return normalize(vec4(sum.z, 1.0 + diagonal.y - diagonal.z - diagonal.x, sum.x, difference.y));
  return normalize(vec4(sum.y, sum.x, 1.0 + diagonal.z - diagonal.x - diagonal.y, difference.z));
}

// Of a matrix of rank 1, column * row: the shortest rotation that turns the row into the column.
vec4 rotation_of_rank_one(mat3 m) {
  vec3 lengths = vec3(dot(m[0], m[0]), dot(m[1], m[1]), dot(m[2], m[2]));
  vec3 column = normalize(lengths.x >= max(lengths.y, lengths.z) ? m[0] : (lengths.y >= lengths.z ? m[1] : m[2]));
  vec3 row = normalize(column * m);
  float cosine = dot(row, column);
  if (cosine > -0.999) return normalize(vec4(cross(row, column), 1.0 + cosine));
  return vec4(normalize(cross(row, abs(row.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0))), 0.0);
}

// The rotation of the polar decomposition, by Newton's iteration for the nearest orthogonal matrix.
vec4 rotation_of(mat3 m) {
  float largest = largest_of(m);
  if (!(largest > 0.0) || isinf(largest)) return vec4(0.0, 0.0, 0.0, 1.0);
  m /= largest;
  mat3 inverse = cofactors(m);
  float determinant = dot(m[0], inverse[0]);
  if (abs(determinant) < kSingular) {
    // The cofactors of a matrix of rank 2 are the direction in which it is singular.
    float size = size_of(inverse);
    if (size < kSingular) return rotation_of_rank_one(m);
    m += inverse / size;
    inverse = cofactors(m);
    determinant = dot(m[0], inverse[0]);
  }
  for (uint step = 0; step < kMaxSteps; ++step) {
    float balance = sqrt(size_of(inverse) / (abs(determinant) * size_of(m)));
    mat3 next = 0.5 * (balance * m + inverse / (determinant * balance));
    float change = largest_of(next - m);
    m = next;
    if (!(change > kTolerance)) break;
    inverse = cofactors(m);
    determinant = dot(m[0], inverse[0]);
  }
  return quaternion_of(determinant < 0.0 ? -m : m);
}

void main() {
  uint index = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  uint instance = index / push.palette_size;
  if (instance >= push.instance_count) return;
  uint row = push.first_row + instance * push.row_stride + 3 * (index % push.palette_size);
  vec4 rows[3] = vec4[3](palette_rows[row], palette_rows[row + 1], palette_rows[row + 2]);
  mat3 linear = transpose(mat3(rows[0].xyz, rows[1].xyz, rows[2].xyz));
  SplitMatrix split;
  split.rotation = rotation_of(linear);
  split.translation = vec3(rows[0].w, rows[1].w, rows[2].w);
  mat3 stretch = transpose(matrix_of(split.rotation)) * linear;
  split.stretch = 0.5 * (stretch + transpose(stretch));
  vec4 packed[3] = pack_split(split);
  for (uint i = 0; i < 3; ++i) palette_rows[row + i] = packed[i];
}
