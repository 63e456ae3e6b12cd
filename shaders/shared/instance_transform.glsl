// The transform of an instance. All vertex shaders of the crowd include it: gl_Position is invariant, so that every
// pass computes the same depth.

layout(set = kSetFrame, binding = kBindingFrame, std140) uniform Frame { FrameUniforms frame; };
layout(location = kAttributeWorldFromModel) in vec4 world_from_model[3];

invariant gl_Position;

vec3 to_world(vec3 position) {
  vec4 p = vec4(position, 1.0);
  return vec3(dot(world_from_model[0], p), dot(world_from_model[1], p), dot(world_from_model[2], p));
}
