#include "materials.h"

#include <algorithm>
#include <cmath>

namespace sinew::internal {
namespace {

/// A pixel of an image that may have another size than the picture of `width` x `height` pixels. Maps of one number are
/// gray: green is as good as red or blue.
uint8_t green_at(const Image& image, uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
  const size_t column = size_t(x) * image.width / width, row = size_t(y) * image.height / height;
  return image.rgba[(row * image.width + column) * 4 + 1];
}

}  // namespace

float roughness_of_exponent(double exponent) {
  if (!std::isfinite(exponent) || exponent < 0) return 1;
  return float(std::pow(2 / (exponent + 2), 0.25));
}

bool holds_normals(const Image& image) {
  size_t normals = 0;
  const size_t count = image.rgba.size() / 4;
  for (size_t i = 0; i < count; ++i) {
    const uint8_t* pixel = &image.rgba[i * 4];
    const float x = float(pixel[0]) / 127.5f - 1, y = float(pixel[1]) / 127.5f - 1, z = float(pixel[2]) / 127.5f - 1;
    const bool is_gray = pixel[0] == pixel[1] && pixel[1] == pixel[2];
    normals += !is_gray && z > 0 && std::abs(std::sqrt(x * x + y * y + z * z) - 1) < 0.15f;
  }
  return normals * 2 > count;
}

int32_t MetallicRoughness::packed(int32_t metallic, int32_t roughness, std::vector<Image>& images) {
  const auto [known, is_new] = known_.try_emplace({metallic, roughness}, int32_t(images.size()));
  if (!is_new) return known->second;
  const Image* metal = metallic < 0 ? nullptr : &images[size_t(metallic)];
  const Image* rough = roughness < 0 ? nullptr : &images[size_t(roughness)];
  Image image;
  for (const Image* source : {metal, rough}) {
    if (source == nullptr) continue;
    image.name += (image.name.empty() ? "" : " + ") + source->name;
    image.width = std::max(image.width, source->width), image.height = std::max(image.height, source->height);
  }
  image.rgba.assign(size_t(image.width) * image.height * 4, 255);
  uint8_t* pixel = image.rgba.data();
  for (uint32_t y = 0; y < image.height; ++y) {
    for (uint32_t x = 0; x < image.width; ++x, pixel += 4) {
      if (rough != nullptr) pixel[1] = green_at(*rough, x, y, image.width, image.height);
      if (metal != nullptr) pixel[2] = green_at(*metal, x, y, image.width, image.height);
    }
  }
  images.push_back(std::move(image));
  return known->second;
}

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

namespace {

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

void drop_unused_sets(const Mesh& mesh, std::vector<Material>& materials) {
  if (!mesh.second_uvs.empty()) return;
  for (Material& material : materials) {
    for (Texture* texture : material.textures()) texture->uv_set = 0;
  }
}

}  // namespace sinew::internal
