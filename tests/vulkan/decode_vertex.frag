// Writes what decode_vertex.vert decoded.
#version 460

layout(location = 0) in vec4 in_position;
layout(location = 1) in vec4 in_normal;
layout(location = 2) in vec4 in_tangent;
layout(location = 0) out vec4 out_position;
layout(location = 1) out vec4 out_normal;
layout(location = 2) out vec4 out_tangent;

void main() { out_position = in_position, out_normal = in_normal, out_tangent = in_tangent; }
