// The data of a model that only the draw pass reads: indices, texture coordinates, materials.
#pragma once

#include <span>
#include <vector>

#include "gpu/host.h"
#include "render/material_textures.h"
#include "render/surface_kind.h"
#include "scene/model.h"
#include "shared/crowd.h"
#include "skinning/skinning.h"

namespace sinew::app {

/// One material of one mesh, ready to be bound.
struct MaterialDraw {
  Vec4 base_color;
  VkDescriptorSet set = VK_NULL_HANDLE;
  SurfaceKind surface;
  float alpha_cutoff = 0;
  uint32_t shading = shared::kShadingLit;
  bool has_triangles = false;
  uint32_t first_color = 0;  // in the mesh's buffer of `uvs`, in elements; 0: it has no colors
};

struct ModelBuffers {
  Buffer indices;              // vulkan::MeshStreams::indices
  std::vector<Buffer> uvs;     // of each mesh: see SurfacePlaces
  std::vector<Buffer> colors;  // of each mesh: set_vertex_colors(); empty buffers before
  MaterialTextures textures;
  Buffer uniforms;  // shared::MaterialUniforms, one for each material of each mesh, every `uniform_stride` bytes
  VkDeviceSize uniform_stride = 0;
  DescriptorPoolHandle pool;
  std::vector<uint32_t> first_meshes;  // of each model: its first level, see `materials`
  std::vector<uint32_t> first_worn;    // of each model: the first level of its first wearable; then of the next one
  std::vector<uint32_t> level_counts;  // of each model
  // Of each mesh: all materials of every level of every model; then those of wearables. Without triangles: no set.
  std::vector<std::vector<MaterialDraw>> materials;

  uint32_t mesh_of(const vulkan::Draw& draw) const {
    if (draw.wearable == kNoWearable) return first_meshes[draw.model] + draw.level;
    return first_worn[draw.model] + draw.wearable * level_counts[draw.model] + draw.level;
  }
  const MaterialDraw& material_of(const vulkan::Draw& draw) const { return materials[mesh_of(draw)][draw.material]; }
};

/// Bit s is set if some material is a surface with index s.
uint32_t surfaces_of(const ModelBuffers& buffers);

/// Uploads the data, and writes one set of `material_layout` for each material of each mesh. Waits for the device.
Result<ModelBuffers> create_model_buffers(const Device& device, std::span<const Model> models, const Skinning& skinning,
                                          VkDescriptorSetLayout material_layout);

/// Sets a color for each vertex of a mesh, rgba8, for Coloring::kVertices. The device must be idle.
Status set_vertex_colors(const Device& device, uint32_t mesh, std::span<const uint32_t> colors, ModelBuffers& buffers);

}  // namespace sinew::app
