#include "sinew/asset/material.h"

#include <cmath>

#include "error.h"
#include "exceptions.h"
#include "sinew/asset/character.h"

namespace sinew {

using namespace internal;

// The sign of the rotation is that of the text of KHR_texture_transform and of its sample model, TextureTransformTest.
// The GLSL in the extension has the other sign: KhronosGroup/glTF, issue 1563.
Vec2 transformed(const Texture& texture, Vec2 uv) {
  const float c = std::cos(texture.rotation), s = std::sin(texture.rotation);
  const float u = uv.x * texture.scale.x, v = uv.y * texture.scale.y;
  return {c * u + s * v + texture.offset.x, c * v - s * u + texture.offset.y};
}

Result<std::vector<Vec2>> base_color_uvs(const Mesh& mesh, std::span<const Material> materials) SINEW_TRY {
  std::vector<Vec2> uvs = mesh.uvs;
  for (const MeshPart& part : mesh.parts) {
    const Texture& texture = materials[part.material].base_color_texture;
    if (texture.image < 0) continue;
    const std::vector<Vec2>& set = texture.uv_set == 0 ? mesh.uvs : mesh.second_uvs;
    for (uint32_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v)
      uvs[v] = transformed(texture, set[v]);
  }
  return uvs;
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
