// Like skinned_vertex.vert, for passes that write only depth: it does not skin normals.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#include "shared/skinning.h"
#include "shared/crowd.h"
#include "shared/place.glsl"
#include "shared/blend.glsl"

layout(location = kAttributeBase) in uint base;

void main() {
  uint vertex = uint(gl_VertexIndex);
  vec4 rows[3];
  blend(vertex, base, rows);
  gl_Position = frame.clip_from_world * vec4(to_world(skinned_position(rows, mesh[vertex])), 1.0);
}
