#include "render/model_buffers.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "gpu/descriptors.h"
#include "shared/crowd.h"

namespace sinew::app {
namespace {

VkSamplerCreateInfo sampler_info() {
  VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.magFilter = info.minFilter = VK_FILTER_LINEAR;
  info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
  info.maxLod = VK_LOD_CLAMP_NONE;
  return info;
}

/// Texture coordinates, then colors: meshes without colors need no buffer for them, and devices no further binding.
std::vector<std::byte> vertex_surfaces(const Mesh& mesh) {
  static_assert(sizeof(Vec2) == sizeof(VertexColor));
  std::vector<std::byte> bytes((mesh.uvs.size() + mesh.colors.size()) * sizeof(Vec2));
  const auto uvs = std::as_bytes(std::span(mesh.uvs)), colors = std::as_bytes(std::span(mesh.colors));
  std::ranges::copy(colors, std::ranges::copy(uvs, bytes.begin()).out);
  return bytes;
}

Status upload_geometry(const Device& device, std::span<const Model> models, ModelBuffers& buffers) {
  for (const Model& model : models) {
    for (const Level& level : model.levels) {
      auto buffer = create_buffer_with(device, vertex_surfaces(level.mesh), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                       "sinew.uvs[" + model.name + "]");
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

/// First the white texture, then the images of each model in turn.
Status upload_textures(const Device& device, std::span<const Model> models, ModelBuffers& buffers) {
  constexpr std::array<uint8_t, 4> kWhite = {255, 255, 255, 255};
  const auto add = [&](uint32_t width, uint32_t height, std::span<const uint8_t> rgba,
                       const std::string& name) -> Status {
    auto texture = create_texture(device, {width, height}, rgba, name);
    if (!texture) return texture.error();
    buffers.textures.push_back(std::move(*texture));
    return {};
  };
  if (Status added = add(1, 1, kWhite, "sinew.white"); !added) return added;
  for (const Model& model : models) {
    for (const sinew::Image& image : model.character.images) {
      Status added = add(image.width, image.height, image.rgba, "sinew.texture[" + model.name + "/" + image.name + "]");
      if (!added) return added;
    }
  }
  return {};
}

/// `mesh` is null unless the vertex shader skins.
void write_set(const Device& device, VkDescriptorSet set, const Buffer& uvs, VkDescriptorImageInfo texture,
               const VkDescriptorBufferInfo* mesh) {
  const VkDescriptorBufferInfo uv_info{uvs.get(), 0, VK_WHOLE_SIZE};
  std::array<VkWriteDescriptorSet, 4> writes;
  writes.fill({VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, set, 0, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
               nullptr, nullptr, nullptr});
  writes[0].dstBinding = shared::kBindingUvs;
  writes[0].pBufferInfo = &uv_info;
  writes[1].dstBinding = shared::kBindingBaseColor;
  writes[1].descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  writes[1].pImageInfo = &texture;
  writes[2].dstBinding = shared::kBindingColors;
  writes[2].pBufferInfo = &uv_info;  // never read before set_vertex_colors()
  writes[3].dstBinding = shared::kBindingStaticMesh;
  writes[3].pBufferInfo = mesh;
  vkUpdateDescriptorSets(device.handle, mesh ? 4 : 3, writes.data(), 0, nullptr);
}

/// Where the data of a mesh begins in ModelBuffers.
struct MeshIndices {
  uint32_t mesh = 0, first_index = 0, first_texture = 0;
};

void add_mesh(const Device& device, const Model& model, const Level& level, const Skinning& skinning,
              const MeshIndices& indices, std::span<const VkDescriptorSet> sets, ModelBuffers& buffers) {
  const vulkan::MeshBuffer data = skinning.static_mesh(indices.mesh);
  const VkDescriptorBufferInfo mesh{data.buffer, data.offset, data.size_bytes};
  std::vector<MaterialDraw>& draws = buffers.materials.emplace_back();
  for (const MaterialRange& range : level.material_ranges) {
    const Material& material = model.character.materials[range.material];
    const uint32_t texture =
        material.base_color_image < 0 ? 0 : indices.first_texture + uint32_t(material.base_color_image);
    const VkDescriptorSet set = sets[draws.size()];
    write_set(device, set, buffers.uvs[indices.mesh],
              {buffers.sampler.get(), buffers.textures[texture].view.get(), VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
              data.buffer ? &mesh : nullptr);
    set_name(device, VK_OBJECT_TYPE_DESCRIPTOR_SET, set, "sinew.material[" + model.name + "/" + material.name + "]");
    MaterialDraw draw{indices.first_index + range.first_index, range.index_count, material.base_color, set};
    draw.surface = {material.alpha_mode, material.double_sided};
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
  if (Status uploaded = upload_textures(device, models, buffers); !uploaded) return uploaded.error();
  auto sampler = create_sampler(device, sampler_info(), "sinew.base_color_sampler");
  if (!sampler) return sampler.error();
  buffers.sampler = std::move(*sampler);
  uint32_t set_count = 0;
  for (const Model& model : models) {
    for (const Level& level : model.levels) set_count += uint32_t(level.material_ranges.size());
  }
  constexpr auto kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  constexpr std::array kTypes = {kStorage, kStorage, kStorage, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
  auto sets = create_descriptor_sets(device, set_count, kTypes, material_layout, "sinew.material_set");
  if (!sets) return sets.error();
  buffers.pool = std::move(sets->pool);

  uint32_t next_set = 0, first_texture = 1;
  uint32_t first16 = 0, first32 = 0;
  for (const Model& model : models) {
    for (const Level& level : model.levels) {
      const uint32_t mesh = uint32_t(buffers.materials.size());
      uint32_t& first_index = buffers.index_types[mesh] == VK_INDEX_TYPE_UINT16 ? first16 : first32;
      const MeshIndices indices{mesh, first_index, first_texture};
      add_mesh(device, model, level, skinning, indices, std::span(sets->sets).subspan(next_set), buffers);
      next_set += uint32_t(level.material_ranges.size());
      first_index += uint32_t(level.indices.size());
    }
    first_texture += uint32_t(model.character.images.size());
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
