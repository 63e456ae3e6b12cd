#include "gltf/gltf_base_color.h"

#include <tiny_gltf.h>

#include <cmath>
#include <string>
#include <vector>

#include "failure.h"

namespace sinew::internal {
namespace {

Vec4 color_of(const std::vector<double>& numbers, Vec4 absent) {
  if (numbers.size() < 3) return absent;
  const double alpha = numbers.size() > 3 ? numbers[3] : 1;
  return {float(numbers[0]), float(numbers[1]), float(numbers[2]), float(alpha)};
}

int whole_number(const tinygltf::Value& object, const char* name, int absent) {
  return object.Has(name) && object.Get(name).IsInt() ? object.Get(name).GetNumberAsInt() : absent;
}

float transform_number(const tinygltf::Value& value, const char* name) {
  const float number = value.IsNumber() ? float(value.GetNumberAsDouble()) : NAN;
  if (!std::isfinite(number)) fail(std::string("KHR_texture_transform: its ") + name + " is not a finite number");
  return number;
}

Vec2 transform_pair(const tinygltf::Value& object, const char* name, Vec2 absent) {
  if (!object.Has(name)) return absent;
  const tinygltf::Value& pair = object.Get(name);
  if (!pair.IsArray() || pair.ArrayLen() != 2)
    fail(std::string("KHR_texture_transform: its ") + name + " is not two numbers");
  return {transform_number(pair.Get(0), name), transform_number(pair.Get(1), name)};
}

/// `extension` is KHR_texture_transform of the texture of `color`.
void read_transform(const tinygltf::Value& extension, BaseColor& color) {
  if (!extension.IsObject()) return;
  color.transform.offset = transform_pair(extension, "offset", {0, 0});
  color.transform.scale = transform_pair(extension, "scale", {1, 1});
  if (extension.Has("rotation")) color.transform.rotation = transform_number(extension.Get("rotation"), "rotation");
  color.tex_coord = whole_number(extension, "texCoord", color.tex_coord);
}

void read_transform(const tinygltf::ExtensionMap& extensions, BaseColor& color) {
  const auto found = extensions.find("KHR_texture_transform");
  if (found != extensions.end()) read_transform(found->second, color);
}

BaseColor diffuse_color(const tinygltf::Value& extension) {
  BaseColor color;
  if (extension.Has("diffuseFactor") && extension.Get("diffuseFactor").IsArray()) {
    std::vector<double> numbers;
    for (const tinygltf::Value& number : extension.Get("diffuseFactor").Get<tinygltf::Value::Array>())
      numbers.push_back(number.IsNumber() ? number.GetNumberAsDouble() : 1);
    color.factor = color_of(numbers, color.factor);
  }
  if (extension.Has("diffuseTexture") && extension.Get("diffuseTexture").IsObject()) {
    const tinygltf::Value& texture = extension.Get("diffuseTexture");
    color.texture = whole_number(texture, "index", -1);
    color.tex_coord = whole_number(texture, "texCoord", 0);
    if (texture.Has("extensions") && texture.Get("extensions").Has("KHR_texture_transform"))
      read_transform(texture.Get("extensions").Get("KHR_texture_transform"), color);
  }
  return color;
}

}  // namespace

// The rotation's sign is that of Khronos' sample model and of the viewers: v points down.
Vec2 apply(const TextureTransform& transform, Vec2 uv) {
  const float c = std::cos(transform.rotation), s = std::sin(transform.rotation);
  const float u = uv.x * transform.scale.x, v = uv.y * transform.scale.y;
  return {c * u + s * v + transform.offset.x, c * v - s * u + transform.offset.y};
}

BaseColor base_color_of(const tinygltf::Material& material) {
  const auto specular_glossiness = material.extensions.find("KHR_materials_pbrSpecularGlossiness");
  if (specular_glossiness != material.extensions.end() && specular_glossiness->second.IsObject())
    return diffuse_color(specular_glossiness->second);

  const auto& pbr = material.pbrMetallicRoughness;
  BaseColor base{color_of(pbr.baseColorFactor, {1, 1, 1, 1}), pbr.baseColorTexture.index,
                 pbr.baseColorTexture.texCoord};
  read_transform(pbr.baseColorTexture.extensions, base);
  const bool is_black = base.factor.x == 0 && base.factor.y == 0 && base.factor.z == 0;
  Vec4 emitted = color_of(material.emissiveFactor, {});
  if (!is_black || (emitted.x == 0 && emitted.y == 0 && emitted.z == 0)) return base;
  emitted.w = base.factor.w;
  BaseColor color{emitted, material.emissiveTexture.index, material.emissiveTexture.texCoord};
  read_transform(material.emissiveTexture.extensions, color);
  return color;
}

}  // namespace sinew::internal
