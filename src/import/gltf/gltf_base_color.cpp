#include "gltf/gltf_base_color.h"

#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "failure.h"

namespace sinew::internal {
namespace {

constexpr const char* kTransform = "KHR_texture_transform";

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
  if (!std::isfinite(number)) fail(std::string(kTransform) + ": its " + name + " is not a finite number");
  return number;
}

Vec2 transform_pair(const tinygltf::Value& object, const char* name, Vec2 absent) {
  if (!object.Has(name)) return absent;
  const tinygltf::Value& pair = object.Get(name);
  if (!pair.IsArray() || pair.ArrayLen() != 2) fail(std::string(kTransform) + ": its " + name + " is not two numbers");
  return {transform_number(pair.Get(0), name), transform_number(pair.Get(1), name)};
}

/// `extension` is KHR_texture_transform.
TextureCoordinates transformed_coordinates(int set, const tinygltf::Value& extension) {
  TextureCoordinates coordinates{set};
  coordinates.offset = transform_pair(extension, "offset", {0, 0});
  coordinates.scale = transform_pair(extension, "scale", {1, 1});
  if (extension.Has("rotation")) coordinates.rotation = transform_number(extension.Get("rotation"), "rotation");
  coordinates.set = whole_number(extension, "texCoord", set);
  return coordinates;
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
    color.coordinates.set = whole_number(texture, "texCoord", 0);
    if (texture.Has("extensions") && texture.Get("extensions").Has(kTransform))
      color.coordinates = transformed_coordinates(color.coordinates.set, texture.Get("extensions").Get(kTransform));
  }
  return color;
}

}  // namespace

// The sign of the rotation is that of the extension's text and of its sample model, TextureTransformTest. The GLSL in
// the extension has the other sign: KhronosGroup/glTF, issue 1563.
Vec2 TextureCoordinates::transformed(Vec2 uv) const {
  const float c = std::cos(rotation), s = std::sin(rotation);
  const float u = uv.x * scale.x, v = uv.y * scale.y;
  return {c * u + s * v + offset.x, c * v - s * u + offset.y};
}

bool TextureCoordinates::operator==(const TextureCoordinates& other) const {
  const auto numbers = [](const TextureCoordinates& t) {
    return std::tuple(t.set, t.offset.x, t.offset.y, t.scale.x, t.scale.y, t.rotation);
  };
  return numbers(*this) == numbers(other);
}

TextureCoordinates texture_coordinates(int set, const tinygltf::ExtensionMap& extensions) {
  const auto found = extensions.find(kTransform);
  return found == extensions.end() ? TextureCoordinates{set} : transformed_coordinates(set, found->second);
}

BaseColor base_color_of(const tinygltf::Material& material) {
  const auto specular_glossiness = material.extensions.find("KHR_materials_pbrSpecularGlossiness");
  if (specular_glossiness != material.extensions.end() && specular_glossiness->second.IsObject())
    return diffuse_color(specular_glossiness->second);

  const auto& pbr = material.pbrMetallicRoughness;
  const tinygltf::TextureInfo& texture = pbr.baseColorTexture;
  const BaseColor base{color_of(pbr.baseColorFactor, {1, 1, 1, 1}), texture.index,
                       texture_coordinates(texture.texCoord, texture.extensions)};
  const bool is_black = base.factor.x == 0 && base.factor.y == 0 && base.factor.z == 0;
  Vec4 emitted = color_of(material.emissiveFactor, {});
  if (!is_black || (emitted.x == 0 && emitted.y == 0 && emitted.z == 0)) return base;
  emitted.w = base.factor.w;
  const tinygltf::TextureInfo& emissive = material.emissiveTexture;
  return {emitted, emissive.index, texture_coordinates(emissive.texCoord, emissive.extensions)};
}

}  // namespace sinew::internal
