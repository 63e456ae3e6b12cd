// Like crowd_depth.vert, for instanced draws.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/skinning.h"
#include "shared/crowd.h"

layout(push_constant) uniform Push { DrawPushConstants push; };
#include "shared/instance_transform.glsl"

layout(location = kAttributeFirstElement) in uint first_element;
#include "shared/pulled_vertex.glsl"

void main() { gl_Position = frame.clip_from_world * vec4(to_world(pulled_position()), 1.0); }
