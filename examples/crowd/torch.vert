// A torch in a hand: Attachments::place() has written where the hand is. A stick and a flame that flickers.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "shaders/light.glsl"

layout(push_constant) uniform Push {
  mat4 clip_from_world;
  vec4 eye;  // w: seconds
};

// Zeros if the instance is not drawn: the torch is a point then.
struct Matrix3x4 {
  vec4 rows[3];
};
layout(std430, set = 0, binding = 0) readonly buffer Torches { Matrix3x4 world_from_socket[]; };

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 color;

layout(location = 0) out vec3 light;

void main() {
  Matrix3x4 m = world_from_socket[gl_InstanceIndex];
  float flicker = 1.0 + 0.18 * sin(eye.w * 17.0 + float(gl_InstanceIndex) * 2.3) * sin(eye.w * 7.1 + position.y * 9.0);
  bool flame = color.r > 1.0;
  vec4 p = vec4(flame ? position * vec3(1, flicker, 1) : position, 1);
  vec3 world = vec3(dot(m.rows[0], p), dot(m.rows[1], p), dot(m.rows[2], p));
  light = flame ? color * flicker : color * (kSun * 0.5 + kZenith);
  gl_Position = clip_from_world * vec4(world, 1);
}
