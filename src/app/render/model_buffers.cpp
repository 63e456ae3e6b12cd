#include "render/model_buffers.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <iterator>

#include "gpu/host.h"
#include "render/material_uniforms.h"
#include "shared/crowd.h"

namespace sinew::app {
namespace {

/// Whether a level's materials read more than their base color.
bool reads_maps(const Model& model, const Level& level) {
  return std::ranges::any_of(level.material_ranges, [&](const MaterialRange& range) {
    return has_maps(model.character.materials[range.material]);
  });
}

/// Where the base color is read, then colors, then uv sets, in one buffer: meshes without the last two need no further
/// buffers, and devices no further bindings. See SurfacePlaces.
Result<std::vector<std::byte>> vertex_surfaces(const Model& model, const Level& level) {
  static_assert(sizeof(Vec2) == sizeof(VertexColor));
  const Mesh& mesh = level.mesh;
  const auto base = base_color_uvs(mesh, model.character.materials);
  if (!base) return base.error();
  const bool maps = reads_maps(model, level);
  std::vector<std::byte> bytes(places_of(mesh, maps).count * sizeof(Vec2));
  auto end = std::ranges::copy(std::as_bytes(std::span(*base)), bytes.begin()).out;
  end = std::ranges::copy(std::as_bytes(std::span(mesh.colors)), end).out;
  if (!maps) return bytes;
  end = std::ranges::copy(std::as_bytes(std::span(mesh.uvs)), end).out;
  std::ranges::copy(std::as_bytes(std::span(mesh.second_uvs)), end);
  return bytes;
}

Status upload_geometry(const Device& device, std::span<const Model> models, ModelBuffers& buffers) {
  for (const Model& model : models) {
    for (const Level& level : model.levels) {
      const auto bytes = vertex_surfaces(model, level);
      if (!bytes) return bytes.error();
      auto buffer =
          create_buffer_with(device, *bytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "sinew.uvs[" + model.name + "]");
      if (!buffer) return buffer.error();
      buffers.uvs.push_back(std::move(*buffer));
    }
  }
  return {};
}

template <class Index>
Status upload_indices(const Device& device, const std::vector<Index>& indices, const char* name, Buffer& buffer) {
  if (indices.empty()) return {};
  auto created = create_buffer_with(device, std::as_bytes(std::span(indices)), VK_BUFFER_USAGE_INDEX_BUFFER_BIT, name);
  if (!created) return created.error();
  buffer = std::move(*created);
  return {};
}

Status upload_indices(const Device& device, std::span<const Model> models, ModelBuffers& buffers) {
  std::vector<uint16_t> indices16;
  std::vector<uint32_t> indices32;
  for (const Model& model : models) {
    for (const Level& level : model.levels) {
      buffers.index_types.push_back(index_type_of(level.mesh.vertex_count()));
      if (buffers.index_types.back() == VK_INDEX_TYPE_UINT16) {
        for (const uint32_t index : level.indices) indices16.push_back(uint16_t(index));
      } else {
        indices32.insert(indices32.end(), level.indices.begin(), level.indices.end());
      }
    }
  }
  if (Status uploaded = upload_indices(device, indices16, "sinew.indices16", buffers.indices16); !uploaded)
    return uploaded;
  return upload_indices(device, indices32, "sinew.indices32", buffers.indices32);
}

/// The uniforms of all materials of all meshes, in the order of their sets.
Status upload_uniforms(const Device& device, std::span<const Model> models, ModelBuffers& buffers) {
  buffers.uniform_stride =
      align_up(sizeof(shared::MaterialUniforms), device.info.limits.minUniformBufferOffsetAlignment);
  std::vector<std::byte> bytes;
  for (const Model& model : models) {
    for (const Level& level : model.levels) {
      const SurfacePlaces places = places_of(level.mesh, reads_maps(model, level));
      for (const MaterialRange& range : level.material_ranges) {
        const shared::MaterialUniforms uniforms = uniforms_of(model.character.materials[range.material], places);
        bytes.resize(bytes.size() + buffers.uniform_stride);
        std::memcpy(bytes.data() + bytes.size() - buffers.uniform_stride, &uniforms, sizeof uniforms);
      }
    }
  }
  auto created = create_buffer_with(device, bytes, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, "sinew.material_uniforms");
  if (!created) return created.error();
  buffers.uniforms = std::move(*created);
  return {};
}

/// What the set of a material holds.
struct SetContent {
  VkDescriptorBufferInfo uvs, uniforms, mesh;  // mesh: null unless the vertex shader skins
  std::array<VkDescriptorImageInfo, Material::kTextureCount> textures;
};

void write_set(const Device& device, VkDescriptorSet set, const SetContent& content) {
  std::vector<VkWriteDescriptorSet> writes;
  const auto add = [&](uint32_t binding, VkDescriptorType type, const VkDescriptorBufferInfo* buffer,
                       const VkDescriptorImageInfo* image) {
    writes.push_back(
        {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, set, binding, 0, 1, type, image, buffer, nullptr});
  };
  constexpr uint32_t kImages[] = {shared::kBindingBaseColor, shared::kBindingMetallicRoughness,
                                  shared::kBindingNormalMap, shared::kBindingOcclusion, shared::kBindingEmissive};
  static_assert(std::size(kImages) == Material::kTextureCount);
  add(shared::kBindingUvs, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &content.uvs, nullptr);
  add(shared::kBindingColors, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &content.uvs, nullptr);  // until set_vertex_colors()
  add(shared::kBindingMaterial, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, &content.uniforms, nullptr);
  for (size_t i = 0; i < std::size(kImages); ++i)
    add(kImages[i], VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, nullptr, &content.textures[i]);
  if (content.mesh.buffer != VK_NULL_HANDLE)
    add(shared::kBindingStaticMesh, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &content.mesh, nullptr);
  vkUpdateDescriptorSets(device.handle, uint32_t(writes.size()), writes.data(), 0, nullptr);
}

/// Where the data of a mesh begins in ModelBuffers.
struct MeshIndices {
  uint32_t model = 0, mesh = 0, first_index = 0, first_set = 0;
};

void add_mesh(const Device& device, const Model& model, const Level& level, const Skinning& skinning,
              const MeshIndices& indices, std::span<const VkDescriptorSet> sets, ModelBuffers& buffers) {
  const vulkan::MeshBuffer data = skinning.static_mesh(indices.mesh);
  SetContent content;
  content.uvs = {buffers.uvs[indices.mesh].get(), 0, VK_WHOLE_SIZE};
  content.mesh = {data.buffer, data.offset, data.size_bytes};
  std::vector<MaterialDraw>& draws = buffers.materials.emplace_back();
  for (const MaterialRange& range : level.material_ranges) {
    const Material& material = model.character.materials[range.material];
    const uint32_t set_index = indices.first_set + uint32_t(draws.size());
    content.uniforms = {buffers.uniforms.get(), set_index * buffers.uniform_stride, sizeof(shared::MaterialUniforms)};
    const auto textures = material.textures();
    for (size_t t = 0; t < textures.size(); ++t) {
      const bool color = textures[t] == &material.base_color_texture || textures[t] == &material.emissive_texture;
      content.textures[t] =
          buffers.textures.descriptor(indices.model, *textures[t], color ? Encoding::kSrgb : Encoding::kLinear);
    }
    const VkDescriptorSet set = sets[set_index];
    write_set(device, set, content);
    set_name(device, VK_OBJECT_TYPE_DESCRIPTOR_SET, set, "sinew.material[" + model.name + "/" + material.name + "]");
    MaterialDraw draw{indices.first_index + range.first_index, range.index_count, material.base_color, set};
    draw.surface = {material.alpha_mode, material.double_sided, has_maps(material)};
    draw.unlit = material.unlit;
    draw.alpha_cutoff = material.alpha_mode == AlphaMode::kBlend ? kBlendCutoff : material.alpha_cutoff;
    if (!level.mesh.colors.empty()) draw.first_color = level.mesh.vertex_count();
    draws.push_back(draw);
  }
}

}  // namespace

VkIndexType index_type_of(uint32_t vertex_count) {
  constexpr uint32_t kMaxVertices = 1 << 16;
  return vertex_count <= kMaxVertices ? VK_INDEX_TYPE_UINT16 : VK_INDEX_TYPE_UINT32;
}

uint32_t surfaces_of(const ModelBuffers& buffers) {
  uint32_t surfaces = 0;
  for (const auto& draws : buffers.materials) {
    for (const MaterialDraw& draw : draws) surfaces |= 1u << index_of(draw.surface);
  }
  return surfaces;
}

Result<ModelBuffers> create_model_buffers(const Device& device, std::span<const Model> models, const Skinning& skinning,
                                          VkDescriptorSetLayout material_layout) {
  ModelBuffers buffers;
  if (Status uploaded = upload_geometry(device, models, buffers); !uploaded) return uploaded.error();
  if (Status uploaded = upload_indices(device, models, buffers); !uploaded) return uploaded.error();
  if (Status uploaded = upload_uniforms(device, models, buffers); !uploaded) return uploaded.error();
  auto textures = MaterialTextures::create(device, models);
  if (!textures) return textures.error();
  buffers.textures = std::move(*textures);
  uint32_t set_count = 0;
  for (const Model& model : models) {
    for (const Level& level : model.levels) set_count += uint32_t(level.material_ranges.size());
  }
  constexpr auto kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  constexpr auto kImage = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  constexpr std::array kTypes = {kStorage, kStorage, kStorage, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, kImage, kImage,
                                 kImage,   kImage,   kImage};
  auto sets = create_descriptor_sets(device, set_count, kTypes, material_layout, "sinew.material_set");
  if (!sets) return sets.error();
  buffers.pool = std::move(sets->pool);

  uint32_t next_set = 0;
  uint32_t first16 = 0, first32 = 0;
  for (uint32_t m = 0; m < models.size(); ++m) {
    for (const Level& level : models[m].levels) {
      const uint32_t mesh = uint32_t(buffers.materials.size());
      uint32_t& first_index = buffers.index_types[mesh] == VK_INDEX_TYPE_UINT16 ? first16 : first32;
      add_mesh(device, models[m], level, skinning, {m, mesh, first_index, next_set}, sets->sets, buffers);
      next_set += uint32_t(level.material_ranges.size());
      first_index += uint32_t(level.indices.size());
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
    write_buffer(device.handle, material.set, shared::kBindingColors, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                 {buffer->get(), 0, VK_WHOLE_SIZE});
  }
  buffers.colors[mesh] = std::move(*buffer);
  return {};
}

}  // namespace sinew::app
