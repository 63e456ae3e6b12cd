#include "gltf/gltf_base_color.h"

#include <vector>

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
  }
  return color;
}

}  // namespace

BaseColor base_color_of(const tinygltf::Material& material) {
  const auto specular_glossiness = material.extensions.find("KHR_materials_pbrSpecularGlossiness");
  if (specular_glossiness != material.extensions.end() && specular_glossiness->second.IsObject())
    return diffuse_color(specular_glossiness->second);

  const auto& pbr = material.pbrMetallicRoughness;
  const BaseColor base{color_of(pbr.baseColorFactor, {1, 1, 1, 1}), pbr.baseColorTexture.index,
                       pbr.baseColorTexture.texCoord};
  const bool is_black = base.factor.x == 0 && base.factor.y == 0 && base.factor.z == 0;
  Vec4 emitted = color_of(material.emissiveFactor, {});
  if (!is_black || (emitted.x == 0 && emitted.y == 0 && emitted.z == 0)) return base;
  emitted.w = base.factor.w;
  return {emitted, material.emissiveTexture.index, material.emissiveTexture.texCoord};
}

}  // namespace sinew::internal
