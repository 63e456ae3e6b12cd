#include "render/model_buffers.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <iterator>

#include "sinew/import/lod.h"

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

constexpr float kDarkest = 0.002f;  // mean of a region; nothing is painted darker

/// transformed() as two rows: u and v are dot(row.xyz, (u, v, 1)).
void write_rows(const Texture& texture, shared::vec4* rows) {
  const Vec2 origin = transformed(texture, {0, 0}), u = transformed(texture, {1, 0}), v = transformed(texture, {0, 1});
  rows[0] = {u.x - origin.x, v.x - origin.x, origin.x, float(texture.uv_set)};
  rows[1] = {u.y - origin.y, v.y - origin.y, origin.y, 0};
}

/// Times a texel, or its brightness, it is the texel in the color of a person.
shared::vec4 factor_of(Vec3 color, const RegionColor& from, Region region) {
  const float light = brightness(from.bright);
  const Vec3 by = region == Region::kSkin ? from.bright : Vec3{light, light, light};
  const auto factor = [](float to, float of) { return to / std::max(of, kDarkest); };
  return {factor(color.x, by.x), factor(color.y, by.y), factor(color.z, by.z), 0};
}

/// Times the luminance in the region, it is what is added to the color of a vertex: sinew/import/lod.h.
shared::vec4 change_of(Vec3 color, const RegionColor& from) {
  const auto per_luminance = [](Vec3 of, Vec3 as) {
    return of * (1 / std::max(dot(as, {0.2126f, 0.7152f, 0.0722f}), kDarkest));
  };
  const Vec3 change = per_luminance(color, from.bright) - per_luminance(from.mean, from.mean);
  return {change.x, change.y, change.z, 0};
}

/// Whether a mesh's materials read more than their base color.
bool reads_uv_sets(const Model& model, const Mesh& mesh) {
  if (model.regions && !mesh.second_uvs.empty()) return true;
  return std::ranges::any_of(mesh.parts, [&](const MeshPart& part) {
    return part.index_count > 0 && has_maps(model.character.materials[part.material]);
  });
}

uint32_t shading_of(const Material& material) {
  if (material.unlit) return shared::kShadingUnlit;
  return material.name == kSmallLevelMaterial ? shared::kShadingFaces : shared::kShadingLit;
}

/// Which of the model's materials a mesh has triangles of: these alone have a set.
std::vector<bool> used_materials(const Model& model, const Mesh& mesh) {
  std::vector<bool> used(model.character.materials.size());
  for (const MeshPart& part : mesh.parts) used[part.material] = used[part.material] || part.index_count > 0;
  return used;
}

/// Where a mesh has the regions of a material.
uint32_t regions_of(const Mesh& mesh, const Material& material) {
  if (material.name == kSmallLevelMaterial)
    return mesh.second_uvs.empty() ? shared::kRegionsNone : shared::kRegionsOfVertices;
  return material.base_color_texture.image < 0 ? shared::kRegionsNone : shared::kRegionsOfTexture;
}

/// Calls `use(model, mesh)` for every level of every model, then of all wearables.
template <class Use>
Status for_each_mesh(std::span<const Model> models, Use use) {
  for (const Model& model : models) {
    for (uint32_t level = 0; level < model.level_count(); ++level) {
      if (Status used = use(model, model.mesh(level)); !used) return used;
    }
  }
  for (const Model& model : models) {
    for (const Wearable& wearable : model.wearables) {
      for (const Mesh& mesh : wearable.meshes) {
        if (Status used = use(model, mesh); !used) return used;
      }
    }
  }
  return {};
}

/// Where the base color is read, then colors, then uv sets, in one buffer: meshes without the last two need no further
/// buffers, and devices no further bindings. See SurfacePlaces.
Result<std::vector<std::byte>> vertex_surfaces(const Model& model, const Mesh& mesh) {
  static_assert(sizeof(Vec2) == sizeof(VertexColor));
  const auto base = base_color_uvs(mesh, model.character.materials);
  if (!base) return base.error();
  const bool uv_sets = reads_uv_sets(model, mesh);
  // A buffer is never empty, as that of a wearable that is too small to see would be.
  std::vector<std::byte> bytes(std::max<size_t>(places_of(mesh, uv_sets).count, 1) * sizeof(Vec2));
  auto end = std::ranges::copy(std::as_bytes(std::span(*base)), bytes.begin()).out;
  end = std::ranges::copy(std::as_bytes(std::span(mesh.colors)), end).out;
  if (!uv_sets) return bytes;
  end = std::ranges::copy(std::as_bytes(std::span(mesh.uvs)), end).out;
  std::ranges::copy(std::as_bytes(std::span(mesh.second_uvs)), end);
  return bytes;
}

