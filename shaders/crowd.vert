// Places a vertex that is skinned already.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/crowd.h"
#include "shared/place.glsl"
#include "shared/surface.glsl"

layout(location = kAttributePosition) in vec3 skinned_position;
layout(location = kAttributeNormal) in vec2 skinned_normal;

void main() {
  // vertexOffset has moved gl_VertexIndex into the page; texture coordinates are the mesh's, kept once.
  place(skinned_position, decode_normal(skinned_normal), uint(gl_VertexIndex) - base);
}
