#include "render/material_textures.h"

#include <array>
#include <string>

#include "scene/person_colors.h"

namespace sinew::app {
namespace {

VkSamplerAddressMode address_mode(Wrap wrap) {
  if (wrap == Wrap::kClamp) return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  return wrap == Wrap::kMirror ? VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT : VK_SAMPLER_ADDRESS_MODE_REPEAT;
}

VkFilter filter_of(Filter filter) { return filter == Filter::kNearest ? VK_FILTER_NEAREST : VK_FILTER_LINEAR; }

VkSamplerCreateInfo sampler_info(const Texture& texture) {
  VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.magFilter = filter_of(texture.magnify), info.minFilter = filter_of(texture.minify);
  info.mipmapMode = texture.mip == Filter::kLinear ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST;
  info.addressModeU = address_mode(texture.wrap_u), info.addressModeV = address_mode(texture.wrap_v);
  // 0.25 and not 0: with 0 the sampler would always magnify.
  info.maxLod = texture.mip == Filter::kNone ? 0.25f : VK_LOD_CLAMP_NONE;
  return info;
}

}  // namespace

MaterialTextures::SamplerKey MaterialTextures::key_of(const Texture& texture) {
  return {texture.wrap_u, texture.wrap_v, texture.magnify, texture.minify, texture.mip};
}

Result<MaterialTextures> MaterialTextures::create(const Device& device, std::span<const Model> models) {
  constexpr std::array<uint8_t, 4> kWhite = {255, 255, 255, 255};
  MaterialTextures textures;
  auto white = create_texture(device, {1, 1}, kWhite, "sinew.white");
  if (!white) return white.error();
  textures.white_ = std::move(*white);
  if (Status added = textures.add_sampler(device, {}); !added) return added.error();
  for (uint32_t m = 0; m < models.size(); ++m) {
    for (const Material& material : models[m].character.materials) {
      for (const Texture* texture : material.textures()) {
        const bool color = texture == &material.base_color_texture || texture == &material.emissive_texture;
        Status added = textures.add(device, models[m], m, *texture, color ? Encoding::kSrgb : Encoding::kLinear);
        if (!added) return added.error();
      }
      if (!models[m].regions) continue;
      Status added = textures.add(device, models[m], m, material.base_color_texture, Encoding::kRegions);
      if (!added) return added.error();
    }
  }
  return textures;
}

Status MaterialTextures::add(const Device& device, const Model& model, uint32_t index, const Texture& texture,
                             Encoding encoding) {
  if (texture.image < 0) return {};
  if (Status added = add_sampler(device, texture); !added) return added;
  const auto [known, is_new] = images_.try_emplace({index, texture.image, encoding});
  if (!is_new) return {};
  const sinew::Image& image = model.character.images[size_t(texture.image)];
  TextureInfo info{image.width, image.height};
  if (encoding != Encoding::kSrgb) info.format = VK_FORMAT_R8G8B8A8_UNORM;
  const std::vector<uint8_t> shares = encoding == Encoding::kRegions ? region_shares(image) : std::vector<uint8_t>();
  const char* kind = encoding == Encoding::kRegions ? "sinew.regions[" : "sinew.texture[";
  auto created =
      create_texture(device, info, shares.empty() ? image.rgba : shares, kind + model.name + "/" + image.name + "]");
  if (!created) return created.error();
  known->second = std::move(*created);
  return {};
}

Status MaterialTextures::add_sampler(const Device& device, const Texture& texture) {
  const auto [known, is_new] = samplers_.try_emplace(key_of(texture));
  if (!is_new) return {};
  auto sampler = create_sampler(device, sampler_info(texture), "sinew.material_sampler");
  if (!sampler) return sampler.error();
  known->second = std::move(*sampler);
  return {};
}

VkDescriptorImageInfo MaterialTextures::descriptor(uint32_t model, const Texture& texture, Encoding encoding) const {
  const Texture plain;
  const Image& image = texture.image < 0 ? white_ : images_.at({model, texture.image, encoding});
  const SamplerHandle& sampler = samplers_.at(key_of(texture.image < 0 ? plain : texture));
  return {sampler.get(), image.view.get(), VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
}

}  // namespace sinew::app