Status upload_surfaces(const Device& device, std::span<const Model> models, ModelBuffers& buffers) {
  return for_each_mesh(models, [&](const Model& model, const Mesh& mesh) -> Status {
    const auto bytes = vertex_surfaces(model, mesh);
    if (!bytes) return bytes.error();
    auto buffer =
        create_buffer_with(device, *bytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "sinew.uvs[" + model.name + "]");
    if (!buffer) return buffer.error();
    buffers.uvs.push_back(std::move(*buffer));
    return {};
  });
}

Status upload_indices(const Device& device, const Skinning& skinning, ModelBuffers& buffers) {
  const auto streams = skinning.make_streams();
  if (!streams) return streams.error();
  if (streams->indices.empty()) return {};
  return put(create_buffer_with(device, std::as_bytes(std::span(streams->indices)), VK_BUFFER_USAGE_INDEX_BUFFER_BIT,
                                "sinew.indices"),
             buffers.indices);
}

/// The uniforms of all materials of all meshes, in the order of their sets. Returns how many sets there are.
Result<size_t> upload_uniforms(const Device& device, std::span<const Model> models, ModelBuffers& buffers) {
  buffers.uniform_stride =
      align_up(sizeof(shared::MaterialUniforms), device.info.limits.minUniformBufferOffsetAlignment);
  std::vector<std::byte> bytes;
  const auto append = [&](const Model& model, const Mesh& mesh) -> Status {
    const SurfacePlaces places = places_of(mesh, reads_uv_sets(model, mesh));
    const std::vector<bool> used = used_materials(model, mesh);
    for (size_t m = 0; m < used.size(); ++m) {
      if (!used[m]) continue;
      const Material& material = model.character.materials[m];
      shared::MaterialUniforms uniforms = uniforms_of(material, places);
      if (model.regions) set_palettes(*model.regions, regions_of(mesh, material), uniforms);
      bytes.resize(bytes.size() + buffers.uniform_stride);
      std::memcpy(bytes.data() + bytes.size() - buffers.uniform_stride, &uniforms, sizeof uniforms);
    }
    return {};
  };
  if (Status appended = for_each_mesh(models, append); !appended) return appended.error();
  const Status made =
      put(create_buffer_with(device, bytes, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, "sinew.material_uniforms"),
          buffers.uniforms);
  if (!made) return made.error();
  return size_t(bytes.size() / buffers.uniform_stride);
}

/// What the set of a material holds.
struct SetContent {
  VkDescriptorBufferInfo uvs, uniforms, mesh;  // mesh: null unless the vertex shader skins
  std::array<VkDescriptorImageInfo, Material::kTextureCount> textures;
  VkDescriptorImageInfo regions;
};

void write_set(VkDevice device, VkDescriptorSet set, const SetContent& content) {
  constexpr auto kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  constexpr uint32_t kImages[] = {shared::kBindingBaseColor, shared::kBindingMetallicRoughness,
                                  shared::kBindingNormalMap, shared::kBindingOcclusion, shared::kBindingEmissive};
  static_assert(std::size(kImages) == Material::kTextureCount);
  write_buffer(device, set, shared::kBindingUvs, kStorage, content.uvs);
  write_buffer(device, set, shared::kBindingColors, kStorage, content.uvs);  // until set_vertex_colors()
  write_buffer(device, set, shared::kBindingMaterial, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, content.uniforms);
  write_image(device, set, shared::kBindingRegions, content.regions);
  for (size_t i = 0; i < std::size(kImages); ++i) write_image(device, set, kImages[i], content.textures[i]);
  if (content.mesh.buffer) write_buffer(device, set, shared::kBindingStaticMesh, kStorage, content.mesh);
}

