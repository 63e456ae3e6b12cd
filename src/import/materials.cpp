#include "materials.h"

#include <algorithm>
#include <cmath>

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

/// What a factor may be.
enum class Range : uint8_t { kShare, kPositive, kFinite };

bool is_within(float value, Range range) {
  if (!std::isfinite(value)) return false;
  return range == Range::kFinite || (value >= 0 && (range == Range::kPositive || value <= 1));
}

constexpr const char* text_of(Range range) {
  return range == Range::kShare      ? "not from 0 to 1"
         : range == Range::kPositive ? "negative or not finite"
                                     : "not finite";
}

class Repair {
 public:
  Repair(Material& material, std::vector<std::string>& warnings) : material_(material), warnings_(warnings) {}

  /// Replaces all of `values` if one of them is out of range.
  void factor(std::initializer_list<float*> values, Range range, float otherwise, const char* name) {
    bool valid = true;
    for (const float* value : values) valid = valid && is_within(*value, range);
    if (valid) return;
    for (float* value : values) *value = otherwise;
    warn(std::string("its ") + name + " is " + text_of(range) + ", " + (otherwise == 0 ? "0" : "1") + " instead");
  }

  void texture(Texture& texture) {
    const bool valid = std::isfinite(texture.rotation) && std::isfinite(texture.offset.x + texture.offset.y) &&
                       std::isfinite(texture.scale.x + texture.scale.y);
    if (texture.image < 0 || valid) return;
    texture = {};
    warn("the transform of a texture is not finite, the texture is left out");
  }

 private:
  void warn(const std::string& what) { warnings_.push_back("material '" + material_.name + "': " + what); }

  Material& material_;
  std::vector<std::string>& warnings_;
};

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

void repair_materials(Scene& scene, std::vector<std::string>& warnings) {
  for (Material& material : scene.materials) {
    Repair repair(material, warnings);
    Vec4& base = material.base_color;
    Vec3& light = material.emissive;
    repair.factor({&base.x, &base.y, &base.z, &base.w}, Range::kFinite, 1, "base color");
    repair.factor({&material.metallic}, Range::kShare, 0, "metallic factor");
    repair.factor({&material.roughness}, Range::kShare, 1, "roughness factor");
    repair.factor({&material.normal_scale}, Range::kFinite, 1, "normal scale");
    repair.factor({&material.occlusion_strength}, Range::kShare, 1, "occlusion strength");
    repair.factor({&light.x, &light.y, &light.z}, Range::kPositive, 0, "emission");
    for (Texture* texture : material.textures()) repair.texture(*texture);
  }
}

void drop_unused_images(Scene& scene) {
  std::vector<int32_t> new_index(scene.images.size(), -1);
  for (Material& material : scene.materials) {
    for (const Texture* texture : material.textures())
      if (texture->image >= 0) new_index[size_t(texture->image)] = 0;
  }
  int32_t kept = 0;
  for (size_t i = 0; i < new_index.size(); ++i) {
    if (new_index[i] < 0) continue;
    new_index[i] = kept++;
    if (size_t(new_index[i]) != i) scene.images[size_t(new_index[i])] = std::move(scene.images[i]);
  }
  scene.images.resize(size_t(kept));
  for (Material& material : scene.materials) {
    for (Texture* texture : material.textures())
      if (texture->image >= 0) texture->image = new_index[size_t(texture->image)];
  }
}

void drop_unused_sets(const Mesh& mesh, std::vector<Material>& materials) {
  if (!mesh.second_uvs.empty()) return;
  for (Material& material : materials) {
    for (Texture* texture : material.textures()) texture->uv_set = 0;
  }
}

}  // namespace sinew::internal
