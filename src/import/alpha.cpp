#include "alpha.h"

#include <algorithm>

namespace sinew::internal {
namespace {

/// The smallest alpha of an image, 0 to 1.
float least_alpha(const Image& image) {
  uint8_t least = 255;
  for (size_t i = 3; i < image.rgba.size(); i += 4) least = std::min(least, image.rgba[i]);
  return float(least) / 255;
}

/// The smallest alpha of the vertices of a material, 0 to 1.
float least_alpha(const Scene& scene, size_t material) {
  uint16_t least = 65535;
  for (const SceneMesh& mesh : scene.meshes) {
    if (mesh.material != int32_t(material)) continue;
    for (const VertexColor color : mesh.colors) least = std::min(least, color.a);
  }
  return float(least) / 65535;
}

}  // namespace

void simplify_alpha(Scene& scene) {
  for (size_t m = 0; m < scene.materials.size(); ++m) {
    Material& material = scene.materials[m];
    if (material.alpha_mode == AlphaMode::kOpaque) continue;
    float least = material.base_color.w * least_alpha(scene, m);
    const int32_t image = material.base_color_texture.image;
    if (image >= 0) least *= least_alpha(scene.images[size_t(image)]);
    const float opaque = material.alpha_mode == AlphaMode::kMask ? material.alpha_cutoff : 1;
    if (least >= opaque) material.alpha_mode = AlphaMode::kOpaque;
  }
}

}  // namespace sinew::internal
