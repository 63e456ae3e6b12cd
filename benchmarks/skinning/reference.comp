// The reference that the library's kernel is compared with. Its form is common in engines: one thread per vertex, one
// row of workgroups per instance, any number of influences, all data in storage buffers. It has the same input and
// output as the library's kernel.
#version 460

layout(local_size_x = 64) in;

layout(set = 0, binding = 0, std430) readonly buffer MeshData { uvec4 mesh[]; };
layout(set = 0, binding = 1, std430) readonly buffer Palettes { vec4 palette_rows[]; };
layout(set = 0, binding = 2, std430) writeonly buffer Skinned { uvec4 skinned[]; };
layout(push_constant) uniform Push {
  uint vertex_count;
  uint influence_quads;
  uint palette_stride;  // in palette entries
  uint first_instance;
} push;

struct Matrix3x4 {
  vec4 rows[3];
};

float sign_of(float value) { return value < 0.0 ? -1.0 : 1.0; }
vec2 fold(vec2 p) { return (1.0 - abs(p.yx)) * vec2(sign_of(p.x), sign_of(p.y)); }

vec3 decode_normal(uint encoded) {
  vec2 p = unpackSnorm2x16(encoded);
  float z = 1.0 - abs(p.x) - abs(p.y);
  return normalize(vec3(z < 0.0 ? fold(p) : p, z));
}

uint encode_normal(vec3 n) {
  vec2 p = n.xy / (abs(n.x) + abs(n.y) + abs(n.z));
  return packSnorm2x16(n.z < 0.0 ? fold(p) : p);
}

Matrix3x4 blended_matrix(uint vertex, uint first_entry) {
  Matrix3x4 sum = Matrix3x4(vec4[3](vec4(0.0), vec4(0.0), vec4(0.0)));
  for (uint quad = 0; quad < push.influence_quads; ++quad) {
    uvec4 influences = mesh[(1 + quad) * push.vertex_count + vertex];
    for (uint i = 0; i < 4; ++i) {
      if (influences[i] < 0x10000) return sum;  // the weight is 0, and so are all later weights
      float weight = float(influences[i] >> 16) / 65535.0;
      uint first_row = 3 * (first_entry + (influences[i] & 0xffffu));
      for (uint row = 0; row < 3; ++row) sum.rows[row] += weight * palette_rows[first_row + row];
    }
  }
  return sum;
}

vec3 transform_normal(Matrix3x4 m, vec3 normal) {
  vec3 x = vec3(m.rows[0].x, m.rows[1].x, m.rows[2].x);
  vec3 y = vec3(m.rows[0].y, m.rows[1].y, m.rows[2].y);
  vec3 z = vec3(m.rows[0].z, m.rows[1].z, m.rows[2].z);
  vec3 yz = cross(y, z);
  vec3 n = (yz * normal.x + cross(z, x) * normal.y + cross(x, y) * normal.z) * sign_of(dot(x, yz));
  float square = dot(n, n);
  return square > 0.0 ? n * inversesqrt(square) : normal;
}

void main() {
  uint vertex = gl_GlobalInvocationID.x;
  uint instance = push.first_instance + gl_GlobalInvocationID.y;
  if (vertex >= push.vertex_count) return;

  uvec4 bound = mesh[vertex];
  Matrix3x4 m = blended_matrix(vertex, instance * push.palette_stride);
  vec4 p = vec4(uintBitsToFloat(bound.xyz), 1.0);
  vec3 position = vec3(dot(m.rows[0], p), dot(m.rows[1], p), dot(m.rows[2], p));
  uint normal = encode_normal(transform_normal(m, decode_normal(bound.w)));
  skinned[instance * push.vertex_count + vertex] = uvec4(floatBitsToUint(position), normal);
}
