// Like crowd.vert, for passes that write only depth.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/crowd.h"
#include "shared/instance_transform.glsl"

layout(location = kAttributePosition) in vec3 skinned_position;

void main() { gl_Position = frame.clip_from_world * vec4(to_world(skinned_position), 1.0); }