/// Writes the sets of the materials that a mesh has triangles of. Returns the set after the last.
size_t add_mesh(const Device& device, uint32_t model_index, const Model& model, const Mesh& mesh,
                std::span<const VkDescriptorSet> sets, size_t first_set, ModelBuffers& buffers) {
  const uint32_t mesh_index = uint32_t(buffers.materials.size());
  SetContent content;
  content.uvs = {buffers.uvs[mesh_index].get(), 0, VK_WHOLE_SIZE};
  const vulkan::MeshBuffer& data = buffers.static_meshes[mesh_index];
  content.mesh = {data.buffer, data.offset, data.size_bytes};
  std::vector<MaterialDraw>& draws = buffers.materials.emplace_back(model.character.materials.size());
  const std::vector<bool> used = used_materials(model, mesh);
  size_t set_index = first_set;
  for (size_t m = 0; m < used.size(); ++m) {
    if (!used[m]) continue;
    const Material& material = model.character.materials[m];
    content.uniforms = {buffers.uniforms.get(), set_index * buffers.uniform_stride, sizeof(shared::MaterialUniforms)};
    const auto textures = material.textures();
    for (size_t t = 0; t < textures.size(); ++t) {
      const bool color = textures[t] == &material.base_color_texture || textures[t] == &material.emissive_texture;
      content.textures[t] =
          buffers.textures.descriptor(model_index, *textures[t], color ? Encoding::kSrgb : Encoding::kLinear);
    }
    content.regions = buffers.textures.descriptor(model_index, model.regions ? material.base_color_texture : Texture(),
                                                  Encoding::kRegions);
    const VkDescriptorSet set = sets[set_index];
    write_set(device.handle, set, content);
    set_name(device, VK_OBJECT_TYPE_DESCRIPTOR_SET, set, "sinew.material[" + model.name + "/" + material.name + "]");
    MaterialDraw draw{material.base_color, set};
    draw.surface = {material.alpha_mode, material.double_sided, has_maps(material)};
    draw.shading = shading_of(material);
    draw.alpha_cutoff = material.alpha_mode == AlphaMode::kBlend ? kBlendCutoff : material.alpha_cutoff;
    if (!mesh.colors.empty()) draw.first_color = mesh.vertex_count();
    draws[m] = draw;
    ++set_index;
  }
  return set_index;
}

}  // namespace

MaterialTextures::SamplerKey MaterialTextures::key_of(const Texture& texture) {
  return {texture.wrap_u, texture.wrap_v, texture.magnify, texture.minify, texture.mip};
}

Result<MaterialTextures> MaterialTextures::create(const Device& device, std::span<const Model> models) {
  constexpr std::array<uint8_t, 4> kWhite = {255, 255, 255, 255};
  MaterialTextures textures;
  Status made = put(create_texture(device, {1, 1}, kWhite, "sinew.white"), textures.white_);
  if (!made) return made.error();
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
  return put(
      create_texture(device, info, shares.empty() ? image.rgba : shares, kind + model.name + "/" + image.name + "]"),
      known->second);
}

Status MaterialTextures::add_sampler(const Device& device, const Texture& texture) {
  const auto [known, is_new] = samplers_.try_emplace(key_of(texture));
  if (!is_new) return {};
  return put(create_sampler(device, sampler_info(texture), "sinew.material_sampler"), known->second);
}

