// Skins a vertex with the palette of one instance: the counterpart of main.cpp in a host's renderer.
#version 450

// A matrix is 3 rows of 4 floats, row-major: 48 bytes, as in sinew::Matrix3x4. The fourth row is 0 0 0 1.
struct Matrix3x4 {
  vec4 rows[3];
};

layout(std430, set = 0, binding = 0) readonly buffer Palette { Matrix3x4 palette[]; };

layout(push_constant) uniform Camera { mat4 clip_from_model; };

layout(location = 0) in vec3 position;
layout(location = 1) in uvec4 entries;  // Influence::entry, the four heaviest
layout(location = 2) in vec4 weights;   // Influence::weight; they add to 1

void main() {
  vec4 rows[3] = vec4[3](vec4(0), vec4(0), vec4(0));
  for (int i = 0; i < 4; ++i) {
    for (int row = 0; row < 3; ++row) rows[row] += weights[i] * palette[entries[i]].rows[row];
  }
  vec4 p = vec4(position, 1);
  gl_Position = clip_from_model * vec4(dot(rows[0], p), dot(rows[1], p), dot(rows[2], p), 1);
}
