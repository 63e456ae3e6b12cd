// The transform of an instance. All vertex shaders of the crowd include it: gl_Position is invariant, so that every
// pass computes the same depth. Needs DrawPushConstants as `push`.

layout(set = kSetFrame, binding = kBindingFrame, std140) uniform Frame { FrameUniforms frame; };
layout(location = kAttributeOrigin) in vec3 origin;
layout(location = kAttributeTurn) in vec2 turn;
layout(location = kAttributeFeet) in uint feet;

invariant gl_Position;

// By how much an instance is taller than its scale alone makes it.
float stretch() {
  return 1.0 + float(bitfieldExtract(int(feet), 2 * int(kFeetBits), 32 - 2 * int(kFeetBits))) / float(kStretchSteps);
}

// From upright space to world space, without the origin.
vec3 turned(vec3 v, float upward) {
  return vec3(turn.x * v.x + turn.y * v.z, length(turn) * upward * v.y, turn.x * v.z - turn.y * v.x);
}

vec3 to_world(vec3 position) {
  vec4 p = vec4(position, 1.0);
  return origin + turned(vec3(dot(push.upright_from_model[0], p), dot(push.upright_from_model[1], p),
                              dot(push.upright_from_model[2], p)),
                         stretch());
}

// Of a normal; of a tangent nearly.
vec3 to_world_direction(vec3 direction) {
  return turned(vec3(dot(push.upright_from_model[0].xyz, direction), dot(push.upright_from_model[1].xyz, direction),
                     dot(push.upright_from_model[2].xyz, direction)),
                1.0 / stretch());
}
