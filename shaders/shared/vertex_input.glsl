// The attributes of a skinned vertex as positions and normals, in each format of skinning.h. Needs DrawPushConstants as
// `push`.

#include "../include/sinew/vulkan/skinned_vertex.glsl"

layout(constant_id = kConstantFormat) const uint kFormat = kFormatOctahedral;

vec3 position_of(vec3 given) {
  return kFormat == kFormatPacked ? sinew_decode_position(given, push.box_low.xyz, push.box_high.xyz) : given;
}

// z is read only where the attribute has it.
vec3 normal_of(vec3 given) {
  return kFormat == kFormatFloat ? given : sinew_decode_normal(given.xy);
}
