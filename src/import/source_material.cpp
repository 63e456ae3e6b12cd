#include "source_material.h"

#include <cmath>
#include <optional>
#include <utility>

#include "materials.h"

namespace sinew::internal {
namespace {

/// Whether an image holds normals, and not heights: most of its pixels are unit vectors that point outward. Formats say
/// "bump map" for both.
bool are_normals(const Image& image) {
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

/// A pixel of an image that may have another size than the picture of `width` x `height` pixels. Maps of one number are
/// gray: green is as good as red or blue.
uint8_t green_at(const Image& image, uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
  const size_t column = size_t(x) * image.width / width, row = size_t(y) * image.height / height;
  return image.rgba[(row * image.width + column) * 4 + 1];
}

/// One image of two: roughness in green, metallic in blue, ones for an image that is null. The larger one decides the
/// size.
Image packed_image(const Image* metallic, const Image* roughness) {
  Image image;
  for (const Image* source : {metallic, roughness}) {
    if (source == nullptr) continue;
    image.name += (image.name.empty() ? "" : " + ") + source->name;
    image.width = std::max(image.width, source->width), image.height = std::max(image.height, source->height);
  }
  image.rgba.assign(size_t(image.width) * image.height * 4, 255);
  uint8_t* pixel = image.rgba.data();
  for (uint32_t y = 0; y < image.height; ++y) {
    for (uint32_t x = 0; x < image.width; ++x, pixel += 4) {
      if (roughness != nullptr) pixel[1] = green_at(*roughness, x, y, image.width, image.height);
      if (metallic != nullptr) pixel[2] = green_at(*metallic, x, y, image.width, image.height);
    }
  }
  return image;
}

}  // namespace

/// The conversion of one material.
class MaterialConversion::Builder {
 public:
  Builder(MaterialConversion& all, const SourceMaterial& source) : all_(all), source_(source) {
    material_.name = source.name;
    material_.double_sided = true;
    material_.unlit = source.unlit;
  }

  ConvertedMaterial convert() {
    material_.base_color_texture = texture(source_.color_texture);
    const bool has_image = material_.base_color_texture.image >= 0;
    const Vec3 color = has_image ? Vec3{1, 1, 1} : source_.color;
    material_.base_color = {color.x, color.y, color.z, 1};
    read_opacity();
    read_metallic_roughness();
    read_normals();
    material_.occlusion_texture = texture(source_.occlusion_texture);
    material_.emissive_texture = texture(source_.emission_texture);
    const float weight = source_.emission_weight;
    material_.emissive = material_.emissive_texture.image >= 0 ? Vec3{weight, weight, weight} : source_.emission;
    if (source_.has_others) lose(MaterialLost::kOtherImages);
    const bool has_normal_map = material_.normal_texture.image >= 0;
    all_.scene_.materials.push_back(std::move(material_));
    return {int32_t(all_.scene_.materials.size()) - 1, sets_.sets(), has_normal_map};
  }

 private:
  void lose(MaterialLost row) { internal::add(all_.lost_, row, source_.name); }

  /// A material is counted once.
  void lose_set() {
    if (sets_.loses_first()) lose(MaterialLost::kTextureSet);
  }

  Texture texture(const SourceTexture& source) {
    if (source.image < 0) return {};
    const std::optional<uint32_t> uv_set = sets_.number_of(source.uv_set);
    if (!uv_set) return lose_set(), Texture{};
    Texture texture;
    texture.image = source.image;
    texture.uv_set = *uv_set;
    texture.wrap_u = source.wrap_u, texture.wrap_v = source.wrap_v;
    return texture;
  }

  void read_opacity() {
    const SourceTexture &color = source_.color_texture, &opacity = source_.opacity_texture;
    if (color.image >= 0 && (color.uses_alpha || opacity.image == color.image)) {
      material_.alpha_mode = AlphaMode::kMask;
    } else if (opacity.exists) {
      lose(MaterialLost::kOpacityImage);
    }
    if (source_.opacity == 1) return;
    if (!(source_.opacity > 0 && source_.opacity < 1)) return lose(MaterialLost::kOpacity);
    material_.base_color.w = float(source_.opacity);
    material_.alpha_mode = AlphaMode::kBlend;
  }

  void read_metallic_roughness() {
    material_.metallic = source_.metallic, material_.roughness = source_.roughness;
    const SourceTexture& roughness = source_.roughness_texture;
    int32_t metallic = source_.metallic_texture.image;
    if (metallic >= 0 && roughness.image >= 0 && source_.metallic_texture.uv_set != roughness.uv_set) {
      metallic = -1;
      lose_set();
    }
    Texture both = texture(roughness.image >= 0 ? roughness : source_.metallic_texture);
    if (both.image < 0) return;
    both.image = all_.packed(metallic, roughness.image);
    material_.metallic_roughness_texture = both;
    if (metallic >= 0) material_.metallic = 1;
    if (roughness.image >= 0) material_.roughness = 1;
  }

  void read_normals() {
    const int32_t image = source_.normal_texture.image;
    if (image >= 0 && !all_.holds_normals(image)) return lose(MaterialLost::kBumpMap);
    material_.normal_texture = texture(source_.normal_texture);
  }

  MaterialConversion& all_;
  const SourceMaterial& source_;
  Material material_;
  UvSets<std::string> sets_;
};

ConvertedMaterial MaterialConversion::add(const SourceMaterial& source) { return Builder(*this, source).convert(); }

/// The image of both; -1 stands for ones, and not both may be -1. The same two give the same image.
int32_t MaterialConversion::packed(int32_t metallic, int32_t roughness) {
  std::vector<Image>& images = scene_.images;
  const auto [known, is_new] = packed_.try_emplace({metallic, roughness}, int32_t(images.size()));
  const auto image = [&](int32_t index) { return index < 0 ? nullptr : &images[size_t(index)]; };
  if (is_new) images.push_back(packed_image(image(metallic), image(roughness)));
  return known->second;
}

bool MaterialConversion::holds_normals(int32_t image) {
  const auto [known, is_new] = holds_normals_.try_emplace(image);
  if (is_new) known->second = are_normals(scene_.images[size_t(image)]);
  return known->second;
}

float roughness_of_exponent(double exponent) {
  if (!std::isfinite(exponent) || exponent < 0) return 1;
  return float(std::pow(2 / (exponent + 2), 0.25));
}

}  // namespace sinew::internal
