// The data of a model that only the draw pass reads: indices, texture coordinates, materials.
#pragma once

#include <span>
#include <vector>

#include "gpu/host.h"
#include "render/material_textures.h"
#include "render/surface_kind.h"
#include "scene/model.h"
#include "skinning/skinning.h"

namespace sinew::app {

/// One material of one mesh, ready to be bound.
struct MaterialDraw {
  uint32_t first_index = 0, index_count = 0;  // in the mesh's buffer of indices
  Vec4 base_color;
  VkDescriptorSet set = VK_NULL_HANDLE;
  SurfaceKind surface;
  float alpha_cutoff = 0;
  bool unlit = false;
  uint32_t first_color = 0;  // in the mesh's buffer of `uvs`, in elements; 0: it has no colors
};

struct ModelBuffers {
  Buffer indices16, indices32;           // of all meshes with such indices
  std::vector<VkIndexType> index_types;  // of each mesh: 16 bits where they are enough
  std::vector<Buffer> uvs;               // of each mesh: see SurfacePlaces
  std::vector<Buffer> colors;            // of each mesh: set_vertex_colors(); empty buffers before
  MaterialTextures textures;
  Buffer uniforms;  // shared::MaterialUniforms, one for each material of each mesh, every `uniform_stride` bytes
  VkDeviceSize uniform_stride = 0;
  DescriptorPoolHandle pool;
  std::vector<std::vector<MaterialDraw>> materials;  // of each mesh: every level of every model in turn

  VkBuffer indices_of(VkIndexType type) const { return (type == VK_INDEX_TYPE_UINT16 ? indices16 : indices32).get(); }
};

/// The narrowest indices for a mesh of so many vertices. No index restarts triangles: all 65,536 are of use.
VkIndexType index_type_of(uint32_t vertex_count);

/// Bit s is set if some material is a surface with index s.
uint32_t surfaces_of(const ModelBuffers& buffers);

/// Uploads the data, and writes one set of `material_layout` per material of each mesh. Waits for the device.
Result<ModelBuffers> create_model_buffers(const Device& device, std::span<const Model> models, const Skinning& skinning,
                                          VkDescriptorSetLayout material_layout);

/// Sets a color for each vertex of a mesh, rgba8, for Coloring::kVertices. The device must be idle.
Status set_vertex_colors(const Device& device, uint32_t mesh, std::span<const uint32_t> colors, ModelBuffers& buffers);

}  // namespace sinew::app
