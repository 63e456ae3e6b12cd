// Like crowd.vert, for the motion of each vertex since the frame before.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#include "shared/crowd.h"

layout(push_constant) uniform Push { DrawPushConstants push; };
#include "shared/instance_transform.glsl"
#include "shared/velocity.glsl"

layout(location = kAttributePosition) in vec3 skinned_position;
layout(location = kAttributeFirstElement) in uint first_element;

void main() { emit_motion(skinned_position, uint(gl_VertexIndex) + push.first_vertex - first_element); }
