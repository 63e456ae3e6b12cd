#include "sinew/asset/material.h"

#include <cmath>

namespace sinew {

// The sign of the rotation is that of the text of KHR_texture_transform and of its sample model, TextureTransformTest.
// The GLSL in the extension has the other sign: KhronosGroup/glTF, issue 1563.
Vec2 transformed(const Texture& texture, Vec2 uv) {
  const float c = std::cos(texture.rotation), s = std::sin(texture.rotation);
  const float u = uv.x * texture.scale.x, v = uv.y * texture.scale.y;
  return {c * u + s * v + texture.offset.x, c * v - s * u + texture.offset.y};
}

}  // namespace sinew
