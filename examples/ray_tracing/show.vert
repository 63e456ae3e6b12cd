// One triangle that covers the picture.
#version 450

layout(location = 0) out vec2 place;  // 0 to 1, from the top left

void main() {
  place = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
  gl_Position = vec4(place * 2.0 - 1.0, 0, 1);
}
