// Like crowd.vert, for passes that write only depth.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/skinning.h"
#include "shared/crowd.h"

layout(push_constant) uniform Push { DrawPushConstants push; };
#include "shared/instance_transform.glsl"
#include "shared/vertex_input.glsl"

layout(location = kAttributePosition) in vec3 skinned_position;

void main() { gl_Position = frame.clip_from_world * vec4(to_world(position_of(skinned_position)), 1.0); }
