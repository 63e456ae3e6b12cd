#include "map_images.h"

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

}  // namespace sinew::internal
