// The light of a lantern: a square that faces the camera around it, and one on the ground. Added to the picture.
#version 450

layout(push_constant) uniform Push {
  mat4 clip_from_world;
  vec4 eye;  // w: seconds
};
struct Matrix3x4 {
  vec4 rows[3];
};
layout(std430, set = 0, binding = 0) readonly buffer Places { Matrix3x4 world_from_lantern[]; };

layout(location = 0) out vec2 from_middle;  // 1 at the edge
layout(location = 1) out float strength;

const vec2 kCorners[6] = vec2[6](vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, -1), vec2(1, 1), vec2(-1, 1));
const float kFlame = -0.2;  // its height above the point from which the lantern hangs

void main() {
  Matrix3x4 m = world_from_lantern[gl_InstanceIndex];
  vec3 flame = vec3(m.rows[0].w, m.rows[1].w + kFlame, m.rows[2].w);
  bool on_ground = gl_VertexIndex >= 6;
  from_middle = kCorners[gl_VertexIndex % 6];
  vec3 to_eye = normalize(eye.xyz - flame), right = normalize(cross(vec3(0, 1, 0), to_eye));
  vec3 around = flame + to_eye * 0.15 + (right * from_middle.x + cross(to_eye, right) * from_middle.y) * 0.5;
  vec3 below = vec3(flame.x, 0.01, flame.z) + vec3(from_middle.x, 0, from_middle.y) * (1.2 + flame.y);
  float flicker = 1.0 + 0.1 * sin(eye.w * 13.0 + float(gl_InstanceIndex) * 2.3);
  strength = flicker * (on_ground ? 0.22 : 0.30);
  gl_Position = clip_from_world * vec4(on_ground ? below : around, 1);
}
