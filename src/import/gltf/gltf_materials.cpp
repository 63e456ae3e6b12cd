#include "gltf/gltf_materials.h"

#include <cmath>
#include <string>
#include <vector>

#include "failure.h"
#include "gltf/gltf_json.h"
#include "gltf/gltf_lost.h"

namespace sinew::internal {
namespace {

constexpr const char* kTransform = "KHR_texture_transform";

Vec4 color_of(const std::vector<double>& numbers, Vec4 absent) {
  if (numbers.size() < 3) return absent;
  const double alpha = numbers.size() > 3 ? numbers[3] : 1;
  return {float(numbers[0]), float(numbers[1]), float(numbers[2]), float(alpha)};
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
  reference.set = whole_number_in(extension, "texCoord", reference.set);
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
    color.texture.texture = whole_number_in(texture, "index");
    color.texture.set = whole_number_in(texture, "texCoord", 0);
    if (texture.Has("extensions") && texture.Get("extensions").Has(kTransform))
      read_transform(texture.Get("extensions").Get(kTransform), color.texture);
  }
  return color;
}

Wrap wrap_of(int mode) {
  if (mode == TINYGLTF_TEXTURE_WRAP_CLAMP_TO_EDGE) return Wrap::kClamp;
  return mode == TINYGLTF_TEXTURE_WRAP_MIRRORED_REPEAT ? Wrap::kMirror : Wrap::kRepeat;
}

void read_alpha(const tinygltf::Material& source, Material& material, std::vector<std::string>& warnings) {
  if (source.alphaMode == "MASK") material.alpha_mode = AlphaMode::kMask;
  if (source.alphaMode == "BLEND") material.alpha_mode = AlphaMode::kBlend;
  if (material.alpha_mode == AlphaMode::kOpaque && source.alphaMode != "OPAQUE") {
    warnings.push_back("material '" + source.name + "': alpha mode '" + source.alphaMode +
                       "' is unknown, opaque instead");
  }
  const float cutoff = float(source.alphaCutoff);
  if (std::isfinite(cutoff) && cutoff >= 0) {
    material.alpha_cutoff = cutoff;
  } else {
    warnings.push_back("material '" + source.name + "': its alpha cutoff is negative or not finite, 0.5 instead");
  }
}

/// The images of a texture, the best first. Source: EXT_texture_webp; the other formats are not decoded, so that their
/// images come last.
std::vector<int> images_of(const tinygltf::Texture& texture) {
  std::vector<int> images;
  const auto webp = texture.extensions.find("EXT_texture_webp");
  if (webp != texture.extensions.end()) images.push_back(whole_number_in(webp->second, "source"));
  images.push_back(texture.source);
  for (const auto& [name, extension] : texture.extensions) images.push_back(whole_number_in(extension, "source"));
  std::erase_if(images, [](int image) { return image < 0; });
  return images;
}

/// A factor is linear, from 0 to 1; repair_materials() sees to its range.
Vec3 emission_of(const tinygltf::Material& source) {
  const std::vector<double>& factor = source.emissiveFactor;
  if (factor.size() != 3) return {0, 0, 0};
  const float strength = emissive_strength_of(source);
  return {float(factor[0]) * strength, float(factor[1]) * strength, float(factor[2]) * strength};
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
  return found == material.extensions.end() ? 1 : float(number_in(found->second, "emissiveStrength", 1));
}

/// First the images of base colors: if memory ends, other maps are left out.
void GltfMaterials::read(Scene& scene) {
  image_of_.assign(model_.images.size(), kNotTried);
  for (const tinygltf::Material& source : model_.materials) {
    const TextureReference base = base_color_of(source).texture;
    if (base.texture >= 0) texture_image(base.texture, scene);
  }
  for (const tinygltf::Material& source : model_.materials) {
    UvSets<int>& sets = sets_.emplace_back();
    scene.materials.push_back(material(source, sets, scene));
  }
}

Material GltfMaterials::material(const tinygltf::Material& source, UvSets<int>& sets, Scene& scene) {
  const auto read = [&](const TextureReference& reference) { return texture(reference, source.name, sets, scene); };
  Material material;
  material.name = source.name;
  const BaseColor base = base_color_of(source);
  material.base_color = base.factor;
  material.base_color_texture = read(base.texture);
  if (const tinygltf::Value* specular = specular_glossiness_of(source)) {
    material.roughness = 1 - float(number_in(*specular, "glossinessFactor", 1));
    if (specular->Has("specularFactor") || specular->Has("specularGlossinessTexture")) {
      lost_.add(kLostSpecular, source.name);
    }
  } else {
    material.metallic = float(source.pbrMetallicRoughness.metallicFactor);
    material.roughness = float(source.pbrMetallicRoughness.roughnessFactor);
    material.metallic_roughness_texture = read(texture_reference(source.pbrMetallicRoughness.metallicRoughnessTexture));
  }
  material.normal_texture = read(texture_reference(source.normalTexture));
  material.normal_scale = float(source.normalTexture.scale);
  material.occlusion_texture = read(texture_reference(source.occlusionTexture));
  material.occlusion_strength = float(source.occlusionTexture.strength);
  material.emissive_texture = read(texture_reference(source.emissiveTexture));
  material.emissive = emission_of(source);
  material.double_sided = source.doubleSided;
  material.unlit = source.extensions.count("KHR_materials_unlit") > 0;
  read_alpha(source, material, report_.warnings);
  return material;
}

/// A texture whose image cannot be decoded is none.
Texture GltfMaterials::texture(const TextureReference& reference, const std::string& material, UvSets<int>& sets,
                               Scene& scene) {
  if (reference.texture < 0) return {};
  Texture texture = reference.use;
  texture.image = texture_image(reference.texture, scene);
  if (texture.image < 0) return {};
  const std::optional<uint32_t> set = sets.number_of(reference.set);
  if (!set) {
    if (sets.loses_first()) lost_.add(kLostTextureSet, material);
    return {};
  }
  texture.uv_set = *set;
  const int sampler = model_.textures[size_t(reference.texture)].sampler;
  if (sampler >= 0) read_sampler(at(model_.samplers, sampler, "sampler"), texture);
  return texture;
}

int32_t GltfMaterials::texture_image(int texture, Scene& scene) {
  const std::vector<int> sources = images_of(at(model_.textures, texture, "texture"));
  if (sources.empty() && imageless_.insert(texture).second) lost_.add(kLostTexture, std::to_string(texture));
  for (const int source : sources) {
    if (const int32_t found = image(source, scene); found >= 0) return found;
  }
  return -1;
}

/// The index of an image of the file in the scene. -1: it cannot be decoded.
int32_t GltfMaterials::image(int source, Scene& scene) {
  const tinygltf::Image& image = at(model_.images, source, "image");
  int32_t& result = image_of_[size_t(source)];
  if (result != kNotTried) return result;
  result = -1;
  if (std::optional<Image> decoded = decode(image)) {
    scene.images.push_back(std::move(*decoded));
    result = int32_t(scene.images.size()) - 1;
  }
  return result;
}

std::optional<Image> GltfMaterials::decode(const tinygltf::Image& image) {
  const std::string file = decoded_uri(image.uri), name = image.name.empty() ? file : image.name;
  if (image.bufferView >= 0) return images_.decode(accessors_.view(image.bufferView, 0, false).bytes, name);
  if (image.image.empty()) return images_.load(file);
  return images_.decode(image.image, name);
}

}  // namespace sinew::internal