VkDescriptorImageInfo MaterialTextures::descriptor(uint32_t model, const Texture& texture, Encoding encoding) const {
  const Texture plain;
  const Image& image = texture.image < 0 ? white_ : images_.at({model, texture.image, encoding});
  const SamplerHandle& sampler = samplers_.at(key_of(texture.image < 0 ? plain : texture));
  return {sampler.get(), image.view.get(), VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
}

bool has_maps(const Material& material) {
  const Vec3 emissive = material.emissive;
  const bool emits = emissive.x > 0 || emissive.y > 0 || emissive.z > 0;
  if (material.metallic != 0 || material.roughness != 1 || emits) return true;
  for (const Texture* texture : material.textures()) {
    if (texture != &material.base_color_texture && texture->image >= 0) return true;
  }
  return false;
}

SurfacePlaces places_of(const Mesh& mesh, bool uv_sets) {
  const uint32_t vertices = mesh.vertex_count();
  SurfacePlaces places;
  places.colors = vertices;
  places.uvs = vertices + uint32_t(mesh.colors.size());
  places.second_uvs = places.uvs + (mesh.second_uvs.empty() ? 0 : vertices);
  places.count = uv_sets ? places.second_uvs + vertices : places.uvs;
  return places;
}

shared::MaterialUniforms uniforms_of(const Material& material, const SurfacePlaces& places) {
  shared::MaterialUniforms uniforms{};
  const float normal_scale = material.normal_texture.image < 0 ? 0 : material.normal_scale;
  uniforms.factors = {material.metallic, material.roughness, normal_scale, material.occlusion_strength};
  uniforms.emissive = {material.emissive.x, material.emissive.y, material.emissive.z, 0};
  const Texture* maps[] = {&material.metallic_roughness_texture, &material.normal_texture, &material.occlusion_texture,
                           &material.emissive_texture};
  static_assert(std::size(maps) == shared::kMapCount);
  for (uint32_t m = 0; m < shared::kMapCount; ++m) write_rows(*maps[m], &uniforms.rows[2 * m]);
  uniforms.first_uvs = places.uvs, uniforms.first_second_uvs = places.second_uvs;
  return uniforms;
}

void set_palettes(const RegionColors& colors, uint32_t regions, shared::MaterialUniforms& uniforms) {
  static_assert(shared::kPaletteSize == kMaxColors);
  uniforms.regions = regions;
  const auto set = [&](Region region, shared::vec4* entries) {
    const RegionColor& from = colors[size_t(region) - 1];
    for (const Vec3 color : palette_of(region))
      *entries++ = regions == shared::kRegionsOfVertices ? change_of(color, from) : factor_of(color, from, region);
  };
  set(Region::kSkin, uniforms.skin), set(Region::kHair, uniforms.hair);
  set(Region::kTop, uniforms.top), set(Region::kTrousers, uniforms.trousers);
}

uint32_t surfaces_of(const ModelBuffers& buffers) {
  uint32_t surfaces = 0;
  for (const auto& draws : buffers.materials) {
    for (const MaterialDraw& draw : draws) surfaces |= draw.set ? 1u << index_of(draw.surface) : 0;
  }
  return surfaces;
}

Result<ModelBuffers> create_model_buffers(const Device& device, std::span<const Model> models, const Skinning& skinning,
                                          VkDescriptorSetLayout material_layout) {
  ModelBuffers buffers;
  if (Status uploaded = upload_surfaces(device, models, buffers); !uploaded) return uploaded.error();
  if (Status uploaded = upload_indices(device, skinning, buffers); !uploaded) return uploaded.error();
  const auto set_count = upload_uniforms(device, models, buffers);
  if (!set_count) return set_count.error();
  if (Status made = put(MaterialTextures::create(device, models), buffers.textures); !made) return made.error();
  constexpr auto kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  constexpr auto kImage = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  constexpr std::array kTypes = {
      kStorage, kStorage, kStorage, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, kImage, kImage, kImage, kImage, kImage, kImage};
  auto sets = create_descriptor_sets(device, uint32_t(*set_count), kTypes, material_layout, "sinew.material_set");
  if (!sets) return sets.error();
  buffers.pool = std::move(sets->pool);

  size_t next_set = 0;
  const auto add = [&](uint32_t m, uint32_t level, const Mesh& mesh, bool worn) {
    const auto index = uint32_t(buffers.materials.size());
    buffers.static_meshes.push_back(worn ? vulkan::MeshBuffer() : skinning.static_mesh(index));
    buffers.boxes.push_back(box_of_positions(models[m], level));
    next_set = add_mesh(device, m, models[m], mesh, sets->sets, next_set, buffers);
  };
  for (uint32_t m = 0; m < models.size(); ++m) {
    buffers.first_meshes.push_back(uint32_t(buffers.materials.size()));
    buffers.level_counts.push_back(models[m].level_count());
    for (uint32_t level = 0; level < models[m].level_count(); ++level) add(m, level, models[m].mesh(level), false);
  }
  for (uint32_t m = 0; m < models.size(); ++m) {
    buffers.first_worn.push_back(uint32_t(buffers.materials.size()));
    for (const Wearable& wearable : models[m].wearables) {
      for (uint32_t level = 0; level < wearable.meshes.size(); ++level) add(m, level, wearable.meshes[level], true);
    }
  }
  return buffers;
}

Status set_vertex_colors(const Device& device, uint32_t mesh, std::span<const uint32_t> colors, ModelBuffers& buffers) {
  auto buffer =
      create_buffer_with(device, std::as_bytes(colors), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "sinew.vertex_colors");
  if (!buffer) return buffer.error();
  buffers.colors.resize(buffers.materials.size());
  for (const MaterialDraw& material : buffers.materials[mesh]) {
    if (!material.set) continue;
    write_buffer(device.handle, material.set, shared::kBindingColors, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                 {buffer->get(), 0, VK_WHOLE_SIZE});
  }
  buffers.colors[mesh] = std::move(*buffer);
  return {};
}

}  // namespace sinew::app
