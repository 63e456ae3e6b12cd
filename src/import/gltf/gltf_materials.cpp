#include "gltf/gltf_materials.h"

#include <algorithm>
#include <cmath>

#include "gltf/gltf_lost.h"
#include "gltf/gltf_uri.h"

namespace sinew::internal {
namespace {

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

/// The image that an extension for its format names; -1: none.
int image_of(const tinygltf::Value& extension) {
  return extension.Has("source") && extension.Get("source").IsInt() ? extension.Get("source").GetNumberAsInt() : -1;
}

/// The images of a texture, the best first. Source: EXT_texture_webp; the other formats are not decoded, so that their
/// images come last.
std::vector<int> images_of(const tinygltf::Texture& texture) {
  std::vector<int> images;
  const auto webp = texture.extensions.find("EXT_texture_webp");
  if (webp != texture.extensions.end()) images.push_back(image_of(webp->second));
  images.push_back(texture.source);
  for (const auto& [name, extension] : texture.extensions) images.push_back(image_of(extension));
  std::erase_if(images, [](int image) { return image < 0; });
  return images;
}

}  // namespace

void GltfMaterials::read(Scene& scene) {
  image_of_.assign(model_.images.size(), kNotTried);
  for (const tinygltf::Material& source : model_.materials) scene.materials.push_back(material(source, scene));
}

bool GltfMaterials::repeats(int index) const {
  if (index < 0) return true;
  const int texture = base_color_of(model_.materials[size_t(index)]).texture;
  const int sampler = texture < 0 ? -1 : at(model_.textures, texture, "texture").sampler;
  if (sampler < 0) return true;
  const tinygltf::Sampler& wrap = at(model_.samplers, sampler, "sampler");
  return wrap.wrapS == TINYGLTF_TEXTURE_WRAP_REPEAT && wrap.wrapT == TINYGLTF_TEXTURE_WRAP_REPEAT;
}

Material GltfMaterials::material(const tinygltf::Material& source, Scene& scene) {
  Material material;
  material.name = source.name;
  const BaseColor base = base_color_of(source);
  material.base_color = base.factor;
  if (base.texture >= 0) material.base_color_image = texture_image(base.texture, scene);
  material.double_sided = source.doubleSided;
  material.unlit = source.extensions.count("KHR_materials_unlit") > 0;
  read_alpha(source, material, report_.warnings);
  lose_other_coordinates(source);
  return material;
}

/// A mesh has one set of texture coordinates: those of the base color.
void GltfMaterials::lose_other_coordinates(const tinygltf::Material& source) {
  const TextureCoordinates read = base_color_of(source).coordinates;
  bool same_set = true, same = true;
  const auto compare = [&](const auto& texture) {
    if (texture.index < 0) return;
    const TextureCoordinates other = texture_coordinates(texture.texCoord, texture.extensions);
    same_set = same_set && other.set == read.set;
    same = same && other == read;
  };
  compare(source.normalTexture), compare(source.occlusionTexture), compare(source.emissiveTexture);
  compare(source.pbrMetallicRoughness.metallicRoughnessTexture);
  if (!same_set) {
    lost_.add(kLostTextureSet, source.name);
  } else if (!same) {
    lost_.add(kLostTextureTransform, source.name);
  }
}

int32_t GltfMaterials::texture_image(int texture, Scene& scene) {
  const std::vector<int> sources = images_of(at(model_.textures, texture, "texture"));
  if (sources.empty()) lost_.add(kLostTexture, std::to_string(texture));
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
