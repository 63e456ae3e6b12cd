// One triangle that covers the picture; the fragment shader gets the direction of view.
#version 450

layout(push_constant) uniform Push {
  mat4 clip_from_world;
  vec4 eye;
};

layout(location = 0) out vec3 direction;

void main() {
  vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0;
  vec4 far = inverse(clip_from_world) * vec4(corner, 1, 1);
  direction = far.xyz / far.w - eye.xyz;
  gl_Position = vec4(corner, 1, 1);
}
