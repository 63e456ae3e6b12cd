// Like velocity.vert, for instanced draws.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#include "shared/skinning.h"
#include "shared/crowd.h"

layout(push_constant) uniform Push { DrawPushConstants push; };
#include "shared/instance_transform.glsl"

layout(location = kAttributeFirstElement) in uint first_element;
#include "shared/pulled_vertex.glsl"
#include "shared/velocity.glsl"

void main() { emit_motion(pulled_position(), uint(gl_VertexIndex)); }
