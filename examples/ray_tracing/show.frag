// Shows the traced picture, in whatever size the window has.
#version 450

layout(std430, set = 0, binding = 0) readonly buffer Picture { uint pixels[]; };

layout(push_constant) uniform Push {
  uvec2 size;
};

layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;

void main() {
  uvec2 pixel = min(uvec2(place * vec2(size)), size - 1);
  vec3 root = unpackUnorm4x8(pixels[pixel.y * size.x + pixel.x]).rgb;
  color = vec4(root * root, 1);  // the target encodes sRGB
}
