// Decodes a skinned vertex as a host's shader does, beside a stream of the host's own. Vertex v of all instances is
// pixel v.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sinew/vulkan/skinned_vertex.glsl"

layout(constant_id = 0) const uint kFormat = 16;
layout(constant_id = 1) const uint kMeshVertices = 1;
layout(constant_id = 2) const uint kAllVertices = 1;
layout(constant_id = 3) const float kExtent = 1.0;  // of the box, which is a cube around the origin

layout(constant_id = 4) const bool kPerInstance = false;  // vertices count from 0 in each instance

layout(location = 3) in vec3 position;
layout(location = 4) in vec3 normal;
layout(location = 5) in uint tangent;
layout(location = 6) in float own;

layout(location = 0) out vec4 decoded_position;  // w: the vertex of the mesh
layout(location = 1) out vec4 decoded_normal;  // w: the host's own
layout(location = 2) out vec4 decoded_tangent;

void main() {
  vec3 high = vec3(kExtent / 2.0);
  decoded_position.xyz = kFormat == 12 ? sinew_decode_position(position, -high, high) : position;
  decoded_position.w = float(sinew_mesh_vertex(gl_VertexIndex, kMeshVertices));
  decoded_normal = vec4(kFormat == 24 ? normal : sinew_decode_normal(normal.xy), own);
  decoded_tangent = sinew_decode_tangent(tangent);
  gl_PointSize = 1.0;
  int pixel = gl_VertexIndex + (kPerInstance ? gl_InstanceIndex * int(kMeshVertices) : 0);
  gl_Position = vec4((float(pixel) + 0.5) / float(kAllVertices) * 2.0 - 1.0, 0.0, 0.0, 1.0);
}
