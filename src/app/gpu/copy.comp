// Copies 16 bytes per thread from one buffer to another.
#version 460

layout(local_size_x = 256) in;

layout(set = 0, binding = 0, std430) readonly buffer Source { uvec4 source[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Target { uvec4 target[]; };

void main() { target[gl_GlobalInvocationID.x] = source[gl_GlobalInvocationID.x]; }
