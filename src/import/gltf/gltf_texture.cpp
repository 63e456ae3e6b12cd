#include "gltf/gltf_texture.h"

#include <cmath>
#include <string>
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
void read_transform(const tinygltf::Value& extension, TextureReference& reference) {
  reference.use.offset = transform_pair(extension, "offset", {0, 0});
  reference.use.scale = transform_pair(extension, "scale", {1, 1});
  if (extension.Has("rotation")) reference.use.rotation = transform_number(extension.Get("rotation"), "rotation");
  reference.set = whole_number(extension, "texCoord", reference.set);
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
    color.texture.texture = whole_number(texture, "index", -1);
    color.texture.set = whole_number(texture, "texCoord", 0);
    if (texture.Has("extensions") && texture.Get("extensions").Has(kTransform))
      read_transform(texture.Get("extensions").Get(kTransform), color.texture);
  }
  return color;
}

Wrap wrap_of(int mode) {
  if (mode == TINYGLTF_TEXTURE_WRAP_CLAMP_TO_EDGE) return Wrap::kClamp;
  return mode == TINYGLTF_TEXTURE_WRAP_MIRRORED_REPEAT ? Wrap::kMirror : Wrap::kRepeat;
}

}  // namespace

TextureReference texture_reference(int texture, int set, const tinygltf::ExtensionMap& extensions) {
  TextureReference reference{texture, set};
  const auto found = extensions.find(kTransform);
  if (found != extensions.end()) read_transform(found->second, reference);
  return reference;
}

void read_sampler(const tinygltf::Sampler& sampler, Texture& use) {
  use.wrap_u = wrap_of(sampler.wrapS), use.wrap_v = wrap_of(sampler.wrapT);
  if (sampler.magFilter == TINYGLTF_TEXTURE_FILTER_NEAREST) use.magnify = Filter::kNearest;
  const int minify = sampler.minFilter;
  const bool nearest = minify == TINYGLTF_TEXTURE_FILTER_NEAREST ||
                       minify == TINYGLTF_TEXTURE_FILTER_NEAREST_MIPMAP_NEAREST ||
                       minify == TINYGLTF_TEXTURE_FILTER_NEAREST_MIPMAP_LINEAR;
  if (nearest) use.minify = Filter::kNearest;
  if (minify == TINYGLTF_TEXTURE_FILTER_NEAREST || minify == TINYGLTF_TEXTURE_FILTER_LINEAR) use.mip = Filter::kNone;
  if (minify == TINYGLTF_TEXTURE_FILTER_NEAREST_MIPMAP_NEAREST ||
      minify == TINYGLTF_TEXTURE_FILTER_LINEAR_MIPMAP_NEAREST)
    use.mip = Filter::kNearest;
}

BaseColor base_color_of(const tinygltf::Material& material) {
  if (const tinygltf::Value* specular = specular_glossiness_of(material)) return diffuse_color(*specular);
  const auto& pbr = material.pbrMetallicRoughness;
  return {color_of(pbr.baseColorFactor, {1, 1, 1, 1}), texture_reference(pbr.baseColorTexture)};
}

const tinygltf::Value* specular_glossiness_of(const tinygltf::Material& material) {
  const auto found = material.extensions.find("KHR_materials_pbrSpecularGlossiness");
  return found != material.extensions.end() && found->second.IsObject() ? &found->second : nullptr;
}

float emissive_strength_of(const tinygltf::Material& material) {
  const auto found = material.extensions.find("KHR_materials_emissive_strength");
  return found == material.extensions.end() ? 1 : number_in(found->second, "emissiveStrength", 1);
}

float number_in(const tinygltf::Value& object, const char* name, float absent) {
  if (!object.IsObject() || !object.Has(name) || !object.Get(name).IsNumber()) return absent;
  return float(object.Get(name).GetNumberAsDouble());
}

}  // namespace sinew::internal
